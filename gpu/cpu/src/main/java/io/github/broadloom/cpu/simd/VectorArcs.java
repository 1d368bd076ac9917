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
import static jdk.incubator.vector.VectorOperators.SQRT;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

/** {@link Arcs} on the Vector API. */
final class VectorArcs implements Arcs {
    // As vectors, because a method may inline only so much, and making them takes half of that.
    private static final DoubleVector VT0 = DoubleVector.broadcast(DOUBLES, T0);
    private static final DoubleVector VT1 = DoubleVector.broadcast(DOUBLES, T1);
    private static final DoubleVector VT2 = DoubleVector.broadcast(DOUBLES, T2);
    private static final DoubleVector VT3 = DoubleVector.broadcast(DOUBLES, T3);
    private static final DoubleVector VT4 = DoubleVector.broadcast(DOUBLES, T4);
    private static final DoubleVector VT5 = DoubleVector.broadcast(DOUBLES, T5);
    private static final DoubleVector VT6 = DoubleVector.broadcast(DOUBLES, T6);
    private static final DoubleVector VT7 = DoubleVector.broadcast(DOUBLES, T7);
    private static final DoubleVector VT8 = DoubleVector.broadcast(DOUBLES, T8);
    private static final DoubleVector VT9 = DoubleVector.broadcast(DOUBLES, T9);
    private static final DoubleVector VT10 = DoubleVector.broadcast(DOUBLES, T10);
    private static final DoubleVector VT11 = DoubleVector.broadcast(DOUBLES, T11);
    private static final DoubleVector VT12 = DoubleVector.broadcast(DOUBLES, T12);
    private static final DoubleVector VT13 = DoubleVector.broadcast(DOUBLES, T13);
    private static final DoubleVector VT14 = DoubleVector.broadcast(DOUBLES, T14);
    private static final DoubleVector VT15 = DoubleVector.broadcast(DOUBLES, T15);
    private static final DoubleVector VA0 = DoubleVector.broadcast(DOUBLES, A0);
    private static final DoubleVector VA1 = DoubleVector.broadcast(DOUBLES, A1);
    private static final DoubleVector VA2 = DoubleVector.broadcast(DOUBLES, A2);
    private static final DoubleVector VA3 = DoubleVector.broadcast(DOUBLES, A3);
    private static final DoubleVector VA4 = DoubleVector.broadcast(DOUBLES, A4);
    private static final DoubleVector VA5 = DoubleVector.broadcast(DOUBLES, A5);
    private static final DoubleVector VA6 = DoubleVector.broadcast(DOUBLES, A6);
    private static final DoubleVector VA7 = DoubleVector.broadcast(DOUBLES, A7);
    private static final DoubleVector VA8 = DoubleVector.broadcast(DOUBLES, A8);
    private static final DoubleVector VA9 = DoubleVector.broadcast(DOUBLES, A9);
    private static final DoubleVector VA10 = DoubleVector.broadcast(DOUBLES, A10);

    private static final DoubleVector V_ONE = DoubleVector.broadcast(DOUBLES, 1);
    private static final DoubleVector V_HALF = DoubleVector.broadcast(DOUBLES, 0.5);
    private static final DoubleVector V_HALF_PI = DoubleVector.broadcast(DOUBLES, HALF_PI);
    private static final DoubleVector V_QUARTER_PI = DoubleVector.broadcast(DOUBLES, 0.5 * HALF_PI);
    private static final DoubleVector V_MINUS_QUARTER_PI = DoubleVector.broadcast(DOUBLES, -0.5 * HALF_PI);
    private static final DoubleVector V_SIXTH_PI = DoubleVector.broadcast(DOUBLES, HALF_PI / 3);
    private static final DoubleVector V_MINUS_SIXTH_PI = DoubleVector.broadcast(DOUBLES, -HALF_PI / 3);
    private static final FloatVector V_NOTHING = FloatVector.broadcast(FLOATS, 0);
    private static final FloatVector V_MIDDLE = FloatVector.broadcast(FLOATS, 0.5f);
    private static final FloatVector V_POSITIVE = FloatVector.broadcast(FLOATS, 1);
    private static final FloatVector V_NEGATIVE = FloatVector.broadcast(FLOATS, -1);
    private static final FloatVector V_TWO = FloatVector.broadcast(FLOATS, 2);
    private static final FloatVector V_MINUS_TWO = FloatVector.broadcast(FLOATS, -2);
    private static final FloatVector V_NAN = FloatVector.broadcast(FLOATS, Float.NaN);
    private static final IntVector BITS_OF_ONE = IntVector.broadcast(INTS, Float.floatToRawIntBits(1));

    private static final VectorStage[] ATAN = {VectorArcs::tangents, VectorArcs::atan};
    private static final VectorStage[] ASIN = {VectorArcs::parts, VectorArcs::asin};
    private static final VectorStage[] ACOS = {VectorArcs::parts, VectorArcs::acos};

    private final ScalarArcs rest = new ScalarArcs();

