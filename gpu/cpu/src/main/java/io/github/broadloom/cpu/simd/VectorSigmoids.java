package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorDoubles.DOUBLES;
import static io.github.broadloom.cpu.simd.VectorDoubles.FLOATS;
import static io.github.broadloom.cpu.simd.VectorDoubles.LANES;
import static jdk.incubator.vector.VectorOperators.D2F;
import static jdk.incubator.vector.VectorOperators.F2D;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;

/** {@link Sigmoids} on the Vector API, in stages. */
final class VectorSigmoids implements Sigmoids {
    // As vectors, because a method may inline only so much, and making them takes half of that.
    private static final DoubleVector V_ZERO = DoubleVector.zero(DOUBLES);
    private static final DoubleVector V_ONE = DoubleVector.broadcast(DOUBLES, 1);
    private static final DoubleVector V_TWO = DoubleVector.broadcast(DOUBLES, 2);
    private static final DoubleVector V_LEAST_POWER = DoubleVector.broadcast(DOUBLES, -200);
    private static final DoubleVector V_CUBIC = DoubleVector.broadcast(DOUBLES, CUBIC);
    private static final DoubleVector V_SLOPE = DoubleVector.broadcast(DOUBLES, SLOPE);
    private static final FloatVector V_NOTHING = FloatVector.zero(FLOATS);
    private static final FloatVector V_UNDERFLOW = FloatVector.broadcast(FLOATS, -OVERFLOW);
    private static final FloatVector V_MINUS_FAR = FloatVector.broadcast(FLOATS, -FAR);
    private static final FloatVector V_MINUS_INFINITY = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
    private static final FloatVector V_NAN = FloatVector.broadcast(FLOATS, Float.NaN);

    private static final VectorStage[] SIGMOID = {VectorExponentials.exp(-FAR, FAR, -1), VectorSigmoids::inverses};
    private static final VectorStage[] SILU = {VectorExponentials.exp(-FAR, FAR, -1), quotients(-FAR)};
    private static final VectorStage[] GELU_TANH = {
        VectorStages.held(-12, 12, 1), VectorSigmoids::cubes, VectorExponentials::exp, quotients(-12)
    };
    private static final VectorStage[] MISH = {VectorExponentials.exp(-FAR, FAR, 1), VectorSigmoids::shares};
    private static final VectorStage[] LOGSIGMOID = {
        VectorStages.size(FAR, -1),
        VectorExponentials::exp,
        VectorLogarithms::reduced,
        VectorLogarithms::log1p,
        VectorSigmoids::differences
    };

    private final ScalarSigmoids rest = new ScalarSigmoids();

