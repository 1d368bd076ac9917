package io.github.broadloom.bench;

import java.util.Arrays;
import java.util.List;

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

    /** Times a call; what it throws goes through. */
    public Seconds time(Runnable call) {
        return timeInTurns(List.of(call)).get(0);
    }

    /** Times calls, each once in every round; who is first in a round is second to last in the next. What they throw goes through. */
    List<Seconds> timeInTurns(List<Runnable> calls) {
        calls.forEach(this::warmUp);
        if (warmUpSeconds > 0 && !calls.isEmpty()) {
            JitCompiler.settle(() -> calls.forEach(Runnable::run), SETTLE_SECONDS);
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
}
