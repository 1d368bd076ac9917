package io.github.broadloom.examples.bench;

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
        long begin = System.nanoTime();
        for (int i = 0; i < warmUp || since(begin) < warmUpSeconds; i++) {
            call.run();
        }
        if (warmUpSeconds > 0) {
            JitCompiler.settle(call, SETTLE_SECONDS);
        }
        double[] seconds = new double[measured];
        for (int i = 0; i < measured; i++) {
            long start = System.nanoTime();
            call.run();
            seconds[i] = since(start);
        }
        return Seconds.of(seconds);
    }

    private static double since(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }
}
