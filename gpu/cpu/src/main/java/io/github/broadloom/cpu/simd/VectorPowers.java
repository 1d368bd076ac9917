package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorDoubles.DOUBLES;
import static io.github.broadloom.cpu.simd.VectorDoubles.FLOATS;
import static io.github.broadloom.cpu.simd.VectorDoubles.LANES;
import static jdk.incubator.vector.VectorOperators.D2F;
import static jdk.incubator.vector.VectorOperators.F2D;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.SQRT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;

/** {@link Powers} on the Vector API. */
final class VectorPowers implements Powers {
    private static final DoubleVector V_ONE = DoubleVector.broadcast(DOUBLES, 1);
    private static final FloatVector V_MINUS_INFINITY = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
    private static final FloatVector V_NAN = FloatVector.broadcast(FLOATS, Float.NaN);

    private final ScalarPowers rest = new ScalarPowers();

    @Override
    public void rsqrt(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector a = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector root = ((DoubleVector) a.convertShape(F2D, DOUBLES, 0)).lanewise(SQRT);
            FloatVector result = (FloatVector) V_ONE.div(root).convertShape(D2F, FLOATS, 0);
            V_NAN.blend(result, result.compare(GE, V_MINUS_INFINITY)).intoArray(out, i);
        }
        rest.rsqrt(x, out, i, to);
    }
}
