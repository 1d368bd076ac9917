package io.github.broadloom.tensor;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;

/** How much memory this JVM's tensors may take, by its system properties. */
final class MemoryLimits {
    private MemoryLimits() {}

    /** The pool of this JVM. */
    static PagePool pool() {
        long limit = MemorySettings.LIMIT.inJvm().orElseGet(MemoryLimits::jvmBytes);
        long pooled = MemorySettings.POOL.inJvm().orElse(limit / 2);
        return new PagePool(limit, Math.min(limit, pooled), MemorySettings.idleMillis());
    }

    /** What the JVM grants direct buffers: as much as the heap, where nobody says otherwise. */
    static long jvmBytes() {
        long direct = PlatformDependent.maxDirectMemory();
        return direct > 0 ? direct : Runtime.getRuntime().maxMemory();
    }

    /** What a message about memory that ended adds, where the JVM was told not to look for tensors that were dropped. */
    static String remedyOfFlags() {
        HotSpotDiagnosticMXBean flags = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        boolean blind = flags != null
                && Boolean.parseBoolean(flags.getVMOption("DisableExplicitGC").getValue());
        return blind ? ", or leave out -XX:+DisableExplicitGC, with which dropped tensors are not found" : "";
    }
}
