package io.github.broadloom.cpu.simd;

/** A loop of a function of floats: what it leaves in the scratch array or in the result, for vectors of elements. */
@FunctionalInterface
interface VectorStage {
    /**
     * Runs the loop.
     *
     * @param x the operand, of which the elements begin at {@code from}
     * @param u doubles, {@link VectorStages#REGIONS} for each element: the first of all elements, then the second of all
     * @param out the result, which may be the operand
     * @param count how many elements, a whole number of vectors
     */
    void run(float[] x, double[] u, float[] out, int from, int count);
}
