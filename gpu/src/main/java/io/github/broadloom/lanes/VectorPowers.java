package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorDoubles.DOUBLES;
import static io.github.broadloom.lanes.VectorDoubles.FLOATS;
import static io.github.broadloom.lanes.VectorDoubles.LANES;
import static io.github.broadloom.lanes.VectorDoubles.rounded;
import static io.github.broadloom.lanes.VectorDoubles.widened;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** {@link Powers} on the Vector API. */
final class VectorPowers implements Powers {
    private final ScalarPowers rest = new ScalarPowers();

    @Override
    public void rsqrt(float[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            DoubleVector root = widened(FloatVector.fromArray(FLOATS, x, i)).lanewise(VectorOperators.SQRT);
            FloatVector result = rounded(DoubleVector.broadcast(DOUBLES, 1).div(root));
            result.blend(Float.NaN, result.compare(VectorOperators.NE, result)).intoArray(out, i);
        }
        rest.rsqrt(x, out, i, to);
    }
}
