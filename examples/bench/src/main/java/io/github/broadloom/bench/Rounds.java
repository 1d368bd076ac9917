package io.github.broadloom.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How often a call is made.
 *
 * @param warmUp the fewest calls that are not measured
 * @param warmUpSeconds how long such calls go on at least; in this JVM, unless it is zero, until the JIT compiler rests, but no longer than
 *     {@value #SETTLE_SECONDS} seconds more
 * @param measured calls that are
 */
public record Rounds(int warmUp, double warmUpSeconds, int measured) {
    private static final int SETTLE_SECONDS = 5;

    /** The JIT compiler rests where it takes less of the time than this, counted over all of its threads. */
    private static final double RESTING = 0.05;

    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Times a call; what it throws goes through. */
    public Seconds time(Runnable call) {
        return timeInTurns(List.of(call)).get(0);
    }

    /** Times calls, each once in every round; who is first in a round is second to last in the next. What they throw goes through. */
    List<Seconds> timeInTurns(List<Runnable> calls) {
        calls.forEach(this::warmUp);
        if (warmUpSeconds > 0 && !calls.isEmpty()) {
            settle(() -> calls.forEach(Runnable::run), SETTLE_SECONDS);
        }
        double[][] seconds = new double[calls.size()][measured];
        for (int round = 0; round < measured; round++) {
            for (int turn = 0; turn < calls.size(); turn++) {
                int place = (round + turn) % calls.size();
                long start = System.nanoTime();
                calls.get(place).run();
                seconds[place][round] = since(start);
            }
        }
        return Arrays.stream(seconds).map(Seconds::of).toList();
    }

    private void warmUp(Runnable call) {
        long begin = System.nanoTime();
        for (int i = 0; i < warmUp || since(begin) < warmUpSeconds; i++) {
            call.run();
        }
    }

    private static double since(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }

    /**
     * Repeats some work, at least for a moment, until the JIT compiler has hardly anything left to do for it, or until {@code mostSeconds} have passed. It works on
     * the cores that are measured: on two of them a program that has just begun has half of the time that it has later. Spark alone keeps it busy for some twenty
     * seconds.
     */
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
