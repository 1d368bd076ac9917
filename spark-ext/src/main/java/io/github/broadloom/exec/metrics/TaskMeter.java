package io.github.broadloom.exec.metrics;

import io.github.broadloom.device.KernelCache;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.GrantedMemory;
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
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * What one task does, or the driver for one run: counted by its thread while it runs, and told at its end. Spark is told what it has a place for: bytes read from files
 * are input, the peak of off-heap memory is the peak of execution memory, and both stand in its UI for each task. The rest goes to the accumulators of the task's job.
 */
public final class TaskMeter implements TaskCompletionListener {
    private static final ThreadLocal<@Nullable TaskMeter> CURRENT = new ThreadLocal<>();
    private static final long NO_TASK = -1;

    private final long attempt;
    private final MemoryMeter memory;
    private final long kernelsBefore = KernelCache.compiledByThisThread();
    private final Map<TaskMetric, Long> gpusBefore = onGpus();
    private final EnumMap<TaskMetric, Long> figures = new EnumMap<>(TaskMetric.class);
    /** What others made, with how often it is held: it takes its memory once. */
    private final Map<Storage, Integer> others = new IdentityHashMap<>();

    private @Nullable MetricAccumulators accumulators;

    private TaskMeter(long attempt, LongConsumer expectation) {
        this.attempt = attempt;
        this.memory = MemoryMeter.begin(expectation);
        CURRENT.set(this);
    }

    /** The task's meter, which tells when the task ends. */
    public static TaskMeter of(TaskContext context) {
        TaskMeter current = CURRENT.get();
        if (current != null && current.attempt == context.taskAttemptId()) {
            return current;
        }
        TaskMeter meter = new TaskMeter(context.taskAttemptId(), reservation(context));
        context.addTaskCompletionListener(meter);
        return meter;
    }

    private static LongConsumer reservation(TaskContext context) {
        return GrantedMemory.offHeapBytes(SparkEnv.get().conf()) > 0
                ? TaskReservation.of(context)::atLeast
                : bytes -> {};
    }

    public static TaskMeter ofDriver() {
        return new TaskMeter(NO_TASK, bytes -> {});
    }

    public void tell(MetricAccumulators whom) {
        accumulators = whom;
    }

    /** Counts in what runs on this thread, if it is metered. */
    public static void count(TaskMetric metric, long figure) {
        TaskMeter meter = CURRENT.get();
        if (meter != null && figure != 0) {
            meter.figures.merge(metric, figure, Long::sum);
        }
    }

    /** What was counted so far of what runs on this thread; 0 where it is not metered. */
    public static long counted(TaskMetric metric) {
        TaskMeter meter = CURRENT.get();
        return meter == null ? 0 : meter.figures.getOrDefault(metric, 0L);
    }

    /** A broadcast variable's value: the first task that asks makes it, for all. */
    public static <T> T shared(Broadcast<T> broadcast) {
        return MemoryMeter.uncounted(broadcast::value);
    }

    /** A tensor that what runs on this thread keeps though others made it: until it {@linkplain #letGo lets go} as often, or to its end. */
    public static Tensor held(Tensor tensor) {
        TaskMeter meter = CURRENT.get();
        if (meter != null && meter.others.merge(tensor.storage(), 1, Integer::sum) == 1) {
            meter.memory.hold(BlockCodec.payloadBytes(tensor));
        }
        return tensor;
    }

    /** Ends what {@link #held} began. */
    public static void letGo(Tensor tensor) {
        TaskMeter meter = CURRENT.get();
        Storage storage = tensor.storage();
        if (meter != null && meter.others.containsKey(storage)) {
            meter.others.computeIfPresent(storage, (held, times) -> times == 1 ? null : times - 1);
            if (!meter.others.containsKey(storage)) {
                meter.memory.letGo(BlockCodec.payloadBytes(tensor));
            }
        }
    }

    /** What runs on this thread keeps a block that it computed, or that was there before. */
    public static void holdsAtLeast(Block block) {
        TaskMeter meter = CURRENT.get();
        if (meter != null) {
            long missing = BlockCodec.payloadBytes(block.tensor()) - meter.memory.heldBytes();
            meter.memory.hold(Math.max(0, missing));
        }
    }

    public MemoryMeter memory() {
        return memory;
    }

    public Map<TaskMetric, Long> end() {
        memory.close();
        if (CURRENT.get() == this) {
            CURRENT.remove();
        }
        long kernels = KernelCache.compiledByThisThread() - kernelsBefore;
        if (kernels != 0) {
            figures.put(TaskMetric.KERNELS, kernels);
        }
        onGpus().forEach((metric, sum) -> {
            long figure = sum - gpusBefore.getOrDefault(metric, 0L);
            if (figure != 0) {
                figures.put(metric, figure);
            }
        });
        MetricTotals.add(figures);
        return figures;
    }

    private static Map<TaskMetric, Long> onGpus() {
        Map<TaskMetric, Long> sums = new EnumMap<>(TaskMetric.class);
        for (TaskMetric metric : TaskMetric.values()) {
            metric.onGpus().ifPresent(counter -> sums.put(metric, counter.ofThisThread()));
        }
        return sums;
    }

    @Override
    public void onTaskCompletion(TaskContext context) {
        end();
        TaskMetrics metrics = context.taskMetrics();
        metrics.inputMetrics().incBytesRead(figures.getOrDefault(TaskMetric.FILE_BYTES, 0L));
        metrics.incPeakExecutionMemory(memory.peakBytes());
        MetricTotals.addShuffled(metrics.shuffleReadMetrics().remoteBytesRead());
        if (accumulators != null) {
            accumulators.add(figures);
        }
    }

    /**
     * What a task's tensors take of the memory that Spark has off the heap, so that cached chunks make room for them, and Spark's own operators know of them. Where Spark has less than they want, they are made all the same: the limit on
     * all of this JVM's tensors is what ends them.
     */
    private static final class TaskReservation extends MemoryConsumer implements TaskCompletionListener {
        /** Spark is asked for so much at a time. */
        private static final long STEP_BYTES = 1 << 20;

        private TaskReservation(TaskContext context) {
            super(context.taskMemoryManager(), MemoryMode.OFF_HEAP);
        }

        static TaskReservation of(TaskContext context) {
            TaskReservation reservation = new TaskReservation(context);
            context.addTaskCompletionListener(reservation);
            return reservation;
        }

        void atLeast(long bytes) {
            long missing = bytes - getUsed();
            if (missing > 0) {
                acquireMemory((missing + STEP_BYTES - 1) & -STEP_BYTES);
            }
        }

        /** Tensors cannot give way. */
        @Override
        public long spill(long size, MemoryConsumer trigger) {
            return 0;
        }

        @Override
        public void onTaskCompletion(TaskContext context) {
            freeMemory(getUsed());
        }
    }
}
