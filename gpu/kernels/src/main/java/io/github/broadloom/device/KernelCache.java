package io.github.broadloom.device;

import io.github.broadloom.kernels.KernelSpec;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Compiled kernels by what they compute: the most recently used ones are kept. A kernel is compiled once even when several
 * threads ask for it at the same moment; the others wait for it. A failed compilation is not kept.
 *
 * @param <K> the compiled kernel
 */
public final class KernelCache<K> {

    /** How many kernels each thread compiled, in whichever cache. */
    private static final ThreadLocal<long[]> COMPILED_HERE = ThreadLocal.withInitial(() -> new long[1]);

    private final int capacity;
    private final Function<KernelSpec, K> compiler;
    private final Memo<KernelSpec, Compiled<K>> kernels;
    private final LongAdder requests = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder compileNanos = new LongAdder();

    /**
     * What the cache has done.
     *
     * @param hits kernels that were there
     * @param misses kernels that were compiled, or failed to
     * @param compileNanos time spent compiling
     * @param size kernels kept now
     * @param capacity the most that are kept
     */
    public record Stats(long hits, long misses, long compileNanos, int size, int capacity) {

        public Stats plus(Stats other) {
            return new Stats(
                    hits + other.hits,
                    misses + other.misses,
                    compileNanos + other.compileNanos,
                    size + other.size,
                    capacity + other.capacity);
        }

        public String describe() {
            return "kernel cache: %d of %d kernels; hits %d, compilations %d, together %s"
                    .formatted(size, capacity, hits, misses, inMillis(Duration.ofNanos(compileNanos)));
        }
    }

    private record Compiled<K>(K kernel, long nanos) {}

    /**
     * How many kernels a backend keeps: the system property {@code broadloom.kernel.cache}, or 512.
     *
     * @throws IllegalArgumentException where the property is no positive number
     */
    public static int configuredCapacity() {
        return DeviceSettings.KERNEL_CACHE.inJvm().orElse(DeviceSettings.DEFAULT_KERNELS);
    }

    public KernelCache(int capacity, Function<KernelSpec, K> compiler) {
        if (capacity < 1) {
            throw new IllegalArgumentException("Cannot make kernel cache: capacity " + capacity + "; give at least 1");
        }
        this.capacity = capacity;
        this.kernels = new Memo<>(capacity);
        this.compiler = compiler;
    }

    /** How many kernels this thread has compiled so far, in whichever cache: what a task adds to it is the task's own. */
    public static long compiledByThisThread() {
        return COMPILED_HERE.get()[0];
    }

    /** The kernel for a specification, compiled now if it is not there. */
    public K kernel(KernelSpec spec) {
        requests.increment();
        return kernels.value(spec, this::compile).kernel();
    }

    private Compiled<K> compile(KernelSpec spec) {
        misses.increment();
        COMPILED_HERE.get()[0]++;
        long start = System.nanoTime();
        try {
            K kernel = compiler.apply(spec);
            return new Compiled<>(kernel, System.nanoTime() - start);
        } finally {
            compileNanos.add(System.nanoTime() - start);
        }
    }

    /** A time of compilation for people: {@code 3.2 ms}. */
    public static String inMillis(Duration time) {
        return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }

    /** What compiling a kernel took, where it is kept. To ask is not to use it: the order of eviction stays. */
    public Optional<Duration> compileTime(KernelSpec spec) {
        return kernels.peek(spec).map(compiled -> Duration.ofNanos(compiled.nanos()));
    }

    public Stats stats() {
        long missed = misses.sum(); // before the requests, of which each miss is one
        return new Stats(requests.sum() - missed, missed, compileNanos.sum(), kernels.size(), capacity);
    }
}
