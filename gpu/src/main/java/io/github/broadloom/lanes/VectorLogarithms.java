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

/** {@link Logarithms} on the Vector API. */
final class VectorLogarithms implements Logarithms {
    // As vectors, because a method may inline only so much, and making them takes half of that.
    private static final DoubleVector VP0 = DoubleVector.broadcast(DOUBLES, P0);
    private static final DoubleVector VP1 = DoubleVector.broadcast(DOUBLES, P1);
    private static final DoubleVector VP2 = DoubleVector.broadcast(DOUBLES, P2);
    private static final DoubleVector VP3 = DoubleVector.broadcast(DOUBLES, P3);
    private static final DoubleVector VP4 = DoubleVector.broadcast(DOUBLES, P4);
    private static final DoubleVector VP5 = DoubleVector.broadcast(DOUBLES, P5);

    private final ScalarLogarithms scalar = new ScalarLogarithms();

    private static LongVector exponent(DoubleVector x) {
        return x.reinterpretAsLongs().add(ABOVE_ROOT_HALF).lanewise(VectorOperators.LSHR, 52);
    }

    private static DoubleVector power(LongVector exponent) {
        return exponent.or(INTEGER).reinterpretAsDoubles().sub(INTEGER_BIAS);
    }

    private static DoubleVector rest(DoubleVector x, LongVector exponent) {
        return x.reinterpretAsLongs()
                .sub(exponent.lanewise(VectorOperators.LSHL, 52))
                .add(ONE)
                .reinterpretAsDoubles();
    }

    private static DoubleVector logOfRest(DoubleVector f) {
        DoubleVector s = f.div(f.add(2));
        DoubleVector z = s.mul(s);
        return z.fma(VP5, VP4).fma(z, VP3).fma(z, VP2).fma(z, VP1).fma(z, VP0).mul(s);
    }

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

    private static FloatVector ended(FloatVector result, FloatVector x) {
        return result.blend(x, x.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY))
                .blend(Float.NEGATIVE_INFINITY, x.compare(VectorOperators.EQ, 0))
                .blend(Float.NaN, x.compare(VectorOperators.LT, 0))
                .blend(Float.NaN, x.compare(VectorOperators.NE, x));
    }

    @Override
    public void log(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector wide = widened(a);
            LongVector exponent = exponent(wide);
            DoubleVector part = logOfRest(rest(wide, exponent).sub(1));
            ended(rounded(power(exponent).lanewise(VectorOperators.FMA, LN_2, part)), a)
                    .intoArray(out, i);
        }
        scalar.log(x, out, i, to);
    }

    @Override
    public void log2(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector wide = widened(a);
            LongVector exponent = exponent(wide);
            DoubleVector part = logOfRest(rest(wide, exponent).sub(1));
            ended(rounded(part.lanewise(VectorOperators.FMA, LOG2_E, power(exponent))), a)
                    .intoArray(out, i);
        }
        scalar.log2(x, out, i, to);
    }

    @Override
    public void log10(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector wide = widened(a);
            LongVector exponent = exponent(wide);
            DoubleVector part = logOfRest(rest(wide, exponent).sub(1)).mul(LOG10_E);
            ended(rounded(power(exponent).lanewise(VectorOperators.FMA, LOG10_2, part)), a)
                    .intoArray(out, i);
        }
        scalar.log10(x, out, i, to);
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
