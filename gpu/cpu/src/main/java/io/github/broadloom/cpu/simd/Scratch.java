package io.github.broadloom.cpu.simd;

/**
 * What lies between the stages of a function. C2 inlines the calls of the Vector API in one method up to a number of nodes, about
 * thirty calls, and boxes every vector behind that. So a longer function is several loops over an array ({@link VectorStage}).
 */
final class Scratch {
    private static final int FEWEST = 512;
    private static final ThreadLocal<double[]> DOUBLES = ThreadLocal.withInitial(() -> new double[FEWEST]);

    private static final ThreadLocal<float[]> FLOATS = ThreadLocal.withInitial(() -> new float[FEWEST]);

    private Scratch() {}

    /** At least that many doubles of any value, until the thread asks again. */
    static double[] doubles(int count) {
        double[] doubles = DOUBLES.get();
        if (doubles.length < count) {
            doubles = new double[Integer.highestOneBit(count - 1) << 1];
            DOUBLES.set(doubles);
        }
        return doubles;
    }

    /** At least that many floats of any value, until the thread asks again. */
    static float[] floats(int count) {
        float[] floats = FLOATS.get();
        if (floats.length < count) {
            floats = new float[Integer.highestOneBit(count - 1) << 1];
            FLOATS.set(floats);
        }
        return floats;
    }
}
