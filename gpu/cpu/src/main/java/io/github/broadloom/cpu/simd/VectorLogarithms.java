package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.Exponentials.LN_2;
import static io.github.broadloom.cpu.simd.Exponentials.LOG2_E;
import static io.github.broadloom.cpu.simd.VectorDoubles.DOUBLES;
import static io.github.broadloom.cpu.simd.VectorDoubles.FLOATS;
import static io.github.broadloom.cpu.simd.VectorDoubles.LANES;
import static io.github.broadloom.cpu.simd.VectorDoubles.LONGS;
import static jdk.incubator.vector.VectorOperators.D2F;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.F2D;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;

/** {@link Logarithms} on the Vector API, with one loop for every base. */
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
    private static final LongVector V_TWICE_BIAS = LongVector.broadcast(LONGS, 2046);
    private static final DoubleVector V_INTEGER_BIAS = DoubleVector.broadcast(DOUBLES, INTEGER_BIAS);
    private static final DoubleVector V_ONE = DoubleVector.broadcast(DOUBLES, 1);
    private static final DoubleVector V_TWO = DoubleVector.broadcast(DOUBLES, 2);
    private static final DoubleVector V_LN_2 = DoubleVector.broadcast(DOUBLES, LN_2);
    private static final FloatVector V_ZERO = FloatVector.zero(FLOATS);
    private static final FloatVector V_MINUS_ONE = FloatVector.broadcast(FLOATS, -1);
    private static final FloatVector V_INFINITY = FloatVector.broadcast(FLOATS, Float.POSITIVE_INFINITY);
    private static final FloatVector V_MINUS_INFINITY = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
    private static final FloatVector V_NAN = FloatVector.broadcast(FLOATS, Float.NaN);

    private static final VectorStage[] LOG = {logarithms(LN_2, 1)};
    private static final VectorStage[] LOG2 = {logarithms(1, LOG2_E)};
    private static final VectorStage[] LOG10 = {logarithms(LOG10_2, LOG10_E)};
    private static final VectorStage[] LOG1P = {
        VectorLogarithms::wide, VectorLogarithms::reduced, VectorLogarithms::log1p, VectorLogarithms::ended
    };

    private final ScalarLogarithms scalar = new ScalarLogarithms();

    /** {@link ScalarLogarithms#log1p(double)} of what was {@link #reduced}. */
    static void log1p(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector f = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector s = f.div(f.add(V_TWO));
            DoubleVector z = s.mul(s);
            DoubleVector p = z.fma(VP5, VP4).fma(z, VP3).fma(z, VP2).fma(z, VP1).fma(z, VP0);
            DoubleVector power = DoubleVector.fromArray(DOUBLES, u, count + i);
            power.fma(V_LN_2, p.mul(s)).intoArray(u, i);
        }
    }

    /** What the numbers and one are, divided by a power of two, less one; and behind them those powers. */
    static void reduced(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector wide = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector sum = wide.add(V_ONE);
            DoubleVector lost = wide.sub(sum.sub(V_ONE));
            LongVector bits = sum.reinterpretAsLongs();
            LongVector exponent = bits.add(V_ABOVE_ROOT_HALF).lanewise(LSHR, 52);
            LongVector scale = V_TWICE_BIAS.sub(exponent).lanewise(LSHL, 52);
            DoubleVector rest =
                    bits.sub(exponent.lanewise(LSHL, 52)).add(BITS_OF_ONE).reinterpretAsDoubles();
            lost.fma(scale.reinterpretAsDoubles(), rest.sub(V_ONE)).intoArray(u, i);
            exponent.or(V_INTEGER).reinterpretAsDoubles().sub(V_INTEGER_BIAS).intoArray(u, count + i);
        }
    }

    /** The stage that gives the floats as doubles. */
    private static void wide(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            ((DoubleVector) a.convertShape(F2D, DOUBLES, 0)).intoArray(u, i);
        }
    }

    /** What log(1 + x) is where there is none. */
    private static void ended(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            DoubleVector log = DoubleVector.fromArray(DOUBLES, u, i);
            FloatVector result = ((FloatVector) log.convertShape(D2F, FLOATS, 0))
                    .reinterpretAsInts()
                    .or(a.reinterpretAsInts().and(Integer.MIN_VALUE))
                    .reinterpretAsFloats();
            result = result.blend(a, a.compare(EQ, V_INFINITY));
            result = result.blend(V_MINUS_INFINITY, a.compare(EQ, V_MINUS_ONE));
            V_NAN.blend(result, a.compare(GE, V_MINUS_ONE)).intoArray(out, from + i);
        }
    }

    /** The stage of {@link ScalarLogarithms#logarithm}. */
    private static VectorStage logarithms(double ofTwo, double ofE) {
        return (x, u, out, from, count) -> {
            DoubleVector twos = DoubleVector.broadcast(DOUBLES, ofTwo);
            DoubleVector es = DoubleVector.broadcast(DOUBLES, ofE);
            for (int i = from; i < from + count; i += LANES) {
                FloatVector a = FloatVector.fromArray(FLOATS, x, i);
                LongVector bits = ((DoubleVector) a.convertShape(F2D, DOUBLES, 0)).reinterpretAsLongs();
                LongVector exponent = bits.add(V_ABOVE_ROOT_HALF).lanewise(LSHR, 52);
                DoubleVector f = bits.sub(exponent.lanewise(LSHL, 52))
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
                DoubleVector power =
                        exponent.or(V_INTEGER).reinterpretAsDoubles().sub(V_INTEGER_BIAS);
                FloatVector result = (FloatVector) power.fma(twos, log.mul(es)).convertShape(D2F, FLOATS, 0);
                result = result.blend(a, a.compare(EQ, V_INFINITY));
                result = result.blend(V_MINUS_INFINITY, a.compare(EQ, V_ZERO));
                V_NAN.blend(result, a.compare(GE, V_ZERO)).intoArray(out, i);
            }
        };
    }

    @Override
    public void log(float[] x, float[] out, int from, int to) {
        scalar.log(x, out, VectorStages.run(LOG, x, out, from, to), to);
    }

    @Override
    public void log2(float[] x, float[] out, int from, int to) {
        scalar.log2(x, out, VectorStages.run(LOG2, x, out, from, to), to);
    }

    @Override
    public void log10(float[] x, float[] out, int from, int to) {
        scalar.log10(x, out, VectorStages.run(LOG10, x, out, from, to), to);
    }

    @Override
    public void log1p(float[] x, float[] out, int from, int to) {
        scalar.log1p(x, out, VectorStages.run(LOG1P, x, out, from, to), to);
    }
}
