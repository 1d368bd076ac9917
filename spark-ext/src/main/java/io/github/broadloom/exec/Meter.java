package io.github.broadloom.exec;

import io.github.broadloom.device.KernelCache;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * What one task does, or the driver for one run: counted by its thread while it runs, and told at its end. Spark is told what it has a place for: bytes read from files
 * are input, the peak of off-heap memory is the peak of execution memory, and both stand in its UI for each task. The rest goes to the accumulators of the task's job.
 */
final class Meter implements TaskCompletionListener {
    private static final ThreadLocal<@Nullable Meter> CURRENT = new ThreadLocal<>();
    private static final long NO_TASK = -1;

    private final long attempt;
    private final MemoryMeter memory;
    private final long kernelsBefore = KernelCache.compiledByThisThread();
    private final Map<Counted, Long> gpusBefore = onGpus();
    private final EnumMap<Counted, Long> figures = new EnumMap<>(Counted.class);
    /** What others made, with how often it is held: it takes its memory once. */
    private final Map<Storage, Integer> others = new IdentityHashMap<>();

    private @Nullable Counters counters;

    private Meter(long attempt, LongConsumer expectation) {
        this.attempt = attempt;
        this.memory = MemoryMeter.begin(expectation);
        CURRENT.set(this);
    }

    /** The task's meter, which tells when the task ends. */
    static Meter of(TaskContext context) {
        Meter current = CURRENT.get();
        if (current != null && current.attempt == context.taskAttemptId()) {
            return current;
        }
        Meter meter = new Meter(context.taskAttemptId(), reservation(context));
        context.addTaskCompletionListener(meter);
        return meter;
    }

    private static LongConsumer reservation(TaskContext context) {
        return GrantedMemory.offHeapBytes(SparkEnv.get().conf()) > 0
                ? TaskReservation.of(context)::atLeast
                : bytes -> {};
    }

    /** Meters what the driver does until {@link #end}. */
    static Meter ofDriver() {
        return new Meter(NO_TASK, bytes -> {});
    }

    /** Tells those accumulators, too. */
    void tell(Counters whom) {
        counters = whom;
    }

    /** Counts in what runs on this thread, if it is metered. */
    static void count(Counted counted, long figure) {
        Meter meter = CURRENT.get();
        if (meter != null && figure != 0) {
            meter.figures.merge(counted, figure, Long::sum);
        }
    }

    /** A broadcast variable's value: the first task that asks makes it, for all. */
    static <T> T shared(Broadcast<T> broadcast) {
        return MemoryMeter.uncounted(broadcast::value);
    }

    /** A tensor that what runs on this thread keeps though others made it: until it {@linkplain #letGo lets go} as often, or to its end. */
    static Tensor held(Tensor tensor) {
        Meter meter = CURRENT.get();
        if (meter != null && meter.others.merge(tensor.storage(), 1, Integer::sum) == 1) {
            meter.memory.hold(BlockCodec.payloadBytes(tensor));
        }
        return tensor;
    }

    /** Ends what {@link #held} began. */
    static void letGo(Tensor tensor) {
        Meter meter = CURRENT.get();
        Storage storage = tensor.storage();
        if (meter != null && meter.others.containsKey(storage)) {
            meter.others.computeIfPresent(storage, (held, times) -> times == 1 ? null : times - 1);
            if (!meter.others.containsKey(storage)) {
                meter.memory.letGo(BlockCodec.payloadBytes(tensor));
            }
        }
    }

    /** What runs on this thread keeps a block that it computed, or that was there before. */
    static void holdsAtLeast(Block block) {
        Meter meter = CURRENT.get();
        if (meter != null) {
            long missing = BlockCodec.payloadBytes(block.tensor()) - meter.memory.heldBytes();
            meter.memory.hold(Math.max(0, missing));
        }
    }

    /** The off-heap memory that it holds. */
    MemoryMeter memory() {
        return memory;
    }

    /** Ends the counting. */
    Map<Counted, Long> end() {
        memory.close();
        if (CURRENT.get() == this) {
            CURRENT.remove();
        }
        long kernels = KernelCache.compiledByThisThread() - kernelsBefore;
        if (kernels != 0) {
            figures.put(Counted.KERNELS, kernels);
        }
        onGpus().forEach((counted, sum) -> {
            long figure = sum - gpusBefore.getOrDefault(counted, 0L);
            if (figure != 0) {
                figures.put(counted, figure);
            }
        });
        Totals.add(figures);
        return figures;
    }

    /** What this thread has counted on GPUs so far. */
    private static Map<Counted, Long> onGpus() {
        Map<Counted, Long> sums = new EnumMap<>(Counted.class);
        for (Counted counted : Counted.values()) {
            counted.onGpus().ifPresent(counter -> sums.put(counted, counter.ofThisThread()));
        }
        return sums;
    }

    @Override
    public void onTaskCompletion(TaskContext context) {
        end();
        TaskMetrics metrics = context.taskMetrics();
        metrics.inputMetrics().incBytesRead(figures.getOrDefault(Counted.FILE_BYTES, 0L));
        metrics.incPeakExecutionMemory(memory.peakBytes());
        Totals.addShuffled(metrics.shuffleReadMetrics().remoteBytesRead());
        if (counters != null) {
            counters.add(figures);
        }
    }
}
