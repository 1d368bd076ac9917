package io.github.broadloom.bench;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;

/** Two warm buffers of this JVM, one of which is copied into the other part by part. */
record CopyBuffers(Tensor from, Tensor into) {

    /** Buffers of so many bytes each. */
    static CopyBuffers of(long bytes) {
        return new CopyBuffers(
                Tensors.zeros(Shape.of(bytes), DType.UINT8), Tensors.zeros(Shape.of(bytes), DType.UINT8));
    }

    /** Copies one of equal parts. */
    void copy(int part, int parts) {
        long begin = from.numel() * part / parts;
        long length = from.numel() * (part + 1) / parts - begin;
        into.narrow(0, begin, length).copy_(from.narrow(0, begin, length));
    }

    void release() {
        from.storage().release();
        into.storage().release();
    }
}
