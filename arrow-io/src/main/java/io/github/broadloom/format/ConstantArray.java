package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;

/**
 * An array of which nothing was written: one value everywhere.
 *
 * @param bytes those of the value, as it would be in the file; none where all are 0
 */
public record ConstantArray(byte[] bytes, DType dtype, boolean bigEndian, Shape shape) implements BlockReader {
    @Override
    public Tensor read(Box box) {
        Tensor block = Tensors.empty(dtype, box.shape());
        fill(block);
        return block;
    }

    /** Gives all elements of a tensor the value. */
    public void fill(Tensor elements) {
        if (bytes.length == 0) {
            elements.zero_();
            return;
        }
        Tensor value = new HeldArray(bytes, dtype, bigEndian, Shape.SCALAR).read(Box.whole(Shape.SCALAR));
        elements.copy_(value.expand(elements.shape().toArray()));
        value.release();
    }
}
