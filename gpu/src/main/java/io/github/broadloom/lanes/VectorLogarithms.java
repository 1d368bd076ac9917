package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.Exponentials.LN_2;
import static io.github.broadloom.lanes.Exponentials.LOG2_E;
import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.FLOATS;
import static io.github.broadloom.lanes.VectorDoubles.LANES;
import static io.github.broadloom.lanes.VectorDoubles.LONGS;
import static io.github.broadloom.lanes.VectorDoubles.rounded;
import static io.github.broadloom.lanes.VectorDoubles.signed;
import static io.github.broadloom.lanes.VectorDoubles.widened;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/**
 * {@link Logarithms} on the Vector API. One loop for every base calls nothing but the API: three of them in one program, with calls
 * of our own between, had their vectors boxed and took four times as long.
 */
final class VectorLogarithms implements Logarithms {
    // As vectors, because a method may inline only so much, and making them takes half of that.
    private static final DoubleVector VP0 = DoubleVector.broadcast(DOUBLES, P0);
    private static final DoubleVector VP1 = DoubleVector.broadcast(DOUBLES, P1);
    private static final DoubleVector VP2 = DoubleVector.broadcast(DOUBLES, P2);
    private static final DoubleVector VP3 = DoubleVector.broadcast(DOUBLES, P3);
    private static final DoubleVector VP4 = DoubleVector.broadcast(DOUBLES, P4);
    private static final DoubleVector VP5 = DoubleVector.broadcast(DOUBLES, P5);
    private static final LongVector V_ABOVE_ROOT_HALF = LongVector.broadcast(LONGS, ABOVE_ROOT_HALF);
    private static final LongVector BITS_OF_ONE = LongVector.broadcast(LONGS, ONE);
    private static final LongVector V_INTEGER = LongVector.broadcast(LONGS, INTEGER);
    private static final DoubleVector V_INTEGER_BIAS = DoubleVector.broadcast(DOUBLES, INTEGER_BIAS);
    private static final DoubleVector V_ONE = DoubleVector.broadcast(DOUBLES, 1);
    private static final DoubleVector V_TWO = DoubleVector.broadcast(DOUBLES, 2);
    private static final FloatVector V_ZERO = FloatVector.zero(FLOATS);
    private static final FloatVector V_INFINITY = FloatVector.broadcast(FLOATS, Float.POSITIVE_INFINITY);
    private static final FloatVector V_MINUS_INFINITY = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
    private static final FloatVector V_NAN = FloatVector.broadcast(FLOATS, Float.NaN);

    private final ScalarLogarithms scalar = new ScalarLogarithms();

    /** {@link ScalarLogarithms#log1p(double)}, all in one, because others call it when not much more may be inlined. */
    static DoubleVector log1p(DoubleVector x) {
        DoubleVector sum = x.add(1);
        LongVector bits = sum.reinterpretAsLongs();
        LongVector exponent = bits.add(ABOVE_ROOT_HALF).lanewise(VectorOperators.LSHR, 52);
        LongVector scale = LongVector.broadcast(LONGS, 2046).sub(exponent).lanewise(VectorOperators.LSHL, 52);
        DoubleVector lost = x.sub(sum.sub(1));
        DoubleVector rest =
                bits.sub(exponent.lanewise(VectorOperators.LSHL, 52)).add(ONE).reinterpretAsDoubles();
        DoubleVector f = lost.fma(scale.reinterpretAsDoubles(), rest.sub(1));
        DoubleVector s = f.div(f.add(2));
        DoubleVector z = s.mul(s);
        DoubleVector p = z.fma(VP5, VP4).fma(z, VP3).fma(z, VP2).fma(z, VP1).fma(z, VP0);
        DoubleVector power = exponent.or(INTEGER).reinterpretAsDoubles().sub(INTEGER_BIAS);
        return power.lanewise(VectorOperators.FMA, LN_2, p.mul(s));
    }

    /** {@link ScalarLogarithms#logarithm} of all but the last few; returns where those begin. */
    private static int logarithms(double ofTwo, double ofE, float[] x, float[] out, int from, int to) {
        DoubleVector twos = DoubleVector.broadcast(DOUBLES, ofTwo);
        DoubleVector es = DoubleVector.broadcast(DOUBLES, ofE);
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            LongVector bits = ((DoubleVector) a.convertShape(VectorOperators.F2D, DOUBLES, 0)).reinterpretAsLongs();
            LongVector exponent = bits.add(V_ABOVE_ROOT_HALF).lanewise(VectorOperators.LSHR, 52);
            DoubleVector f = bits.sub(exponent.lanewise(VectorOperators.LSHL, 52))
                    .add(BITS_OF_ONE)
                    .reinterpretAsDoubles()
                    .sub(V_ONE);
            DoubleVector s = f.div(f.add(V_TWO));
            DoubleVector z = s.mul(s);
            DoubleVector log = z.fma(VP5, VP4)
                    .fma(z, VP3)
                    .fma(z, VP2)
                    .fma(z, VP1)
                    .fma(z, VP0)
                    .mul(s);
            DoubleVector power = exponent.or(V_INTEGER).reinterpretAsDoubles().sub(V_INTEGER_BIAS);
            FloatVector result =
                    (FloatVector) power.fma(twos, log.mul(es)).convertShape(VectorOperators.D2F, FLOATS, 0);
            result = result.blend(a, a.compare(VectorOperators.EQ, V_INFINITY));
            result = result.blend(V_MINUS_INFINITY, a.compare(VectorOperators.EQ, V_ZERO));
            V_NAN.blend(result, a.compare(VectorOperators.GE, V_ZERO)).intoArray(out, i);
        }
        return i;
    }

    @Override
    public void log(float[] x, float[] out, int from, int to) {
        scalar.log(x, out, logarithms(LN_2, 1, x, out, from, to), to);
    }

    @Override
    public void log2(float[] x, float[] out, int from, int to) {
        scalar.log2(x, out, logarithms(1, LOG2_E, x, out, from, to), to);
    }

    @Override
    public void log10(float[] x, float[] out, int from, int to) {
        scalar.log10(x, out, logarithms(LOG10_2, LOG10_E, x, out, from, to), to);
    }

    @Override
    public void log1p(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            FloatVector result = signed(rounded(log1p(widened(a))), a);
            result.blend(a, a.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY))
                    .blend(Float.NEGATIVE_INFINITY, a.compare(VectorOperators.EQ, -1))
                    .blend(Float.NaN, a.compare(VectorOperators.LT, -1))
                    .blend(Float.NaN, a.compare(VectorOperators.NE, a))
                    .intoArray(out, i);
        }
        scalar.log1p(x, out, i, to);
    }
}
