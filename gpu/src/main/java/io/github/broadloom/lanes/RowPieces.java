package io.github.broadloom.lanes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Pieces of rows as arrays, for rendered kernels that read memory: what is converted in a loop of its own lies there meanwhile. C2
 * inlines about thirty calls of the Vector API in a method, and a conversion of float16 is half of those. Buffers are direct, in
 * the machine's order of bytes; positions in them are in bytes.
 */
public final class RowPieces {
    /** The most elements of a piece. Twice as many take a tenth longer, half as many are no faster. */
    public static final int LENGTH = 512;

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
        place.asShortBuffer().get(at / Short.BYTES, stored, 0, n);
        Casts.float16ToFloat32(stored, out, n);
    }

    /** Truths as they are stored: what is not 0 is true. */
    public void read(ByteBuffer place, int at, byte[] out, int n) {
        place.get(at, out, 0, n);
    }

    /** Writes the nearest float16. */
    public void write(float[] x, ByteBuffer place, int at, int n) {
        Casts.float32ToFloat16(x, stored, n);
        place.asShortBuffer().put(at / Short.BYTES, stored, 0, n);
    }
}
