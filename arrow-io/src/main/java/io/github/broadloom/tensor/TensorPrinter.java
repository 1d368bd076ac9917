package io.github.broadloom.tensor;

/** The text of a tensor. */
final class TensorPrinter {
    private TensorPrinter() {}

    /** The values in row-major order, the shape and the dtype. */
    static String print(Tensor tensor) {
        return "tensor(" + tensor.values() + ", shape=" + tensor.shape() + ", dtype=" + tensor.dtype() + ")";
    }
}
