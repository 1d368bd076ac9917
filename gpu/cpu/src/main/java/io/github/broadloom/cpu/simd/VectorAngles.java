package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorDoubles.DOUBLES;
import static io.github.broadloom.cpu.simd.VectorDoubles.FLOATS;
import static io.github.broadloom.cpu.simd.VectorDoubles.LANES;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.D2F;
import static jdk.incubator.vector.VectorOperators.F2D;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;

/** {@link Angles} on the Vector API; a vector with an angle that is far goes one by one. */
final class VectorAngles implements Angles {
    // As vectors, because a method may inline only so much, and making them takes half of that.
    private static final DoubleVector VS0 = DoubleVector.broadcast(DOUBLES, S0);
    private static final DoubleVector VS1 = DoubleVector.broadcast(DOUBLES, S1);
    private static final DoubleVector VS2 = DoubleVector.broadcast(DOUBLES, S2);
    private static final DoubleVector VS3 = DoubleVector.broadcast(DOUBLES, S3);
    private static final DoubleVector VS4 = DoubleVector.broadcast(DOUBLES, S4);
    private static final DoubleVector VS5 = DoubleVector.broadcast(DOUBLES, S5);
    private static final DoubleVector VS6 = DoubleVector.broadcast(DOUBLES, S6);
    private static final DoubleVector VC0 = DoubleVector.broadcast(DOUBLES, C0);
    private static final DoubleVector VC1 = DoubleVector.broadcast(DOUBLES, C1);
    private static final DoubleVector VC2 = DoubleVector.broadcast(DOUBLES, C2);
    private static final DoubleVector VC3 = DoubleVector.broadcast(DOUBLES, C3);
    private static final DoubleVector VC4 = DoubleVector.broadcast(DOUBLES, C4);
    private static final DoubleVector VC5 = DoubleVector.broadcast(DOUBLES, C5);
    private static final DoubleVector VC6 = DoubleVector.broadcast(DOUBLES, C6);
    private static final DoubleVector V_ROUNDER = DoubleVector.broadcast(DOUBLES, Exponentials.ROUNDER);
    private static final DoubleVector V_INVERSE_PI = DoubleVector.broadcast(DOUBLES, INVERSE_PI);
    private static final DoubleVector V_TWO_OVER_PI = DoubleVector.broadcast(DOUBLES, TWO_OVER_PI);
    private static final DoubleVector V_MINUS_HALF_PI = DoubleVector.broadcast(DOUBLES, -0.5 * PI);
    private static final DoubleVector V_MINUS_HALF_PI_REST = DoubleVector.broadcast(DOUBLES, -0.5 * PI_REST);

    private static final FloatVector V_FAR = FloatVector.broadcast(FLOATS, FAR);
    private static final ScalarAngles REST = new ScalarAngles();
    private static final VectorStage[] SIN = {
        sines(0, 1, (x, u, out, from, count) -> REST.sin(x, out, from, from + count))
    };
    private static final VectorStage[] COS = {
        sines(-0.5, -1, (x, u, out, from, count) -> REST.cos(x, out, from, from + count))
    };
    private static final VectorStage[] TAN = {VectorAngles::quarters, VectorAngles::tangents};

