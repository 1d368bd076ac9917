package io.github.broadloom.cpu.memory;

import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;

/** Reads boxes of a tensor of rank 3, matrices of rows of columns, into arrays that hold them row-major. */
public final class MatrixReader {
    private final Tensor tensor;

    public MatrixReader(Tensor tensor) {
        this.tensor = tensor;
    }

    /** Where a box begins, or what its sizes are. */
    public record Box(long matrix, long row, long column) {
        public int elements() {
            return (int) (matrix * row * column);
        }
    }

    public void read(Box first, Box sizes, Object array) {
        int bytes = tensor.dtype().bytes();
        long[] strides = tensor.layout().strides();
        long element = first.matrix * strides[0] + first.row * strides[1] + first.column * strides[2];
        BoxCopy.of(bytes, new long[] {sizes.matrix, sizes.row, sizes.column}, strides, new long[] {
                    sizes.row * sizes.column, sizes.column, 1
                })
                .copy(null, tensor.address() + element * bytes, array, RawMemory.firstElement(array));
    }
}
