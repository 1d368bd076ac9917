package io.github.broadloom.cpu.simd;

import jdk.incubator.vector.DoubleVector;
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

    /** Where the last whole vector ends. */
    static int end(int from, int to) {
        return to - (to - from) % LANES;
    }
}
