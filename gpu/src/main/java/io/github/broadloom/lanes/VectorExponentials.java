package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.FLOATS;
import static io.github.broadloom.lanes.VectorDoubles.LANES;
import static io.github.broadloom.lanes.VectorDoubles.LONGS;
import static io.github.broadloom.lanes.VectorDoubles.rounded;
import static io.github.broadloom.lanes.VectorDoubles.signed;
import static io.github.broadloom.lanes.VectorDoubles.size;
import static io.github.broadloom.lanes.VectorDoubles.widened;
import static jdk.incubator.vector.VectorOperators.D2F;
import static jdk.incubator.vector.VectorOperators.F2D;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/**
 * {@link Exponentials} on the Vector API. The loops of exp and tanh call nothing but the API: a method of ours that C2 has compiled
 * by itself may be too large for it to inline afterwards, and every vector that goes in or out is an object then.
 */
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
    private static final LongVector BITS_OF_MINUS_HALF = LongVector.broadcast(LONGS, Double.doubleToRawLongBits(-0.5));

    private final ScalarExponentials rest = new ScalarExponentials();

    /** {@link ScalarExponentials#exp(double)}. */
    static DoubleVector exp(DoubleVector x) {
        DoubleVector shifted = x.fma(V_LOG2_E, V_ROUNDER);
        return power(shifted.sub(V_ROUNDER).fma(V_MINUS_LN_2, x), shifted);
    }

    /** {@link ScalarExponentials#power}. */
    private static DoubleVector power(DoubleVector r, DoubleVector shifted) {
        DoubleVector part = r.fma(VP8, VP7)
                .fma(r, VP6)
                .fma(r, VP5)
                .fma(r, VP4)
                .fma(r, VP3)
                .fma(r, VP2)
                .fma(r, VP1)
                .fma(r, VP0);
        LongVector exponent = shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52);
        return part.fma(r, V_ONE).reinterpretAsLongs().add(exponent).reinterpretAsDoubles();
    }

    /** {@link ScalarExponentials#minusCoth}. */
    private static DoubleVector minusCoth(DoubleVector h) {
        DoubleVector z = h.mul(h);
        return z.fma(VC4, VC3).fma(z, VC2).fma(z, VC1).fma(z, VC0);
    }

    /** {@link ScalarExponentials#above}. */
    private static DoubleVector above(DoubleVector h, DoubleVector shifted, DoubleVector c) {
        LongVector exponent = shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52);
        DoubleVector part =
                exponent.add(BITS_OF_MINUS_HALF).reinterpretAsDoubles().add(V_HALF);
        return part.fma(c.sub(h), h);
    }

    /** Floats held between bounds; a loop of its own, because it takes longer where others wait for it. */
    private static void held(float[] x, float lowest, float highest, float[] out, int from, int end) {
        for (int i = from; i < end; i += LANES) {
            VectorDoubles.held(FloatVector.fromArray(FLOATS, x, i), lowest, highest)
                    .intoArray(out, i);
        }
    }

    private static int end(int from, int to) {
        return to - (to - from) % LANES;
    }

    private static DoubleVector wide(float[] x, int i) {
        return widened(FloatVector.fromArray(FLOATS, x, i));
    }

    @Override
    public void exp(float[] x, float[] out, int from, int to) {
        int end = end(from, to);
        held(x, LOWEST, HIGHEST, out, from, end);
        for (int i = from; i < end; i += LANES) {
            DoubleVector wide =
                    (DoubleVector) FloatVector.fromArray(FLOATS, out, i).convertShape(F2D, DOUBLES, 0);
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
            LongVector exponent = shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52);
            DoubleVector power =
                    part.fma(r, V_ONE).reinterpretAsLongs().add(exponent).reinterpretAsDoubles();
            ((FloatVector) power.convertShape(D2F, FLOATS, 0)).intoArray(out, i);
        }
        rest.exp(x, out, end, to);
    }

    @Override
    public void exp2(float[] x, float[] out, int from, int to) {
        int end = end(from, to);
        held(x, -151, 129, out, from, end);
        for (int i = from; i < end; i += LANES) {
            DoubleVector exponent = wide(out, i);
            DoubleVector shifted = exponent.add(V_ROUNDER);
            DoubleVector r = exponent.sub(shifted.sub(V_ROUNDER)).mul(LN_2);
            rounded(power(r, shifted)).intoArray(out, i);
        }
        rest.exp2(x, out, end, to);
    }

    @Override
    public void expm1(float[] x, float[] out, int from, int to) {
        int end = end(from, to);
        held(x, LOWEST, HIGHEST, out, from, end);
        for (int i = from; i < end; i += LANES) {
            rounded(expm1(wide(out, i))).intoArray(out, i);
        }
        rest.expm1(x, out, end, to);
    }

    /** {@link ScalarExponentials#expm1(double)}. */
    private static DoubleVector expm1(DoubleVector x) {
        DoubleVector half = x.mul(V_HALF);
        DoubleVector shifted = half.fma(V_TWICE_LOG2_E, V_ROUNDER);
        DoubleVector h = shifted.sub(V_ROUNDER).fma(V_MINUS_HALF_LN_2, half);
        DoubleVector c = minusCoth(h);
        return above(h, shifted, c).div(c.add(h).mul(-0.5));
    }

    @Override
    public void sinh(float[] x, float[] out, int from, int to) {
        int count = (to - from) / LANES * LANES;
        double[] u = Scratch.doubles(count);
        for (int i = 0; i < count; i += LANES) {
            widened(size(FloatVector.fromArray(FLOATS, x, from + i), HIGHEST)).intoArray(u, i);
        }
        for (int i = 0; i < count; i += LANES) {
            expm1(DoubleVector.fromArray(DOUBLES, u, i)).intoArray(u, i);
        }
        for (int i = 0; i < count; i += LANES) {
            DoubleVector power = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector twice = power.add(power.div(power.add(1)));
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            signed(rounded(twice.mul(0.5)), a).intoArray(out, from + i);
        }
        rest.sinh(x, out, from + count, to);
    }

    @Override
    public void cosh(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            DoubleVector power = exp(widened(size(FloatVector.fromArray(FLOATS, x, i), HIGHEST)));
            DoubleVector inverse = DoubleVector.broadcast(DOUBLES, 1).div(power);
            rounded(power.add(inverse).mul(0.5)).intoArray(out, i);
        }
        rest.cosh(x, out, i, to);
    }

    @Override
    public void tanh(float[] x, float[] out, int from, int to) {
        int end = end(from, to);
        held(x, -FLAT, FLAT, out, from, end);
        for (int i = from; i < end; i += LANES) {
            DoubleVector wide =
                    (DoubleVector) FloatVector.fromArray(FLOATS, out, i).convertShape(F2D, DOUBLES, 0);
            DoubleVector shifted = wide.fma(V_TWICE_LOG2_E, V_ROUNDER);
            DoubleVector h = shifted.sub(V_ROUNDER).fma(V_MINUS_HALF_LN_2, wide);
            DoubleVector z = h.mul(h);
            DoubleVector c = z.fma(VC4, VC3).fma(z, VC2).fma(z, VC1).fma(z, VC0);
            LongVector exponent = shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52);
            DoubleVector part =
                    exponent.add(BITS_OF_MINUS_HALF).reinterpretAsDoubles().add(V_HALF);
            DoubleVector above = part.fma(c.sub(h), h);
            DoubleVector quotient = above.div(above.sub(c.add(h)));
            ((FloatVector) quotient.convertShape(D2F, FLOATS, 0)).intoArray(out, i);
        }
        rest.tanh(x, out, end, to);
    }
}
