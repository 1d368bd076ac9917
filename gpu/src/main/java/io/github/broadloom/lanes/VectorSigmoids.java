package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.FLOATS;
import static io.github.broadloom.lanes.VectorDoubles.LANES;
import static io.github.broadloom.lanes.VectorDoubles.held;
import static io.github.broadloom.lanes.VectorDoubles.size;
import static io.github.broadloom.lanes.VectorDoubles.widened;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** {@link Sigmoids} on the Vector API. */
final class VectorSigmoids implements Sigmoids {
    private final ScalarSigmoids rest = new ScalarSigmoids();

    private static DoubleVector negative(DoubleVector x) {
        return DoubleVector.zero(DOUBLES).sub(x);
    }

    /** {@link ScalarSigmoids#product}. */
    private static FloatVector product(DoubleVector value, FloatVector x) {
        FloatVector result = (FloatVector) value.convertShape(VectorOperators.D2F, FLOATS, 0);
        return FloatVector.broadcast(FLOATS, Float.NaN)
                .blend(result, x.compare(VectorOperators.GT, Float.NEGATIVE_INFINITY));
    }

    @Override
    public void sigmoid(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector power = VectorExponentials.exp(negative(widened(held(a, -FAR, FAR))));
            DoubleVector result = DoubleVector.broadcast(DOUBLES, 1).div(power.add(1));
            ((FloatVector) result.convertShape(VectorOperators.D2F, FLOATS, 0))
                    .blend(0, a.compare(VectorOperators.LE, -OVERFLOW))
                    .intoArray(out, i);
        }
        rest.sigmoid(x, out, i, to);
    }

    @Override
    public void silu(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector power = VectorExponentials.exp(negative(widened(held(a, -FAR, FAR))));
            DoubleVector factor = widened(a.blend(-FAR, a.compare(VectorOperators.LT, -FAR)));
            product(factor.div(power.add(1)), a).intoArray(out, i);
        }
        rest.silu(x, out, i, to);
    }

    @Override
    public void geluTanh(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector wide = widened(held(a, -12, 12));
            DoubleVector slope = wide.mul(wide).fma(CUBIC, SLOPE);
            DoubleVector power = VectorExponentials.exp(negative(wide.mul(slope)));
            DoubleVector factor = widened(a.blend(-12, a.compare(VectorOperators.LT, -12)));
            product(factor.div(power.add(1)), a).intoArray(out, i);
        }
        rest.geluTanh(x, out, i, to);
    }

    @Override
    public void mish(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector power = VectorExponentials.exp(widened(held(a, -FAR, FAR)));
            DoubleVector above = power.fma(power, power.add(power));
            DoubleVector factor = widened(a.blend(-FAR, a.compare(VectorOperators.LT, -FAR)));
            product(factor.mul(above.div(above.add(2))), a).intoArray(out, i);
        }
        rest.mish(x, out, i, to);
    }

    @Override
    public void softplus(float[] x, float beta, float threshold, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector y = widened(a).mul(beta);
            DoubleVector power = VectorExponentials.exp(negative(y.abs()).max(-200));
            DoubleVector curved = VectorLogarithms.log1p(power).add(y.max(0)).div(beta);
            FloatVector result = ((FloatVector) curved.convertShape(VectorOperators.D2F, FLOATS, 0))
                    .blend(a, y.compare(VectorOperators.GT, threshold).cast(FLOATS));
            result.blend(Float.NaN, result.compare(VectorOperators.NE, result)).intoArray(out, i);
        }
        rest.softplus(x, beta, threshold, out, i, to);
    }

    @Override
    public void logsigmoid(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector log = VectorLogarithms.log1p(VectorExponentials.exp(negative(widened(size(a, FAR)))));
            FloatVector negative = FloatVector.zero(FLOATS).blend(a, a.compare(VectorOperators.LT, 0));
            DoubleVector below = (DoubleVector) negative.convertShape(VectorOperators.F2D, DOUBLES, 0);
            ((FloatVector) below.sub(log).convertShape(VectorOperators.D2F, FLOATS, 0))
                    .add(0) // not -0
                    .blend(Float.NaN, a.compare(VectorOperators.NE, a))
                    .intoArray(out, i);
        }
        rest.logsigmoid(x, out, i, to);
    }
}
