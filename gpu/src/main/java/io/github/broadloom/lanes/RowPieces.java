package io.github.broadloom.lanes;

import io.github.broadloom.tensor.RawMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
    private final List<byte[]> truths = new ArrayList<>();

    private RowPieces() {}

    /** Those of the calling thread, until its next kernel asks for them. */
    public static RowPieces ofThread() {
        return OF_THREAD.get();
    }

    /** A piece of floats of any value. */
    public float[] floats(int number) {
        while (floats.size() <= number) {
            floats.add(new float[LENGTH]);
        }
        return floats.get(number);
    }

    /** A piece of truths of any value. */
    public byte[] truths(int number) {
        while (truths.size() <= number) {
            truths.add(new byte[LENGTH]);
        }
        return truths.get(number);
    }

    /** The values of {@code n} float16. */
    public void read(ByteBuffer place, int at, float[] out, int n) {
        RawMemory.copy(address(place, at, (long) n * Short.BYTES), stored, 0, n);
        Casts.float16ToFloat32(stored, out, n);
    }

    /** Truths as they are stored: what is not 0 is true. */
    public void read(ByteBuffer place, int at, byte[] out, int n) {
        RawMemory.copy(address(place, at, n), out, 0, n);
    }

    /** Where in memory some bytes are; a view of shorts costs as much as to convert a piece. */
    private static long address(ByteBuffer place, int at, long bytes) {
        return RawMemory.addressOf(place) + Objects.checkFromIndexSize(at, bytes, place.limit());
    }

    /** Writes the nearest float16. */
    public void write(float[] x, ByteBuffer place, int at, int n) {
        Casts.float32ToFloat16(x, stored, n);
        RawMemory.copy(stored, 0, address(place, at, (long) n * Short.BYTES), n);
    }
}
