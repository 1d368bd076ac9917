package io.github.broadloom.cpu.simd;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vectors of eight: 256 bits of floats or ints, 128 of shorts, 64 of bytes. Wider ones are no faster where masks are vectors
 * (until JDK 18), and a byte vector of less does not exist.
 */
final class VectorWords {
    static final int EIGHT = 8;
    static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_256;
    static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
    static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
    static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_64;

    /** Whether the machine has them; elsewhere the plain loops are faster. */
    static final boolean FIT = IntVector.SPECIES_PREFERRED.vectorBitSize() >= INTS.vectorBitSize();

    private VectorWords() {}

    /** Where the last vector of eight ends, or {@code from} where the machine has none. */
    static int end(int from, int to) {
        return FIT ? to - (to - from) % EIGHT : from;
    }

    /** Eight bytes as ints, with their signs. */
    static IntVector bytes(byte[] x, int i) {
        return (IntVector) ByteVector.fromArray(BYTES, x, i).convertShape(VectorOperators.B2I, INTS, 0);
    }

    /** Eight shorts as ints, with their signs. */
    static IntVector shorts(short[] x, int i) {
        return (IntVector) ShortVector.fromArray(SHORTS, x, i).convertShape(VectorOperators.S2I, INTS, 0);
    }
}
