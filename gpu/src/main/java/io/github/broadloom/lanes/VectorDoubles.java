package io.github.broadloom.lanes;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The sizes of vectors. Doubles fill the widest that the machine likes, and floats that become doubles come in vectors of as
 * many.
 */
final class VectorDoubles {
    static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    static final VectorSpecies<Long> LONGS = VectorSpecies.of(long.class, DOUBLES.vectorShape());
    private static final VectorShape HALF_SHAPE = VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2);
    static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, HALF_SHAPE);
    static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, HALF_SHAPE);
    static final int LANES = DOUBLES.length();

    private VectorDoubles() {}

    static DoubleVector widened(FloatVector x) {
        return (DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 0);
    }

    static FloatVector rounded(DoubleVector x) {
        return (FloatVector) x.convertShape(VectorOperators.D2F, FLOATS, 0);
    }

    /** The number with the sign bit of another, where it has none itself. */
    static FloatVector signed(FloatVector number, FloatVector sign) {
        IntVector bit = sign.reinterpretAsInts().and(Integer.MIN_VALUE);
        return number.reinterpretAsInts().or(bit).reinterpretAsFloats();
    }

    /** The number held between bounds; NaN stays. */
    static FloatVector held(FloatVector x, float lowest, float highest) {
        FloatVector above = x.blend(lowest, x.compare(VectorOperators.LT, lowest));
        return above.blend(highest, above.compare(VectorOperators.GT, highest));
    }

    /** {@link ScalarExponentials#magnitude}. */
    static FloatVector magnitude(FloatVector x) {
        return x.reinterpretAsInts().and(Integer.MAX_VALUE).reinterpretAsFloats();
    }

    /** The magnitude, at most a bound; NaN stays. */
    static FloatVector size(FloatVector x, float highest) {
        FloatVector size = magnitude(x);
        return size.blend(highest, size.compare(VectorOperators.GT, highest));
    }
}
