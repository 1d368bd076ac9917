package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.FLOATS;
import static io.github.broadloom.lanes.VectorDoubles.LANES;
import static io.github.broadloom.lanes.VectorDoubles.signed;
import static io.github.broadloom.lanes.VectorDoubles.size;
import static io.github.broadloom.lanes.VectorDoubles.widened;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/** {@link Bells} on the Vector API. */
final class VectorBells implements Bells {
    // As vectors, because a method may inline only so much, and making them takes half of that.
    private static final DoubleVector VE0 = DoubleVector.broadcast(DOUBLES, E0);
    private static final DoubleVector VE1 = DoubleVector.broadcast(DOUBLES, E1);
    private static final DoubleVector VE2 = DoubleVector.broadcast(DOUBLES, E2);
    private static final DoubleVector VE3 = DoubleVector.broadcast(DOUBLES, E3);

    // As vectors, because a method may inline only so much, and making them takes half of that.
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

    private final ScalarBells rest = new ScalarBells();

    private static DoubleVector erfOver(DoubleVector z) {
        return z.fma(VE3, VE2).fma(z, VE1).fma(z, VE0);
    }

    /** {@link ScalarBells#complement}. */
    private static DoubleVector complement(DoubleVector x) {
        DoubleVector inverse = x.add(4);
        DoubleVector t = x.sub(4).div(inverse);
        return g(t).div(inverse);
    }

    private static DoubleVector g(DoubleVector t) {
        return t.fma(VG15, VG14)
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
    }

    @Override
    public void erf(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            FloatVector size = size(a, END);
            DoubleVector wide = widened(size);
            DoubleVector z = wide.mul(wide);
            DoubleVector small = erfOver(z).mul(wide);
            DoubleVector power =
                    VectorExponentials.exp(DoubleVector.zero(DOUBLES).sub(z));
            DoubleVector large =
                    DoubleVector.broadcast(DOUBLES, 1).sub(complement(wide).mul(power));
            FloatVector near = (FloatVector) small.convertShape(VectorOperators.D2F, FLOATS, 0);
            FloatVector result = ((FloatVector) large.convertShape(VectorOperators.D2F, FLOATS, 0))
                    .blend(near, size.compare(VectorOperators.LE, NEAR));
            result.reinterpretAsInts()
                    .or(a.reinterpretAsInts().and(Integer.MIN_VALUE))
                    .reinterpretAsFloats()
                    .intoArray(out, i);
        }
        rest.erf(x, out, i, to);
    }

    @Override
    public void erfc(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector size = widened(size(a, END));
            DoubleVector sign = widened(signed(FloatVector.broadcast(FLOATS, 1), a));
            DoubleVector power =
                    VectorExponentials.exp(DoubleVector.zero(DOUBLES).sub(size.mul(size)));
            DoubleVector tail = complement(size).mul(power);
            DoubleVector result =
                    tail.fma(sign, DoubleVector.broadcast(DOUBLES, 1).sub(sign));
            ((FloatVector) result.convertShape(VectorOperators.D2F, FLOATS, 0)).intoArray(out, i);
        }
        rest.erfc(x, out, i, to);
    }

    @Override
    public void gelu(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector size = widened(size(a, NORMAL_END));
            DoubleVector scaled = complement(size.mul(ROOT_HALF));
            DoubleVector tail = VectorExponentials.exp(size.mul(size).mul(-0.5)).mul(scaled);
            FloatVector one = FloatVector.broadcast(FLOATS, 1);
            IntVector bit = a.reinterpretAsInts().and(Integer.MIN_VALUE);
            FloatVector signed = one.reinterpretAsInts().or(bit).reinterpretAsFloats();
            DoubleVector sign = (DoubleVector) signed.convertShape(VectorOperators.F2D, DOUBLES, 0);
            DoubleVector twice = tail.fma(sign.neg(), sign.add(1));
            FloatVector held = a.blend(-NORMAL_END, a.compare(VectorOperators.LT, -NORMAL_END));
            DoubleVector half = ((DoubleVector) held.convertShape(VectorOperators.F2D, DOUBLES, 0)).mul(0.5);
            FloatVector result = (FloatVector) half.mul(twice).convertShape(VectorOperators.D2F, FLOATS, 0);
            FloatVector.broadcast(FLOATS, Float.NaN)
                    .blend(result, a.compare(VectorOperators.GT, Float.NEGATIVE_INFINITY))
                    .intoArray(out, i);
        }
        rest.gelu(x, out, i, to);
    }
}
