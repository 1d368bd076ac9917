package io.github.broadloom.examples.bench;

/**
 * How often a call is made.
 *
 * @param warmUp calls that are not measured; in this JVM there are more of them until its compiler rests, but none where this is zero
 * @param measured calls that are
 */
public record Rounds(int warmUp, int measured) {
    private static final int SETTLE_SECONDS = 5;

    /** Times a call; what it throws goes through. */
    public Seconds time(Runnable call) {
        for (int i = 0; i < warmUp; i++) {
            call.run();
        }
        if (warmUp > 0) {
            JitCompiler.settle(call, SETTLE_SECONDS);
        }
        double[] seconds = new double[measured];
        for (int i = 0; i < measured; i++) {
            long start = System.nanoTime();
            call.run();
            seconds[i] = (System.nanoTime() - start) * 1e-9;
        }
        return Seconds.of(seconds);
    }
}