    /** A stage of sines of the angles less the nearest multiples of π, which lie an offset from the whole ones; times a sense. */
    private static VectorStage sines(double offset, double sense, VectorStage far) {
        return (x, u, out, from, count) -> {
            DoubleVector offsets = DoubleVector.broadcast(DOUBLES, offset);
            DoubleVector senses = DoubleVector.broadcast(DOUBLES, sense);
            DoubleVector pis = DoubleVector.broadcast(DOUBLES, -sense * PI);
            DoubleVector pisRest = DoubleVector.broadcast(DOUBLES, -sense * PI_REST);
            for (int i = from; i < from + count; i += LANES) {
                FloatVector a = FloatVector.fromArray(FLOATS, x, i);
                FloatVector size = a.reinterpretAsInts().and(Integer.MAX_VALUE).reinterpretAsFloats();
                if (size.compare(GE, V_FAR).anyTrue()) {
                    far.run(x, u, out, i, LANES);
                    continue;
                }
                DoubleVector wide = (DoubleVector) a.convertShape(F2D, DOUBLES, 0);
                DoubleVector shifted = wide.fma(V_INVERSE_PI, offsets).add(V_ROUNDER);
                DoubleVector k = shifted.sub(V_ROUNDER).sub(offsets);
                DoubleVector r = k.fma(pisRest, k.fma(pis, wide.mul(senses)));
                DoubleVector z = r.mul(r);
                DoubleVector over = z.fma(VS6, VS5)
                        .fma(z, VS4)
                        .fma(z, VS3)
                        .fma(z, VS2)
                        .fma(z, VS1)
                        .fma(z, VS0);
                LongVector turned = shifted.reinterpretAsLongs().lanewise(LSHL, 63);
                LongVector sine = over.mul(r).reinterpretAsLongs().lanewise(XOR, turned);
                ((FloatVector) sine.reinterpretAsDoubles().convertShape(D2F, FLOATS, 0)).intoArray(out, i);
            }
        };
    }

    /** The angles less the nearest multiples of π / 2, their sines, and sign bits where the multiples are odd. */
    private static void quarters(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            DoubleVector wide = (DoubleVector) a.convertShape(F2D, DOUBLES, 0);
            DoubleVector shifted = wide.fma(V_TWO_OVER_PI, V_ROUNDER);
            DoubleVector k = shifted.sub(V_ROUNDER);
            DoubleVector r = k.fma(V_MINUS_HALF_PI_REST, k.fma(V_MINUS_HALF_PI, wide));
            r.intoArray(u, i);
            DoubleVector z = r.mul(r);
            DoubleVector over = z.fma(VS6, VS5)
                    .fma(z, VS4)
                    .fma(z, VS3)
                    .fma(z, VS2)
                    .fma(z, VS1)
                    .fma(z, VS0);
            over.mul(r).intoArray(u, count + i);
            LongVector odd = shifted.reinterpretAsLongs().lanewise(LSHL, 63);
            odd.reinterpretAsDoubles().intoArray(u, 2 * count + i);
        }
    }

    private static void tangents(float[] x, double[] u, float[] out, int from, int count) {
        for (int i = 0; i < count; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, from + i);
            FloatVector size = a.reinterpretAsInts().and(Integer.MAX_VALUE).reinterpretAsFloats();
            if (size.compare(GE, V_FAR).anyTrue()) {
                REST.tan(x, out, from + i, from + i + LANES);
                continue;
            }
            DoubleVector r = DoubleVector.fromArray(DOUBLES, u, i);
            DoubleVector z = r.mul(r);
            LongVector cosine = z.fma(VC6, VC5)
                    .fma(z, VC4)
                    .fma(z, VC3)
                    .fma(z, VC2)
                    .fma(z, VC1)
                    .fma(z, VC0)
                    .reinterpretAsLongs();
            LongVector sine = DoubleVector.fromArray(DOUBLES, u, count + i).reinterpretAsLongs();
            LongVector odd = DoubleVector.fromArray(DOUBLES, u, 2 * count + i).reinterpretAsLongs();
            LongVector swapped = sine.lanewise(XOR, cosine).and(odd.lanewise(ASHR, 63));
            LongVector above = sine.lanewise(XOR, swapped).lanewise(XOR, odd);
            LongVector below = cosine.lanewise(XOR, swapped);
            DoubleVector tangent = above.reinterpretAsDoubles().div(below.reinterpretAsDoubles());
            ((FloatVector) tangent.convertShape(D2F, FLOATS, 0)).intoArray(out, from + i);
        }
    }

    @Override
    public void sin(float[] x, float[] out, int from, int to) {
        REST.sin(x, out, VectorStages.run(SIN, x, out, from, to), to);
    }

    @Override
    public void cos(float[] x, float[] out, int from, int to) {
        REST.cos(x, out, VectorStages.run(COS, x, out, from, to), to);
    }

    @Override
    public void tan(float[] x, float[] out, int from, int to) {
        REST.tan(x, out, VectorStages.run(TAN, x, out, from, to), to);
    }
}
