package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorDoubles.DOUBLES;
import static io.github.broadloom.cpu.simd.VectorDoubles.FLOATS;
import static io.github.broadloom.cpu.simd.VectorDoubles.LANES;
import static io.github.broadloom.cpu.simd.VectorDoubles.LONGS;
import static jdk.incubator.vector.VectorOperators.D2F;
import static jdk.incubator.vector.VectorOperators.F2D;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;

/** {@link Exponentials} on the Vector API. */
final class VectorExponentials implements Exponentials {
    // As vectors, because a method may inline only so much, and making them takes half of that.
    private static final DoubleVector VP0 = DoubleVector.broadcast(DOUBLES, P0);
    private static final DoubleVector VP1 = DoubleVector.broadcast(DOUBLES, P1);
    private static final DoubleVector VP2 = DoubleVector.broadcast(DOUBLES, P2);
    private static final DoubleVector VP3 = DoubleVector.broadcast(DOUBLES, P3);
    private static final DoubleVector VP4 = DoubleVector.broadcast(DOUBLES, P4);
    private static final DoubleVector VP5 = DoubleVector.broadcast(DOUBLES, P5);
    private static final DoubleVector VP6 = DoubleVector.broadcast(DOUBLES, P6);
    private static final DoubleVector VP7 = DoubleVector.broadcast(DOUBLES, P7);
    private static final DoubleVector VP8 = DoubleVector.broadcast(DOUBLES, P8);
    private static final DoubleVector VC0 = DoubleVector.broadcast(DOUBLES, C0);
    private static final DoubleVector VC1 = DoubleVector.broadcast(DOUBLES, C1);
    private static final DoubleVector VC2 = DoubleVector.broadcast(DOUBLES, C2);
    private static final DoubleVector VC3 = DoubleVector.broadcast(DOUBLES, C3);
    private static final DoubleVector VC4 = DoubleVector.broadcast(DOUBLES, C4);
    private static final DoubleVector V_ROUNDER = DoubleVector.broadcast(DOUBLES, ROUNDER);
    private static final DoubleVector V_LOG2_E = DoubleVector.broadcast(DOUBLES, LOG2_E);
    private static final DoubleVector V_MINUS_LN_2 = DoubleVector.broadcast(DOUBLES, -LN_2);
    private static final DoubleVector V_TWICE_LOG2_E = DoubleVector.broadcast(DOUBLES, 2 * LOG2_E);
    private static final DoubleVector V_MINUS_HALF_LN_2 = DoubleVector.broadcast(DOUBLES, -0.5 * LN_2);
    private static final DoubleVector V_ONE = DoubleVector.broadcast(DOUBLES, 1);
    private static final DoubleVector V_HALF = DoubleVector.broadcast(DOUBLES, 0.5);
    private static final DoubleVector V_MINUS_HALF = DoubleVector.broadcast(DOUBLES, -0.5);
    private static final LongVector BITS_OF_MINUS_HALF = LongVector.broadcast(LONGS, Double.doubleToRawLongBits(-0.5));

    private static final VectorStage[] EXP = {held(LOWEST, HIGHEST), powers(LOG2_E, LN_2, 1)};
    private static final VectorStage[] EXP2 = {held(-151, 129), powers(1, 1, LN_2)};
    private static final VectorStage[] EXPM1 = {
        VectorStages.held(LOWEST, HIGHEST, 1), VectorExponentials::expm1, VectorStages::rounded
    };
    private static final VectorStage[] SINH = {
        VectorStages.size(HIGHEST, 1), VectorExponentials::expm1, VectorExponentials::sinh
    };
    private static final VectorStage[] COSH = {
        VectorStages.size(HIGHEST, 1), VectorExponentials::exp, VectorExponentials::cosh
    };
    private static final VectorStage[] TANH = {held(-FLAT, FLAT), VectorExponentials::tanh};

    private final ScalarExponentials rest = new ScalarExponentials();

