package io.github.broadloom.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's compiler, which works on the cores that are measured: on two of them a program that has just begun has half of the time that it has later. Spark
 * alone keeps it busy for some twenty seconds.
 */
final class JitCompiler {
    /** The compiler rests where it takes less of the time than this, counted over all of its threads. */
    private static final double RESTING = 0.05;

    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private JitCompiler() {}

    /** Repeats some work, at least for a moment, until the compiler has hardly anything left to do for it, or until {@code mostSeconds} have passed. */
    static void settle(Runnable work, int mostSeconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(mostSeconds);
        long start;
        long compiled;
        do {
            start = System.nanoTime();
            compiled = compileNanos();
            while (System.nanoTime() - start < WINDOW_NANOS) {
                work.run();
            }
        } while (compileNanos() - compiled > RESTING * (System.nanoTime() - start) && System.nanoTime() < deadline);
    }

    /** Zero where this JVM does not tell. */
    private static long compileNanos() {
        @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        return compiler != null && compiler.isCompilationTimeMonitoringSupported()
                ? TimeUnit.MILLISECONDS.toNanos(compiler.getTotalCompilationTime())
                : 0;
    }
}