    /** One divided by one and the powers. */
    private static void inverses(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector result =
                    V_ONE.div(DoubleVector.fromArray(DOUBLES, u, i).add(V_ONE));
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            ((FloatVector) result.convertShape(D2F, FLOATS, 0))
                    .blend(V_NOTHING, a.compare(LE, V_UNDERFLOW))
                    .intoArray(out, from + i);
        }
    }

    /** A stage of numbers, held above a bound, divided by one and the powers; {@link ScalarSigmoids#product}. */
    private static VectorStage quotients(float lowest) {
        return (x, u, out, from, count) -> {
            FloatVector low = FloatVector.broadcast(FLOATS, lowest);
            for (int i = 0; i < count; i += LANES) {
                FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
                DoubleVector factor =
                        (DoubleVector) a.blend(low, a.compare(LT, low)).convertShape(F2D, DOUBLES, 0);
                DoubleVector quotient =
                        factor.div(DoubleVector.fromArray(DOUBLES, u, i).add(V_ONE));
                FloatVector result = (FloatVector) quotient.convertShape(D2F, FLOATS, 0);
                V_NAN.blend(result, a.compare(GT, V_MINUS_INFINITY)).intoArray(out, from + i);
            }
        };
    }

    /** The exponents of geluTanh. */
    private static void cubes(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector wide = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector slope = wide.mul(wide).fma(V_CUBIC, V_SLOPE);
            V_ZERO.sub(wide.mul(slope)).intoArray(u, i);
        }
    }

    /** Numbers times the shares that their powers give; {@link ScalarSigmoids#product}. */
    private static void shares(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            DoubleVector power = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector above = power.fma(power, power.add(power));
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            DoubleVector factor = (DoubleVector)
                    a.blend(V_MINUS_FAR, a.compare(LT, V_MINUS_FAR)).convertShape(F2D, DOUBLES, 0);
            DoubleVector product = factor.mul(above.div(above.add(V_TWO)));
            FloatVector result = (FloatVector) product.convertShape(D2F, FLOATS, 0);
            V_NAN.blend(result, a.compare(GT, V_MINUS_INFINITY)).intoArray(out, from + i);
        }
    }

    /** The negative numbers, and zeros for the others, less the logarithms. */
    private static void differences(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            FloatVector negative = V_NOTHING.blend(a, a.compare(LT, V_NOTHING));
            DoubleVector below = (DoubleVector) negative.convertShape(F2D, DOUBLES, 0);
            DoubleVector log = below.sub(DoubleVector.fromArray(DOUBLES, u, i));
            FloatVector result = ((FloatVector) log.convertShape(D2F, FLOATS, 0)).add(V_NOTHING); // not -0
            V_NAN.blend(result, a.compare(GE, V_MINUS_INFINITY)).intoArray(out, from + i);
        }
    }

    /** A stage that gives the exponents of softplus. */
    private static VectorStage sharpened(float beta) {
        return (x, u, out, from, count) -> {
            DoubleVector betas = DoubleVector.broadcast(DOUBLES, beta);
            for (int i = 0; i < count; i += LANES) {
                FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
                DoubleVector y = ((DoubleVector) a.convertShape(F2D, DOUBLES, 0)).mul(betas);
                V_ZERO.sub(y.abs()).max(V_LEAST_POWER).intoArray(u, i);
            }
        };
    }

    /** A stage that makes softplus of the logarithms. */
    private static VectorStage sums(float beta, float threshold) {
        return (x, u, out, from, count) -> {
            DoubleVector betas = DoubleVector.broadcast(DOUBLES, beta);
            DoubleVector thresholds = DoubleVector.broadcast(DOUBLES, threshold);
            for (int i = 0; i < count; i += LANES) {
                FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
                DoubleVector wide = (DoubleVector) a.convertShape(F2D, DOUBLES, 0);
                DoubleVector y = wide.mul(betas);
                DoubleVector curved =
                        DoubleVector.fromArray(DOUBLES, u, i).add(y.max(V_ZERO)).div(betas);
                DoubleVector chosen = curved.blend(wide, y.compare(GT, thresholds));
                FloatVector result = (FloatVector) chosen.convertShape(D2F, FLOATS, 0);
                V_NAN.blend(result, result.compare(GE, V_MINUS_INFINITY)).intoArray(out, from + i);
            }
        };
    }

    @Override
    public void sigmoid(float[] x, float[] out, int from, int to) {
        rest.sigmoid(x, out, VectorStages.run(SIGMOID, x, out, from, to), to);
    }

    @Override
    public void silu(float[] x, float[] out, int from, int to) {
        rest.silu(x, out, VectorStages.run(SILU, x, out, from, to), to);
    }

    @Override
    public void geluTanh(float[] x, float[] out, int from, int to) {
        rest.geluTanh(x, out, VectorStages.run(GELU_TANH, x, out, from, to), to);
    }

    @Override
    public void mish(float[] x, float[] out, int from, int to) {
        rest.mish(x, out, VectorStages.run(MISH, x, out, from, to), to);
    }

    @Override
    public void softplus(float[] x, float beta, float threshold, float[] out, int from, int to) {
        VectorStage[] stages = {
            sharpened(beta),
            VectorExponentials::exp,
            VectorLogarithms::reduced,
            VectorLogarithms::log1p,
            sums(beta, threshold)
        };
        rest.softplus(x, beta, threshold, out, VectorStages.run(stages, x, out, from, to), to);
    }

    @Override
    public void logsigmoid(float[] x, float[] out, int from, int to) {
        rest.logsigmoid(x, out, VectorStages.run(LOGSIGMOID, x, out, from, to), to);
    }
}
