package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.FLOATS;
import static io.github.broadloom.lanes.VectorDoubles.LANES;
import static io.github.broadloom.lanes.VectorDoubles.held;
import static io.github.broadloom.lanes.VectorDoubles.rounded;
import static io.github.broadloom.lanes.VectorDoubles.signed;
import static io.github.broadloom.lanes.VectorDoubles.size;
import static io.github.broadloom.lanes.VectorDoubles.widened;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/** {@link Exponentials} on the Vector API. */
final class VectorExponentials implements Exponentials {
    // As vectors, because a method may inline only so much, and making them takes half of that.
    private static final DoubleVector VQ0 = DoubleVector.broadcast(DOUBLES, Q0);
    private static final DoubleVector VQ1 = DoubleVector.broadcast(DOUBLES, Q1);
    private static final DoubleVector VQ2 = DoubleVector.broadcast(DOUBLES, Q2);
    private static final DoubleVector VQ3 = DoubleVector.broadcast(DOUBLES, Q3);
    private static final DoubleVector VQ4 = DoubleVector.broadcast(DOUBLES, Q4);
    private static final DoubleVector VQ5 = DoubleVector.broadcast(DOUBLES, Q5);
    private static final DoubleVector VQ6 = DoubleVector.broadcast(DOUBLES, Q6);
    private static final DoubleVector VQ7 = DoubleVector.broadcast(DOUBLES, Q7);
    private static final DoubleVector VQ8 = DoubleVector.broadcast(DOUBLES, Q8);

    private final ScalarExponentials rest = new ScalarExponentials();

    /** {@link ScalarExponentials#exp(double)}. */
    static DoubleVector exp(DoubleVector x) {
        DoubleVector shifted = x.fma(LOG2_E, ROUNDER);
        DoubleVector r = shifted.sub(ROUNDER).lanewise(VectorOperators.FMA, -LN_2, x);
        LongVector exponent = shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52);
        DoubleVector rest = q(r).lanewise(VectorOperators.FMA, r, 1);
        return rest.reinterpretAsLongs().add(exponent).reinterpretAsDoubles();
    }

    /** {@link ScalarExponentials#expm1(double)}. */
    static DoubleVector expm1(DoubleVector x) {
        DoubleVector shifted = x.fma(LOG2_E, ROUNDER);
        DoubleVector r = shifted.sub(ROUNDER).lanewise(VectorOperators.FMA, -LN_2, x);
        DoubleVector power = scaled(DoubleVector.broadcast(DOUBLES, 1), shifted);
        return power.fma(r.mul(q(r)), power.sub(1));
    }

    private static DoubleVector scaled(DoubleVector number, DoubleVector shifted) {
        LongVector exponent = shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52);
        return number.reinterpretAsLongs().add(exponent).reinterpretAsDoubles();
    }

    private static DoubleVector q(DoubleVector r) {
        return r.fma(VQ8, VQ7)
                .fma(r, VQ6)
                .fma(r, VQ5)
                .fma(r, VQ4)
                .fma(r, VQ3)
                .fma(r, VQ2)
                .fma(r, VQ1)
                .fma(r, VQ0);
    }

    @Override
    public void exp(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            rounded(exp(widened(held(a, LOWEST, HIGHEST)))).intoArray(out, i);
        }
        rest.exp(x, out, i, to);
    }

    @Override
    public void exp2(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            DoubleVector power = widened(held(FloatVector.fromArray(FLOATS, x, i), -151, 129));
            DoubleVector shifted = power.add(ROUNDER);
            DoubleVector r = power.sub(shifted.sub(ROUNDER)).mul(LN_2);
            rounded(scaled(q(r).lanewise(VectorOperators.FMA, r, 1), shifted)).intoArray(out, i);
        }
        rest.exp2(x, out, i, to);
    }

    @Override
    public void expm1(float[] x, float[] out, int from, int to) {
        int count = (to - from) / LANES * LANES;
        double[] u = Scratch.doubles(count);
        for (int i = 0; i < count; i += LANES) {
            widened(held(FloatVector.fromArray(FLOATS, x, from + i), LOWEST, HIGHEST))
                    .intoArray(u, i);
        }
        expm1(u, count);
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            signed(rounded(DoubleVector.fromArray(DOUBLES, u, i)), a).intoArray(out, from + i);
        }
        rest.expm1(x, out, from + count, to);
    }

    /** {@link ScalarExponentials#expm1(double)} of the first {@code count} doubles, in their place. */
    static void expm1(double[] x, int count) {
        for (int i = 0; i < count; i += LANES) {
            expm1(DoubleVector.fromArray(DOUBLES, x, i)).intoArray(x, i);
        }
    }

    @Override
    public void sinh(float[] x, float[] out, int from, int to) {
        int count = (to - from) / LANES * LANES;
        double[] u = Scratch.doubles(count);
        for (int i = 0; i < count; i += LANES) {
            widened(size(FloatVector.fromArray(FLOATS, x, from + i), HIGHEST)).intoArray(u, i);
        }
        expm1(u, count);
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
        int count = (to - from) / LANES * LANES;
        double[] u = Scratch.doubles(count);
        for (int i = 0; i < count; i += LANES) {
            DoubleVector size = widened(size(FloatVector.fromArray(FLOATS, x, from + i), 10));
            size.add(size).intoArray(u, i);
        }
        expm1(u, count);
        for (int i = 0; i < count; i += LANES) {
            DoubleVector power = DoubleVector.fromArray(DOUBLES, u, i);
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            signed(rounded(power.div(power.add(2))), a).intoArray(out, from + i);
        }
        rest.tanh(x, out, from + count, to);
    }
}
