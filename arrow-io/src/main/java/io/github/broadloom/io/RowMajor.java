package io.github.broadloom.io;

import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** The elements of a tensor of any layout as a stream of bytes in row-major order. */
public final class RowMajor {
    /** A strided tensor is gathered in pieces of about this size, so that writing it needs no second copy of it. */
    private static final long PIECE_BYTES = 16L << 20;

    private RowMajor() {}

    public static void write(Tensor tensor, WritableByteChannel out) throws IOException {
        try (Hold held = Hold.of(tensor)) {
            writeHeld(tensor, out);
        }
    }

    private static void writeHeld(Tensor tensor, WritableByteChannel out) throws IOException {
        long bytes = tensor.numel() * tensor.dtype().bytes();
        if (tensor.isContiguous()) {
            long offset = tensor.layout().offset() * tensor.dtype().bytes();
            Bytes.drain(tensor.storage(), offset, bytes, out);
            return;
        }
        if (bytes <= PIECE_BYTES) {
            Tensor dense = tensor.copy();
            Storage copy = dense.storage();
            try {
                Bytes.drain(copy, 0, bytes, out);
            } finally {
                copy.release();
            }
            return;
        }
        // Every dimension before this one has one index, so the pieces follow each other in row-major order.
        int dim = 0;
        while (tensor.shape().size(dim) == 1) {
            dim++;
        }
        long size = tensor.shape().size(dim);
        long step = Math.max(1, PIECE_BYTES / (bytes / size));
        for (long start = 0; start < size; start += step) {
            writeHeld(tensor.narrow(dim, start, Math.min(step, size - start)), out);
        }
    }
}
