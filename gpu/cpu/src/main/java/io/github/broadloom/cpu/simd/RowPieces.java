package io.github.broadloom.cpu.simd;

import io.github.broadloom.tensor.RawMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Pieces of rows as arrays, for rendered kernels that read memory: what is converted in a loop of its own lies there meanwhile. C2
 * inlines about thirty calls of the Vector API in a method, and a conversion of float16 is half of those. Buffers are direct, in
 * the machine's order of bytes; positions in them are in bytes.
 */
public final class RowPieces {
    /** The most elements of a piece: reading one, converting it and writing it overlap while pieces are short. */
    public static final int LENGTH = 256;

    private static final ThreadLocal<RowPieces> OF_THREAD = ThreadLocal.withInitial(RowPieces::new);

    private final short[] stored = new short[LENGTH];
    private final List<float[]> floats = new ArrayList<>();
    private final List<byte[]> bytes = new ArrayList<>();
    private final List<short[]> shorts = new ArrayList<>();
    private final List<int[]> ints = new ArrayList<>();

    private RowPieces() {}

    /** Those of the calling thread, until its next kernel asks for them. */
    public static RowPieces ofThread() {
        return OF_THREAD.get();
    }

    private static <T> T piece(List<T> pieces, int number, IntFunction<T> allocate) {
        while (pieces.size() <= number) {
            pieces.add(allocate.apply(LENGTH));
        }
        return pieces.get(number);
    }

    /** A piece of floats of any value. */
    public float[] floats(int number) {
        return piece(floats, number, length -> new float[length + Simd.SPARE]);
    }

    /** A piece of bytes, or of bools as they are stored, of any value. */
    public byte[] bytes(int number) {
        return piece(bytes, number, byte[]::new);
    }

    /** A piece of shorts of any value. */
    public short[] shorts(int number) {
        return piece(shorts, number, short[]::new);
    }

    /** A piece of ints of any value. */
    public int[] ints(int number) {
        return piece(ints, number, int[]::new);
    }

    /** {@code n} stored elements of a reduced floating dtype, until the next are read or made. */
    public short[] stored(ByteBuffer place, int at, int n) {
        read(place, at, stored, n);
        return stored;
    }

    /** Where elements of a reduced floating dtype are made for {@link #writeStored}. */
    public short[] stored() {
        return stored;
    }

    public void read(ByteBuffer place, int at, float[] out, int n) {
        RawMemory.copy(address(place, at, (long) n * Float.BYTES), out, 0, n);
    }

    public void read(ByteBuffer place, int at, byte[] out, int n) {
        RawMemory.copy(address(place, at, n), out, 0, n);
    }

    public void read(ByteBuffer place, int at, short[] out, int n) {
        RawMemory.copy(address(place, at, (long) n * Short.BYTES), out, 0, n);
    }

    public void read(ByteBuffer place, int at, int[] out, int n) {
        RawMemory.copy(address(place, at, (long) n * Integer.BYTES), out, 0, n);
    }

    /** Where in memory some bytes are; a view of shorts costs as much as to convert a piece. */
    private static long address(ByteBuffer place, int at, long bytes) {
        return RawMemory.addressOf(place) + Objects.checkFromIndexSize(at, bytes, place.remaining());
    }

    /** Writes what lies in {@link #stored()}. */
    public void writeStored(ByteBuffer place, int at, int n) {
        RawMemory.copy(stored, 0, address(place, at, (long) n * Short.BYTES), n);
    }

    public void write(float[] x, ByteBuffer place, int at, int n) {
        RawMemory.copy(x, 0, address(place, at, (long) n * Float.BYTES), n);
    }
}