    /** The arc tangents of the least of each size and one, divided by the greatest. */
    private static void tangents(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            IntVector size = a.reinterpretAsInts().and(Integer.MAX_VALUE);
            FloatVector above = size.min(BITS_OF_ONE).reinterpretAsFloats();
            FloatVector below = size.max(BITS_OF_ONE).reinterpretAsFloats();
            DoubleVector q = ((DoubleVector) above.convertShape(F2D, DOUBLES, 0))
                    .div((DoubleVector) below.convertShape(F2D, DOUBLES, 0));
            DoubleVector z = q.mul(q);
            DoubleVector over = z.fma(VT15, VT14)
                    .fma(z, VT13)
                    .fma(z, VT12)
                    .fma(z, VT11)
                    .fma(z, VT10)
                    .fma(z, VT9)
                    .fma(z, VT8)
                    .fma(z, VT7)
                    .fma(z, VT6)
                    .fma(z, VT5)
                    .fma(z, VT4)
                    .fma(z, VT3)
                    .fma(z, VT2)
                    .fma(z, VT1)
                    .fma(z, VT0);
            over.mul(q).intoArray(u, i);
        }
    }

    /** {@link ScalarArcs#part} of the sizes. */
    private static void parts(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            IntVector size = FloatVector.fromArray(FLOATS, x, from + i)
                    .reinterpretAsInts()
                    .and(Integer.MAX_VALUE);
            DoubleVector wide = (DoubleVector) size.reinterpretAsFloats().convertShape(F2D, DOUBLES, 0);
            DoubleVector half = V_ONE.sub(wide).mul(V_HALF);
            DoubleVector z = wide.mul(wide).min(half);
            DoubleVector over = z.fma(VA10, VA9)
                    .fma(z, VA8)
                    .fma(z, VA7)
                    .fma(z, VA6)
                    .fma(z, VA5)
                    .fma(z, VA4)
                    .fma(z, VA3)
                    .fma(z, VA2)
                    .fma(z, VA1)
                    .fma(z, VA0);
            over.mul(z.lanewise(SQRT)).intoArray(u, i);
        }
    }

    private static void atan(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            IntVector a = FloatVector.fromArray(FLOATS, x, from + i).reinterpretAsInts();
            FloatVector size = a.and(Integer.MAX_VALUE).reinterpretAsFloats();
            FloatVector sense = V_POSITIVE.blend(V_NEGATIVE, size.compare(GT, V_POSITIVE));
            DoubleVector sign = (DoubleVector) sense.convertShape(F2D, DOUBLES, 0);
            DoubleVector turn = sign.fma(V_MINUS_QUARTER_PI, V_QUARTER_PI);
            DoubleVector result = DoubleVector.fromArray(DOUBLES, u, i).fma(sign, turn);
            ((FloatVector) result.convertShape(D2F, FLOATS, 0))
                    .reinterpretAsInts()
                    .or(a.and(Integer.MIN_VALUE))
                    .reinterpretAsFloats()
                    .intoArray(out, from + i);
        }
    }

    private static void asin(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            IntVector a = FloatVector.fromArray(FLOATS, x, from + i).reinterpretAsInts();
            FloatVector size = a.and(Integer.MAX_VALUE).reinterpretAsFloats();
            FloatVector times = V_POSITIVE.blend(V_MINUS_TWO, size.compare(GT, V_MIDDLE));
            DoubleVector factor = (DoubleVector) times.convertShape(F2D, DOUBLES, 0);
            DoubleVector turn = factor.fma(V_MINUS_SIXTH_PI, V_SIXTH_PI);
            DoubleVector result = DoubleVector.fromArray(DOUBLES, u, i).fma(factor, turn);
            FloatVector signed = ((FloatVector) result.convertShape(D2F, FLOATS, 0))
                    .reinterpretAsInts()
                    .or(a.and(Integer.MIN_VALUE))
                    .reinterpretAsFloats();
            V_NAN.blend(signed, size.compare(LE, V_POSITIVE)).intoArray(out, from + i);
        }
    }

    private static void acos(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            IntVector sign = a.reinterpretAsInts().and(Integer.MIN_VALUE);
            FloatVector size = a.reinterpretAsInts().and(Integer.MAX_VALUE).reinterpretAsFloats();
            VectorMask<Float> large = size.compare(GT, V_MIDDLE);
            IntVector times = V_NEGATIVE.blend(V_TWO, large).reinterpretAsInts();
            FloatVector sense = times.lanewise(XOR, sign).reinterpretAsFloats();
            FloatVector end = V_NOTHING.blend(V_TWO, a.compare(LT, V_NOTHING));
            FloatVector quarters = V_POSITIVE.blend(end, large);
            DoubleVector turn = ((DoubleVector) quarters.convertShape(F2D, DOUBLES, 0)).mul(V_HALF_PI);
            DoubleVector part = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector angle = part.fma((DoubleVector) sense.convertShape(F2D, DOUBLES, 0), turn);
            FloatVector result = (FloatVector) angle.convertShape(D2F, FLOATS, 0);
            V_NAN.blend(result, size.compare(LE, V_POSITIVE)).intoArray(out, from + i);
        }
    }

    @Override
    public void atan(float[] x, float[] out, int from, int to) {
        rest.atan(x, out, VectorStages.run(ATAN, x, out, from, to), to);
    }

    @Override
    public void asin(float[] x, float[] out, int from, int to) {
        rest.asin(x, out, VectorStages.run(ASIN, x, out, from, to), to);
    }

    @Override
    public void acos(float[] x, float[] out, int from, int to) {
        rest.acos(x, out, VectorStages.run(ACOS, x, out, from, to), to);
    }
}
