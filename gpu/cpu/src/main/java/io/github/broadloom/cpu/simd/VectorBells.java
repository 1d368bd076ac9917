package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorDoubles.DOUBLES;
import static io.github.broadloom.cpu.simd.VectorDoubles.FLOATS;
import static io.github.broadloom.cpu.simd.VectorDoubles.INTS;
import static io.github.broadloom.cpu.simd.VectorDoubles.LANES;
import static jdk.incubator.vector.VectorOperators.D2F;
import static jdk.incubator.vector.VectorOperators.F2D;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/** {@link Bells} on the Vector API. */
final class VectorBells implements Bells {
    // As vectors, because a method may inline only so much, and making them takes half of that.
    private static final DoubleVector VE0 = DoubleVector.broadcast(DOUBLES, E0);
    private static final DoubleVector VE1 = DoubleVector.broadcast(DOUBLES, E1);
    private static final DoubleVector VE2 = DoubleVector.broadcast(DOUBLES, E2);
    private static final DoubleVector VE3 = DoubleVector.broadcast(DOUBLES, E3);
    private static final DoubleVector VG0 = DoubleVector.broadcast(DOUBLES, G0);
    private static final DoubleVector VG1 = DoubleVector.broadcast(DOUBLES, G1);
    private static final DoubleVector VG2 = DoubleVector.broadcast(DOUBLES, G2);
    private static final DoubleVector VG3 = DoubleVector.broadcast(DOUBLES, G3);
    private static final DoubleVector VG4 = DoubleVector.broadcast(DOUBLES, G4);
    private static final DoubleVector VG5 = DoubleVector.broadcast(DOUBLES, G5);
    private static final DoubleVector VG6 = DoubleVector.broadcast(DOUBLES, G6);
    private static final DoubleVector VG7 = DoubleVector.broadcast(DOUBLES, G7);
    private static final DoubleVector VG8 = DoubleVector.broadcast(DOUBLES, G8);
    private static final DoubleVector VG9 = DoubleVector.broadcast(DOUBLES, G9);
    private static final DoubleVector VG10 = DoubleVector.broadcast(DOUBLES, G10);
    private static final DoubleVector VG11 = DoubleVector.broadcast(DOUBLES, G11);
    private static final DoubleVector VG12 = DoubleVector.broadcast(DOUBLES, G12);
    private static final DoubleVector VG13 = DoubleVector.broadcast(DOUBLES, G13);
    private static final DoubleVector VG14 = DoubleVector.broadcast(DOUBLES, G14);
    private static final DoubleVector VG15 = DoubleVector.broadcast(DOUBLES, G15);

    private static final DoubleVector V_FOUR = DoubleVector.broadcast(DOUBLES, 4);
    private static final DoubleVector V_ONE = DoubleVector.broadcast(DOUBLES, 1);
    private static final DoubleVector V_HALF = DoubleVector.broadcast(DOUBLES, 0.5);
    private static final FloatVector V_NEAR = FloatVector.broadcast(FLOATS, NEAR);
    private static final FloatVector V_LOWEST = FloatVector.broadcast(FLOATS, -NORMAL_END);
    private static final FloatVector V_MINUS_INFINITY = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
    private static final FloatVector V_NAN = FloatVector.broadcast(FLOATS, Float.NaN);
    private static final IntVector BITS_OF_ONE = IntVector.broadcast(INTS, Float.floatToRawIntBits(1));

    private static final VectorStage[] ERF = {
        squares(END, -1, 1), VectorExponentials::exp, VectorBells::tails, VectorBells::erf
    };
    private static final VectorStage[] ERFC = {
        squares(END, -1, 1), VectorExponentials::exp, VectorBells::tails, VectorBells::erfc
    };
    private static final VectorStage[] GELU = {
        squares(NORMAL_END, -0.5, ROOT_HALF), VectorExponentials::exp, VectorBells::tails, VectorBells::gelu
    };

    private final ScalarBells rest = new ScalarBells();

    /** A stage that gives squares times one factor, and behind them the sizes times another. */
    private static VectorStage squares(float end, double ofSquare, double ofSize) {
        return (x, u, out, from, count) -> {
            FloatVector most = FloatVector.broadcast(FLOATS, end);
            DoubleVector squareTimes = DoubleVector.broadcast(DOUBLES, ofSquare);
            DoubleVector sizeTimes = DoubleVector.broadcast(DOUBLES, ofSize);
            for (int i = 0; i < count; i += LANES) {
                FloatVector size = FloatVector.fromArray(FLOATS, x, from + i)
                        .reinterpretAsInts()
                        .and(Integer.MAX_VALUE)
                        .reinterpretAsFloats();
                FloatVector held = size.blend(most, size.compare(GT, most));
                DoubleVector wide = (DoubleVector) held.convertShape(F2D, DOUBLES, 0);
                wide.mul(wide).mul(squareTimes).intoArray(u, i);
                wide.mul(sizeTimes).intoArray(u, count + i);
            }
        };
    }

