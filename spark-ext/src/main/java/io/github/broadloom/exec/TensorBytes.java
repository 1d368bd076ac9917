package io.github.broadloom.exec;

import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.Checksum;

/** Writes the elements of contiguous tensors from off-heap memory. */
public final class TensorBytes {
    private static final int LARGEST_VIEW = 1 << 30;
    private static final int COPY_BYTES = 1 << 18;

    private TensorBytes() {}

    public static long count(Tensor tensor) {
        return tensor.numel() * tensor.dtype().bytes();
    }

    public static void write(Tensor tensor, FileChannel channel, long position) throws IOException {
        long offset = tensor.address() - tensor.storage().address();
        long bytes = count(tensor);
        try (Hold held = Hold.of(tensor)) {
            for (long done = 0; done < bytes; ) {
                int length = (int) Math.min(bytes - done, LARGEST_VIEW);
                ByteBuffer view = tensor.storage().buffer().nioBuffer(offset + done, length);
                while (view.hasRemaining()) {
                    done += channel.write(view, position + done);
                }
            }
        }
    }

    /** Adds the elements to a checksum. */
    public static void add(Tensor tensor, Checksum checksum) {
        long offset = tensor.address() - tensor.storage().address();
        long bytes = count(tensor);
        try (Hold held = Hold.of(tensor)) {
            for (long done = 0; done < bytes; done += LARGEST_VIEW) {
                int length = (int) Math.min(bytes - done, LARGEST_VIEW);
                checksum.update(tensor.storage().buffer().nioBuffer(offset + done, length));
            }
        }
    }

    public static void write(Tensor tensor, OutputStream out) throws IOException {
        long bytes = count(tensor);
        byte[] piece = new byte[(int) Math.min(bytes, COPY_BYTES)];
        try (Hold held = Hold.of(tensor)) {
            for (long done = 0; done < bytes; ) {
                int length = (int) Math.min(bytes - done, piece.length);
                Cancellation.check();
                RawMemory.copy(tensor.address() + done, piece, 0, length);
                out.write(piece, 0, length);
                done += length;
            }
        }
    }
}
