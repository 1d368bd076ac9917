package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorDoubles.DOUBLES;
import static io.github.broadloom.cpu.simd.VectorDoubles.FLOATS;
import static io.github.broadloom.cpu.simd.VectorDoubles.LANES;
import static jdk.incubator.vector.VectorOperators.D2F;
import static jdk.incubator.vector.VectorOperators.F2D;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;

/**
 * Functions of floats as stages, each a loop over an array that calls nothing but the Vector API. C2 inlines what a method
 * calls only until it has some thousands of nodes, and every vector that goes into a call or comes out of one is an object. A kernel of
 * several functions had that many, and so had a single one of five stages. So stages are called where one line calls them
 * all: C2 cannot tell which it will be, inlines none, and compiles each by itself.
 */
final class VectorStages {
    /** How many doubles a stage may use for each element. */
    static final int REGIONS = 3;

    private VectorStages() {}

    /** Runs the stages for all elements but the last few; returns where those begin. */
    static int run(VectorStage[] stages, float[] x, float[] out, int from, int to) {
        int count = (to - from) / LANES * LANES;
        double[] u = Scratch.doubles(REGIONS * count);
        for (VectorStage stage : stages) {
            stage.run(x, u, out, from, count);
        }
        return from + count;
    }

    /** A stage that gives {@link ScalarExponentials#held}, times a factor. */
    static VectorStage held(float lowest, float highest, double factor) {
        return (x, u, out, from, count) -> {
            FloatVector low = FloatVector.broadcast(FLOATS, lowest);
            FloatVector high = FloatVector.broadcast(FLOATS, highest);
            DoubleVector times = DoubleVector.broadcast(DOUBLES, factor);
            for (int i = 0; i < count; i += LANES) {
                FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
                FloatVector above = a.blend(low, a.compare(LT, low));
                FloatVector held = above.blend(high, above.compare(GT, high));
                ((DoubleVector) held.convertShape(F2D, DOUBLES, 0)).mul(times).intoArray(u, i);
            }
        };
    }

    /** A stage that gives {@link ScalarExponentials#size}, times a factor. */
    static VectorStage size(float highest, double factor) {
        return (x, u, out, from, count) -> {
            FloatVector high = FloatVector.broadcast(FLOATS, highest);
            DoubleVector times = DoubleVector.broadcast(DOUBLES, factor);
            for (int i = 0; i < count; i += LANES) {
                FloatVector a = FloatVector.fromArray(FLOATS, x, from + i)
                        .reinterpretAsInts()
                        .and(Integer.MAX_VALUE)
                        .reinterpretAsFloats();
                FloatVector size = a.blend(high, a.compare(GT, high));
                ((DoubleVector) size.convertShape(F2D, DOUBLES, 0)).mul(times).intoArray(u, i);
            }
        };
    }

    /** The stage that rounds the doubles to floats. */
    static void rounded(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector wide = DoubleVector.fromArray(DOUBLES, u, i);
            ((FloatVector) wide.convertShape(D2F, FLOATS, 0)).intoArray(out, from + i);
        }
    }
}
