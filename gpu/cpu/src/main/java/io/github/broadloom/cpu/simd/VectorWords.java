package io.github.broadloom.cpu.simd;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vectors of eight: 256 bits of floats or ints, 128 of shorts, 64 of bytes. Wider ones are no faster where masks are vectors
 * (until JDK 18), and a byte vector of less does not exist.
 */
final class VectorWords {
    static final int LANES = 8;
    static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_256;
    static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
    static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
    static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_64;

    /** Whether the machine has them; elsewhere the plain loops are faster. */
    static final boolean FIT = IntVector.SPECIES_PREFERRED.vectorBitSize() >= INTS.vectorBitSize();

    private VectorWords() {}

    /** Where the last vector of eight ends, or {@code from} where the machine has none. */
    static int end(int from, int to) {
        return FIT ? to - (to - from) % LANES : from;
    }

    /** Eight bytes as ints, with their signs. */
    static IntVector bytes(byte[] x, int i) {
        return (IntVector) ByteVector.fromArray(BYTES, x, i).convertShape(VectorOperators.B2I, INTS, 0);
    }

    /** Eight shorts as ints, with their signs. */
    static IntVector shorts(short[] x, int i) {
        return (IntVector) ShortVector.fromArray(SHORTS, x, i).convertShape(VectorOperators.S2I, INTS, 0);
    }

    /** Writes truths. */
    static void store(VectorMask<?> truth, byte[] out, int i) {
        IntVector ones = IntVector.zero(INTS).blend(1, truth.cast(INTS));
        ((ByteVector) ones.convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(out, i);
    }

    /** The left where the truth is not 0: one of it and its negative has the sign bit then. */
    static IntVector chosen(IntVector truth, IntVector left, IntVector right) {
        IntVector holds = truth.or(truth.neg()).lanewise(VectorOperators.ASHR, 31);
        return right.lanewise(
                VectorOperators.XOR, left.lanewise(VectorOperators.XOR, right).and(holds));
    }

    static FloatVector chosen(IntVector truth, FloatVector left, FloatVector right) {
        return chosen(truth, left.reinterpretAsInts(), right.reinterpretAsInts())
                .reinterpretAsFloats();
    }
}
