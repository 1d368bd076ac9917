package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorDoubles.FLOATS;
import static io.github.broadloom.cpu.simd.VectorDoubles.LANES;
import static io.github.broadloom.cpu.simd.VectorDoubles.SPREAD;

import java.util.stream.Stream;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

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

    VectorMask<Float> LATER_HALF = VectorMask.fromLong(FLOATS, (1L << FLOATS.length()) - (1L << LANES));

    /**
     * Runs the loop.
     *
     * @param x the operand, of which the elements begin at {@code from}; a vector may read behind the last
     * @param u doubles, {@link #REGIONS} for each element: the first of all elements, then the second of all
     * @param out the result, which may be the operand: its vectors begin at {@code at}, {@link VectorDoubles#SPREAD} vectors of doubles apart
     * @param count how many elements, a whole number of vectors
     */
    void run(float[] x, double[] u, float[] out, int from, int at, int count);

    /** The stages of a function: the last one puts together what lies apart, where it does. */
    static VectorStage[] all(VectorStage... stages) {
        return SPREAD == 1
                ? stages
                : Stream.concat(Stream.of(stages), Stream.of((VectorStage) VectorStage::gather))
                        .toArray(VectorStage[]::new);
    }

    /** Runs the stages for all elements but the last few; returns where those begin. */
    static int run(VectorStage[] stages, float[] x, float[] out, int from, int to) {
        int end = VectorDoubles.end(from, Math.max(from, Math.min(to, x.length - VectorDoubles.SPARE)));
        int count = end - from;
        double[] u = Scratch.doubles(REGIONS * count);
        float[] results = SPREAD == 1 ? out : Scratch.floats(SPREAD * count);
        int at = SPREAD == 1 ? from : 0;
        int computing = SPREAD == 1 ? stages.length : stages.length - 1;
        for (int s = 0; s < stages.length; s++) {
            boolean computes = s < computing;
            stages[s].run(
                    computes ? x : results,
                    u,
                    computes ? results : out,
                    computes ? from : at,
                    computes ? at : from,
                    count);
        }
        return end;
    }

    /** The second half of a vector is that of the vector half of one behind it. */
    private static void gather(float[] spread, double[] u, float[] out, int from, int at, int count) {
        int i = 0;
        for (; i <= count - FLOATS.length(); i += FLOATS.length()) {
            FloatVector later = FloatVector.fromArray(FLOATS, spread, from + 2 * i + LANES);
            FloatVector.fromArray(FLOATS, spread, from + 2 * i)
                    .blend(later, LATER_HALF)
                    .intoArray(out, at + i);
        }
        if (i < count) {
            System.arraycopy(spread, from + 2 * i, out, at + i, LANES);
        }
    }
}
