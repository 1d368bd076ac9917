package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.RawElements;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.nio.ByteOrder;

/**
 * A small array that was read with what describes it, and travels with its reader.
 *
 * @param bytes its elements, row-major, as they were in the file
 */
public record HeldArray(byte[] bytes, DType dtype, boolean bigEndian, Shape shape) implements BlockReader {
    @Override
    public Tensor read(Box box) {
        Storage storage = Storage.allocate(bytes.length);
        RawMemory.copy(bytes, 0, storage.address(), bytes.length);
        ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        Tensor whole = RawElements.array(storage, dtype, order, shape);
        if (box.equals(Box.whole(shape))) {
            return whole;
        }
        Tensor part = box.of(whole).copy();
        whole.release();
        return part;
    }

    @Override
    public long readingBytes(Shape box) {
        return bytes.length;
    }
}
