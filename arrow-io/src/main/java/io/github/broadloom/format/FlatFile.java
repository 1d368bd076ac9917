package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.io.Serializable;
import java.nio.ByteOrder;

/**
 * A file that holds one array: some bytes, its elements in C order, and maybe a few zeros. The place of each element is known before any is there, so that whoever has
 * some writes them where they belong.
 *
 * @param head the bytes before the first element
 * @param bigEndian the order of the bytes of elements that have several
 * @param padding the number of zeros behind the last one
 */
public record FlatFile(byte[] head, DType dtype, Shape shape, boolean bigEndian, int padding) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** What an array is called in files that have names for them, where nobody named it. */
    public static final String NAME = "data";

    /** Of all its elements. */
    public long dataBytes() {
        return dtype.sizeBytes(shape.numel());
    }

    public long bytes() {
        return Math.addExact(head.length + (long) padding, dataBytes());
    }

    /** Whether elements have their bytes in the other order than in this machine's memory. */
    public boolean isSwapped() {
        return dtype.bytes() > 1 && bigEndian != (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN);
    }
}
