package io.github.broadloom.cpu.simd;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The sizes of vectors. Doubles fill the widest that the machine likes. Floats that become doubles are the first of a vector of eight, or of the machine's where that is
 * narrower: C2 shares the profile of the Vector API's methods between all vectors of floats of the process and boxes them where they have several sizes (on JDK 17, not on 25). So where
 * doubles come in fours such a vector has four floats that count and four that do not.
 */
final class VectorDoubles {
    static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    static final VectorSpecies<Long> LONGS = VectorSpecies.of(long.class, DOUBLES.vectorShape());
    private static final VectorShape NARROW_SHAPE =
            VectorShape.forBitSize(Math.min(DOUBLES.vectorBitSize(), VectorWords.FLOATS.vectorBitSize()));
    static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, NARROW_SHAPE);
    static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, NARROW_SHAPE);
    static final int LANES = DOUBLES.length();

    /** How many floats of a vector do not count. */
    static final int SPARE = FLOATS.length() - LANES;

    /** How far apart vectors of floats begin where those that do not count lie between them, in vectors of doubles: one or two. */
    static final int SPREAD = FLOATS.length() / LANES;

    private VectorDoubles() {}

    /** Where the last whole vector ends. */
    static int end(int from, int to) {
        return to - (to - from) % LANES;
    }

    /** Where the last whole vector of floats ends, of which all count. */
    static int endOfFloats(int from, int to) {
        return to - (to - from) % FLOATS.length();
    }

    /** Where the last vector ends whose floats or ints can be read and written, those that do not count too; these are of what comes behind it. */
    static int endOfNarrow(int from, int to) {
        return Math.max(from, end(from, to - SPARE));
    }
}
