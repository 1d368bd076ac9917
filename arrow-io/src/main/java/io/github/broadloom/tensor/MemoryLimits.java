package io.github.broadloom.tensor;

import io.netty.util.internal.PlatformDependent;

/** How much memory this JVM's tensors may take, by its system properties. */
final class MemoryLimits {
    private static final long IDLE_SECONDS = 30;

    private MemoryLimits() {}

    /** The most that may be held and pooled together: what was asked for, else what the JVM grants direct buffers. */
    static long limitBytes() {
        long direct = PlatformDependent.maxDirectMemory();
        return MemorySettings.LIMIT
                .inJvm()
                .orElse(direct > 0 ? direct : Runtime.getRuntime().maxMemory());
    }

    /** The most that may wait in the pool: what was asked for, else half of the limit. */
    static long poolBytes(long limitBytes) {
        return Math.min(limitBytes, MemorySettings.POOL.inJvm().orElse(limitBytes / 2));
    }

    /** How long pages wait for a taker. */
    static long idleMillis() {
        return MemorySettings.IDLE.inJvm().orElse(IDLE_SECONDS) * 1000;
    }
}