    /** {@link ScalarExponentials#exp(double)}. */
    static void exp(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector wide = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector shifted = wide.fma(V_LOG2_E, V_ROUNDER);
            DoubleVector r = shifted.sub(V_ROUNDER).fma(V_MINUS_LN_2, wide);
            DoubleVector part = r.fma(VP8, VP7)
                    .fma(r, VP6)
                    .fma(r, VP5)
                    .fma(r, VP4)
                    .fma(r, VP3)
                    .fma(r, VP2)
                    .fma(r, VP1)
                    .fma(r, VP0);
            LongVector exponent = shifted.reinterpretAsLongs().lanewise(LSHL, 52);
            part.fma(r, V_ONE)
                    .reinterpretAsLongs()
                    .add(exponent)
                    .reinterpretAsDoubles()
                    .intoArray(u, i);
        }
    }

    /** {@link ScalarExponentials#expm1(double)}. */
    private static void expm1(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector half = DoubleVector.fromArray(DOUBLES, u, i).mul(V_HALF);
            DoubleVector shifted = half.fma(V_TWICE_LOG2_E, V_ROUNDER);
            DoubleVector h = shifted.sub(V_ROUNDER).fma(V_MINUS_HALF_LN_2, half);
            DoubleVector z = h.mul(h);
            DoubleVector c = z.fma(VC4, VC3).fma(z, VC2).fma(z, VC1).fma(z, VC0);
            LongVector exponent = shifted.reinterpretAsLongs().lanewise(LSHL, 52);
            DoubleVector part =
                    exponent.add(BITS_OF_MINUS_HALF).reinterpretAsDoubles().add(V_HALF);
            part.fma(c.sub(h), h).div(c.add(h).mul(V_MINUS_HALF)).intoArray(u, i);
        }
    }

    /** A stage that gives e to the power of floats held between bounds and times a factor. */
    static VectorStage exp(float lowest, float highest, double factor) {
        return (x, u, out, from, count) -> {
            FloatVector low = FloatVector.broadcast(FLOATS, lowest);
            FloatVector high = FloatVector.broadcast(FLOATS, highest);
            DoubleVector times = DoubleVector.broadcast(DOUBLES, factor);
            for (int i = 0; i < count; i += LANES) {
                FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
                FloatVector above = a.blend(low, a.compare(LT, low));
                FloatVector held = above.blend(high, above.compare(GT, high));
                DoubleVector wide = ((DoubleVector) held.convertShape(F2D, DOUBLES, 0)).mul(times);
                DoubleVector shifted = wide.fma(V_LOG2_E, V_ROUNDER);
                DoubleVector r = shifted.sub(V_ROUNDER).fma(V_MINUS_LN_2, wide);
                DoubleVector part = r.fma(VP8, VP7)
                        .fma(r, VP6)
                        .fma(r, VP5)
                        .fma(r, VP4)
                        .fma(r, VP3)
                        .fma(r, VP2)
                        .fma(r, VP1)
                        .fma(r, VP0);
                LongVector exponent = shifted.reinterpretAsLongs().lanewise(LSHL, 52);
                part.fma(r, V_ONE)
                        .reinterpretAsLongs()
                        .add(exponent)
                        .reinterpretAsDoubles()
                        .intoArray(u, i);
            }
        };
    }

    /** A stage that writes floats held between bounds; a loop of its own, because it takes longer where others wait for it. */
    private static VectorStage held(float lowest, float highest) {
        return (x, u, out, from, count) -> {
            FloatVector low = FloatVector.broadcast(FLOATS, lowest);
            FloatVector high = FloatVector.broadcast(FLOATS, highest);
            for (int i = from; i < from + count; i += LANES) {
                FloatVector a = FloatVector.fromArray(FLOATS, x, i);
                FloatVector above = a.blend(low, a.compare(LT, low));
                above.blend(high, above.compare(GT, high)).intoArray(out, i);
            }
        };
    }

    /** A stage that writes two to the power of each times {@code log2}, which is e to the power of its rest times {@code ln}. */
    private static VectorStage powers(double log2, double unit, double ln) {
        return (x, u, out, from, count) -> {
            DoubleVector logs = DoubleVector.broadcast(DOUBLES, log2);
            DoubleVector minusUnits = DoubleVector.broadcast(DOUBLES, -unit);
            DoubleVector lns = DoubleVector.broadcast(DOUBLES, ln);
            for (int i = from; i < from + count; i += LANES) {
                DoubleVector wide =
                        (DoubleVector) FloatVector.fromArray(FLOATS, out, i).convertShape(F2D, DOUBLES, 0);
                DoubleVector shifted = wide.fma(logs, V_ROUNDER);
                DoubleVector r = shifted.sub(V_ROUNDER).fma(minusUnits, wide).mul(lns);
                DoubleVector part = r.fma(VP8, VP7)
                        .fma(r, VP6)
                        .fma(r, VP5)
                        .fma(r, VP4)
                        .fma(r, VP3)
                        .fma(r, VP2)
                        .fma(r, VP1)
                        .fma(r, VP0);
                LongVector exponent = shifted.reinterpretAsLongs().lanewise(LSHL, 52);
                DoubleVector power =
                        part.fma(r, V_ONE).reinterpretAsLongs().add(exponent).reinterpretAsDoubles();
                ((FloatVector) power.convertShape(D2F, FLOATS, 0)).intoArray(out, i);
            }
        };
    }

    private static void tanh(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = from; i < from + count; i += LANES) {
            DoubleVector wide =
                    (DoubleVector) FloatVector.fromArray(FLOATS, out, i).convertShape(F2D, DOUBLES, 0);
            DoubleVector shifted = wide.fma(V_TWICE_LOG2_E, V_ROUNDER);
            DoubleVector h = shifted.sub(V_ROUNDER).fma(V_MINUS_HALF_LN_2, wide);
            DoubleVector z = h.mul(h);
            DoubleVector c = z.fma(VC4, VC3).fma(z, VC2).fma(z, VC1).fma(z, VC0);
            LongVector exponent = shifted.reinterpretAsLongs().lanewise(LSHL, 52);
            DoubleVector part =
                    exponent.add(BITS_OF_MINUS_HALF).reinterpretAsDoubles().add(V_HALF);
            DoubleVector above = part.fma(c.sub(h), h);
            DoubleVector quotient = above.div(above.sub(c.add(h)));
            ((FloatVector) quotient.convertShape(D2F, FLOATS, 0)).intoArray(out, i);
        }
    }

    /** What is made of exp(x) - 1. */
    private static void sinh(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector power = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector sine = power.add(power.div(power.add(V_ONE))).mul(V_HALF);
            IntVector size = ((FloatVector) sine.convertShape(D2F, FLOATS, 0)).reinterpretAsInts();
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            size.or(a.reinterpretAsInts().and(Integer.MIN_VALUE))
                    .reinterpretAsFloats()
                    .intoArray(out, from + i);
        }
    }

    /** What is made of exp(x). */
    private static void cosh(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector power = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector cosine = power.add(V_ONE.div(power)).mul(V_HALF);
            ((FloatVector) cosine.convertShape(D2F, FLOATS, 0)).intoArray(out, from + i);
        }
    }

    @Override
    public void exp(float[] x, float[] out, int from, int to) {
        rest.exp(x, out, VectorStages.run(EXP, x, out, from, to), to);
    }

    @Override
    public void exp2(float[] x, float[] out, int from, int to) {
        rest.exp2(x, out, VectorStages.run(EXP2, x, out, from, to), to);
    }

    @Override
    public void expm1(float[] x, float[] out, int from, int to) {
        rest.expm1(x, out, VectorStages.run(EXPM1, x, out, from, to), to);
    }

    @Override
    public void sinh(float[] x, float[] out, int from, int to) {
        rest.sinh(x, out, VectorStages.run(SINH, x, out, from, to), to);
    }

    @Override
    public void cosh(float[] x, float[] out, int from, int to) {
        rest.cosh(x, out, VectorStages.run(COSH, x, out, from, to), to);
    }

    @Override
    public void tanh(float[] x, float[] out, int from, int to) {
        rest.tanh(x, out, VectorStages.run(TANH, x, out, from, to), to);
    }
}
