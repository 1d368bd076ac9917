package io.github.broadloom.device;

import io.github.broadloom.codegen.KernelSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Compiled kernels by what they compute: the most recently used ones are kept. A kernel is compiled once even when several
 * threads ask for it at the same moment; the others wait for it. A failed compilation is not kept.
 *
 * @param <K> the compiled kernel
 */
public final class KernelCache<K> {
    private final int capacity;
    private final Function<KernelSpec, K> compiler;
    private final Map<KernelSpec, CompletableFuture<K>> kernels = new LinkedHashMap<>(64, 0.75f, true);
    private long hits;
    private long misses;
    private long compileNanos;

    /**
     * What the cache has done.
     *
     * @param hits kernels that were there
     * @param misses kernels that were compiled, or failed to
     * @param compileNanos time spent compiling
     * @param size kernels kept now
     */
    public record Stats(long hits, long misses, long compileNanos, int size) {}

    /** A cache of at most {@code capacity} kernels. */
    public KernelCache(int capacity, Function<KernelSpec, K> compiler) {
        if (capacity < 1) {
            throw new IllegalArgumentException("Cannot make kernel cache: capacity " + capacity + "; give at least 1");
        }
        this.capacity = capacity;
        this.compiler = compiler;
    }

    /** The kernel for a specification, compiled now if it is not there. */
    public K kernel(KernelSpec spec) {
        CompletableFuture<K> mine = new CompletableFuture<>();
        CompletableFuture<K> kept;
        synchronized (this) {
            CompletableFuture<K> found = kernels.get(spec);
            kept = found == null ? mine : found;
            if (found == null) {
                misses++;
                kernels.put(spec, mine);
                dropEldest();
            } else {
                hits++;
            }
        }
        return kept == mine ? compile(spec, mine) : await(kept);
    }

    private static <K> K await(CompletableFuture<K> kernel) {
        try {
            return kernel.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private K compile(KernelSpec spec, CompletableFuture<K> mine) {
        long start = System.nanoTime();
        try {
            K kernel = compiler.apply(spec);
            mine.complete(kernel);
            return kernel;
        } catch (RuntimeException | Error failure) {
            synchronized (this) {
                kernels.remove(spec, mine);
            }
            mine.completeExceptionally(failure);
            throw failure;
        } finally {
            long nanos = System.nanoTime() - start;
            synchronized (this) {
                compileNanos += nanos;
            }
        }
    }

    private void dropEldest() {
        var eldest = kernels.keySet().iterator();
        while (kernels.size() > capacity) {
            eldest.next();
            eldest.remove();
        }
    }

    /** The counts so far. */
    public synchronized Stats stats() {
        return new Stats(hits, misses, compileNanos, kernels.size());
    }
}
