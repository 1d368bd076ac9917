package io.github.broadloom.cpu.simd;

/**
 * A loop of a function of floats that calls nothing but the Vector API: what it leaves in the scratch array or in the result, for vectors of elements. C2 inlines what a method
 * calls only until it has some thousands of nodes, and every vector that goes into a call or comes out of one is an object. A kernel of
 * several functions had that many, and so had a single one of five stages. So stages are called where one line calls them
 * all: C2 cannot tell which it will be, inlines none, and compiles each by itself.
 */
@FunctionalInterface
interface VectorStage {
    /** How many doubles a stage may use for each element. */
    int REGIONS = 3;

    /**
     * Runs the loop.
     *
     * @param x the operand, of which the elements begin at {@code from}
     * @param u doubles, {@link #REGIONS} for each element: the first of all elements, then the second of all
     * @param out the result, which may be the operand
     * @param count how many elements, a whole number of vectors
     */
    void run(float[] x, double[] u, float[] out, int from, int count);

    /** Runs the stages for all elements but the last few; returns where those begin. */
    static int run(VectorStage[] stages, float[] x, float[] out, int from, int to) {
        int count = VectorDoubles.end(from, to) - from;
        double[] u = Scratch.doubles(REGIONS * count);
        for (VectorStage stage : stages) {
            stage.run(x, u, out, from, count);
        }
        return from + count;
    }
}
