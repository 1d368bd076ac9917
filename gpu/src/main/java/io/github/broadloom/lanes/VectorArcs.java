package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.FLOATS;
import static io.github.broadloom.lanes.VectorDoubles.LANES;
import static io.github.broadloom.lanes.VectorDoubles.magnitude;
import static io.github.broadloom.lanes.VectorDoubles.signed;
import static io.github.broadloom.lanes.VectorDoubles.widened;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

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

    // As vectors, because a method may inline only so much, and making them takes half of that.
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

    private final ScalarArcs rest = new ScalarArcs();

    private static DoubleVector atanOver(DoubleVector z) {
        return z.fma(VT15, VT14)
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
    }

    private static DoubleVector asinOver(DoubleVector z) {
        return z.fma(VA10, VA9)
                .fma(z, VA8)
                .fma(z, VA7)
                .fma(z, VA6)
                .fma(z, VA5)
                .fma(z, VA4)
                .fma(z, VA3)
                .fma(z, VA2)
                .fma(z, VA1)
                .fma(z, VA0);
    }

    /** {@link ScalarArcs#part}. */
    private static DoubleVector part(FloatVector size) {
        DoubleVector wide = widened(size);
        DoubleVector half = DoubleVector.broadcast(DOUBLES, 1).sub(wide).mul(0.5);
        DoubleVector z = wide.mul(wide).min(half);
        return asinOver(z).mul(z.lanewise(VectorOperators.SQRT));
    }

    @Override
    public void atan(float[] x, float[] out, int from, int to) {
        int i = from;
        int one = Float.floatToRawIntBits(1);
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            IntVector size = magnitude(a).reinterpretAsInts();
            DoubleVector above = widened(size.min(one).reinterpretAsFloats());
            DoubleVector q = above.div(widened(size.max(one).reinterpretAsFloats()));
            VectorMask<Float> inverted = size.compare(VectorOperators.GT, one).cast(FLOATS);
            DoubleVector sign = widened(FloatVector.broadcast(FLOATS, 1).blend(-1, inverted));
            DoubleVector part = atanOver(q.mul(q)).mul(q);
            DoubleVector turn = sign.fma(-0.5 * HALF_PI, 0.5 * HALF_PI);
            FloatVector result = (FloatVector) part.fma(sign, turn).convertShape(VectorOperators.D2F, FLOATS, 0);
            signed(result, a).intoArray(out, i);
        }
        rest.atan(x, out, i, to);
    }

    @Override
    public void asin(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            FloatVector size = magnitude(a);
            VectorMask<Float> large = size.compare(VectorOperators.GT, 0.5f);
            DoubleVector factor = widened(FloatVector.broadcast(FLOATS, 1).blend(-2, large));
            DoubleVector turn = factor.fma(-HALF_PI / 3, HALF_PI / 3);
            FloatVector result =
                    (FloatVector) part(size).fma(factor, turn).convertShape(VectorOperators.D2F, FLOATS, 0);
            FloatVector.broadcast(FLOATS, Float.NaN)
                    .blend(signed(result, a), size.compare(VectorOperators.LE, 1))
                    .intoArray(out, i);
        }
        rest.asin(x, out, i, to);
    }

    @Override
    public void acos(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            FloatVector size = magnitude(a);
            VectorMask<Float> large = size.compare(VectorOperators.GT, 0.5f);
            IntVector sign = a.reinterpretAsInts().and(Integer.MIN_VALUE);
            FloatVector factor = FloatVector.broadcast(FLOATS, -1).blend(2, large);
            DoubleVector sense = widened(factor.reinterpretAsInts()
                    .lanewise(VectorOperators.XOR, sign)
                    .reinterpretAsFloats());
            FloatVector end = FloatVector.zero(FLOATS).blend(2, a.compare(VectorOperators.LT, 0));
            DoubleVector turn =
                    widened(FloatVector.broadcast(FLOATS, 1).blend(end, large)).mul(HALF_PI);
            FloatVector result = (FloatVector) part(size).fma(sense, turn).convertShape(VectorOperators.D2F, FLOATS, 0);
            FloatVector.broadcast(FLOATS, Float.NaN)
                    .blend(result, size.compare(VectorOperators.LE, 1))
                    .intoArray(out, i);
        }
        rest.acos(x, out, i, to);
    }
}