    /** {@link ScalarBells#complement} of the sizes, times the powers of which they lie behind. */
    private static void tails(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector wide = DoubleVector.fromArray(DOUBLES, u, count + i);
            DoubleVector inverse = wide.add(V_FOUR);
            DoubleVector t = wide.sub(V_FOUR).div(inverse);
            DoubleVector g = t.fma(VG15, VG14)
                    .fma(t, VG13)
                    .fma(t, VG12)
                    .fma(t, VG11)
                    .fma(t, VG10)
                    .fma(t, VG9)
                    .fma(t, VG8)
                    .fma(t, VG7)
                    .fma(t, VG6)
                    .fma(t, VG5)
                    .fma(t, VG4)
                    .fma(t, VG3)
                    .fma(t, VG2)
                    .fma(t, VG1)
                    .fma(t, VG0);
            g.div(inverse).mul(DoubleVector.fromArray(DOUBLES, u, i)).intoArray(u, i);
        }
    }

    private static void erf(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            FloatVector size = a.reinterpretAsInts().and(Integer.MAX_VALUE).reinterpretAsFloats();
            DoubleVector wide = (DoubleVector) size.convertShape(F2D, DOUBLES, 0);
            DoubleVector z = wide.mul(wide);
            DoubleVector small = z.fma(VE3, VE2).fma(z, VE1).fma(z, VE0).mul(wide);
            FloatVector near = (FloatVector) small.convertShape(D2F, FLOATS, 0);
            DoubleVector large = V_ONE.sub(DoubleVector.fromArray(DOUBLES, u, i));
            FloatVector result =
                    ((FloatVector) large.convertShape(D2F, FLOATS, 0)).blend(near, size.compare(LE, V_NEAR));
            result.reinterpretAsInts()
                    .or(a.reinterpretAsInts().and(Integer.MIN_VALUE))
                    .reinterpretAsFloats()
                    .intoArray(out, from + i);
        }
    }

    private static void erfc(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            IntVector bit = FloatVector.fromArray(FLOATS, x, from + i)
                    .reinterpretAsInts()
                    .and(Integer.MIN_VALUE);
            FloatVector signed = BITS_OF_ONE.or(bit).reinterpretAsFloats();
            DoubleVector sign = (DoubleVector) signed.convertShape(F2D, DOUBLES, 0);
            DoubleVector result = DoubleVector.fromArray(DOUBLES, u, i).fma(sign, V_ONE.sub(sign));
            ((FloatVector) result.convertShape(D2F, FLOATS, 0)).intoArray(out, from + i);
        }
    }

    private static void gelu(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            IntVector bit = a.reinterpretAsInts().and(Integer.MIN_VALUE);
            FloatVector signed = BITS_OF_ONE.or(bit).reinterpretAsFloats();
            DoubleVector sign = (DoubleVector) signed.convertShape(F2D, DOUBLES, 0);
            DoubleVector twice = DoubleVector.fromArray(DOUBLES, u, i).fma(sign.neg(), sign.add(V_ONE));
            FloatVector held = a.blend(V_LOWEST, a.compare(LT, V_LOWEST));
            DoubleVector half = ((DoubleVector) held.convertShape(F2D, DOUBLES, 0)).mul(V_HALF);
            FloatVector result = (FloatVector) half.mul(twice).convertShape(D2F, FLOATS, 0);
            V_NAN.blend(result, a.compare(GT, V_MINUS_INFINITY)).intoArray(out, from + i);
        }
    }

    @Override
    public void erf(float[] x, float[] out, int from, int to) {
        rest.erf(x, out, VectorStages.run(ERF, x, out, from, to), to);
    }

    @Override
    public void erfc(float[] x, float[] out, int from, int to) {
        rest.erfc(x, out, VectorStages.run(ERFC, x, out, from, to), to);
    }

    @Override
    public void gelu(float[] x, float[] out, int from, int to) {
        rest.gelu(x, out, VectorStages.run(GELU, x, out, from, to), to);
    }
}
