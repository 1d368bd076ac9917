package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorWords.BYTES;
import static io.github.broadloom.lanes.VectorWords.FLOATS;
import static io.github.broadloom.lanes.VectorWords.INTS;
import static io.github.broadloom.lanes.VectorWords.SHORTS;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Eight elements of off-heap memory as a vector of floats, and back, for rendered kernels. Places are direct buffers, positions are in
 * bytes. Elements are in the machine's order of bytes.
 */
public final class VectorPlaces implements Places {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    VectorPlaces() {}

    /** Java 19 has taken byte buffers out of the Vector API again, for memory segments, which Java 17 has not. */
    @Override
    public boolean areVectors() {
        boolean hasBuffers = Arrays.stream(FloatVector.class.getMethods())
                .anyMatch(method -> method.getName().equals("fromByteBuffer"));
        return hasBuffers && VectorWords.FIT;
    }

    public static FloatVector ofFloat32(ByteBuffer place, int at) {
        return FloatVector.fromByteBuffer(FLOATS, place, at, ORDER);
    }

    /** Eight floats of an array, from an element on. */
    public static FloatVector ofFloats(float[] array, int from) {
        return FloatVector.fromArray(FLOATS, array, from);
    }

    public static FloatVector ofUint8(ByteBuffer place, int at) {
        return floats(bytes(place, at).and(0xff));
    }

    public static FloatVector ofInt8(ByteBuffer place, int at) {
        return floats(bytes(place, at));
    }

    public static FloatVector ofInt16(ByteBuffer place, int at) {
        ShortVector shorts = ShortVector.fromByteBuffer(SHORTS, place, at, ORDER);
        return floats((IntVector) shorts.convertShape(VectorOperators.S2I, INTS, 0));
    }

    public static FloatVector ofInt32(ByteBuffer place, int at) {
        return floats(IntVector.fromByteBuffer(INTS, place, at, ORDER));
    }

    private static IntVector bytes(ByteBuffer place, int at) {
        ByteVector bytes = ByteVector.fromByteBuffer(BYTES, place, at, ORDER);
        return (IntVector) bytes.convertShape(VectorOperators.B2I, INTS, 0);
    }

    private static FloatVector floats(IntVector x) {
        return (FloatVector) x.convertShape(VectorOperators.I2F, FLOATS, 0);
    }

    /** The same number in all lanes. */
    public static FloatVector all(float value) {
        return FloatVector.broadcast(FLOATS, value);
    }

    /** Writes a vector. */
    public static void put(FloatVector vector, ByteBuffer place, int at) {
        vector.intoByteBuffer(place, at, ORDER);
    }
}
