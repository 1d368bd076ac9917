package io.github.broadloom.tensor;

import io.netty.util.internal.PlatformDependent;

/** How much memory this JVM's tensors may take, by its system properties. */
final class MemoryLimits {
    private static final long IDLE_SECONDS = 30;

    private MemoryLimits() {}

    /** The pool of this JVM. */
    static PagePool pool() {
        long limit = MemorySettings.LIMIT.inJvm().orElseGet(MemoryLimits::jvmBytes);
        long pooled = MemorySettings.POOL.inJvm().orElse(limit / 2);
        return new PagePool(limit, Math.min(limit, pooled), MemorySettings.IDLE.inJvm().orElse(IDLE_SECONDS) * 1000);
    }

    /** What the JVM grants direct buffers: as much as the heap, where nobody says otherwise. */
    static long jvmBytes() {
        long direct = PlatformDependent.maxDirectMemory();
        return direct > 0 ? direct : Runtime.getRuntime().maxMemory();
    }
}
