package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.Exponentials.ROUNDER;
import static io.github.broadloom.lanes.VectorDoubles.FLOATS;
import static io.github.broadloom.lanes.VectorDoubles.LANES;
import static io.github.broadloom.lanes.VectorDoubles.magnitude;
import static io.github.broadloom.lanes.VectorDoubles.rounded;
import static io.github.broadloom.lanes.VectorDoubles.widened;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/** {@link Angles} on the Vector API; a vector with an angle that is far goes one by one. */
final class VectorAngles implements Angles {
    private final ScalarAngles scalar = new ScalarAngles();

    private static DoubleVector sineOver(DoubleVector r) {
        DoubleVector z = r.mul(r);
        return z.fma(S6, S5)
                .lanewise(VectorOperators.FMA, z, S4)
                .lanewise(VectorOperators.FMA, z, S3)
                .lanewise(VectorOperators.FMA, z, S2)
                .lanewise(VectorOperators.FMA, z, S1)
                .lanewise(VectorOperators.FMA, z, S0);
    }

    private static DoubleVector cosine(DoubleVector r) {
        DoubleVector z = r.mul(r);
        return z.fma(C6, C5)
                .lanewise(VectorOperators.FMA, z, C4)
                .lanewise(VectorOperators.FMA, z, C3)
                .lanewise(VectorOperators.FMA, z, C2)
                .lanewise(VectorOperators.FMA, z, C1)
                .lanewise(VectorOperators.FMA, z, C0);
    }

    private static LongVector odd(DoubleVector shifted) {
        return shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 63);
    }

    private static boolean isFar(FloatVector x) {
        return magnitude(x).compare(VectorOperators.GE, FAR).anyTrue();
    }

    @Override
    public void sin(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            if (isFar(a)) {
                scalar.sin(x, out, i, i + LANES);
                continue;
            }
            DoubleVector wide = widened(a);
            DoubleVector shifted = wide.fma(INVERSE_PI, ROUNDER);
            DoubleVector k = shifted.sub(ROUNDER);
            DoubleVector near = k.lanewise(VectorOperators.FMA, -PI, wide);
            DoubleVector r = k.lanewise(VectorOperators.FMA, -PI_REST, near);
            LongVector sine = sineOver(r).mul(r).reinterpretAsLongs();
            rounded(sine.lanewise(VectorOperators.XOR, odd(shifted)).reinterpretAsDoubles())
                    .intoArray(out, i);
        }
        scalar.sin(x, out, i, to);
    }

    @Override
    public void cos(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            if (isFar(a)) {
                scalar.cos(x, out, i, i + LANES);
                continue;
            }
            DoubleVector wide = widened(a);
            DoubleVector shifted = wide.fma(INVERSE_PI, -0.5).add(ROUNDER);
            DoubleVector k = shifted.sub(ROUNDER).add(0.5);
            DoubleVector near = k.lanewise(VectorOperators.FMA, PI, wide.neg());
            DoubleVector r = k.lanewise(VectorOperators.FMA, PI_REST, near);
            LongVector sine = sineOver(r).mul(r).reinterpretAsLongs();
            rounded(sine.lanewise(VectorOperators.XOR, odd(shifted)).reinterpretAsDoubles())
                    .intoArray(out, i);
        }
        scalar.cos(x, out, i, to);
    }

    @Override
    public void tan(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            if (isFar(a)) {
                scalar.tan(x, out, i, i + LANES);
                continue;
            }
            DoubleVector wide = widened(a);
            DoubleVector shifted = wide.fma(TWO_OVER_PI, ROUNDER);
            LongVector odd = odd(shifted);
            DoubleVector k = shifted.sub(ROUNDER);
            DoubleVector near = k.lanewise(VectorOperators.FMA, -0.5 * PI, wide);
            DoubleVector r = k.lanewise(VectorOperators.FMA, -0.5 * PI_REST, near);
            LongVector sine = sineOver(r).mul(r).reinterpretAsLongs();
            LongVector cosine = cosine(r).reinterpretAsLongs();
            LongVector swapped = sine.lanewise(VectorOperators.XOR, cosine).and(odd.lanewise(VectorOperators.ASHR, 63));
            DoubleVector above = sine.lanewise(VectorOperators.XOR, swapped)
                    .lanewise(VectorOperators.XOR, odd)
                    .reinterpretAsDoubles();
            DoubleVector below = cosine.lanewise(VectorOperators.XOR, swapped).reinterpretAsDoubles();
            ((FloatVector) above.div(below).convertShape(VectorOperators.D2F, FLOATS, 0)).intoArray(out, i);
        }
        scalar.tan(x, out, i, to);
    }
}
