package io.github.broadloom.exec;

import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.Checksum;

/** Writes the elements of contiguous tensors from off-heap memory. */
public final class TensorBytes {
    private static final int LARGEST_VIEW = 1 << 30;

    /** A new file takes four times as long in pieces of 8 MiB, for which Linux looks for large pages of its cache. */
    private static final int MOST_WRITTEN = 128 << 10;

    private TensorBytes() {}

    public interface Filling<E extends Exception> {
        void fill(Tensor tensor) throws E;
    }

    /** The tensor, filled; where that fails, its memory is released. */
    public static <E extends Exception> Tensor filled(Tensor tensor, Filling<E> filling) throws E {
        boolean complete = false;
        try {
            filling.fill(tensor);
            complete = true;
            return tensor;
        } finally {
            if (!complete) {
                tensor.release();
            }
        }
    }

    public static long count(Tensor tensor) {
        return tensor.numel() * tensor.dtype().bytes();
    }

    /** Some of the bytes, from {@code first} on. */
    public static void write(Tensor tensor, long first, long bytes, FileChannel channel, long position)
            throws IOException {
        long offset = tensor.address() - tensor.storage().address() + first;
        try (Hold held = Hold.of(tensor)) {
            for (long done = 0; done < bytes; ) {
                int length = (int) Math.min(bytes - done, MOST_WRITTEN);
                ByteBuffer view = tensor.storage().view(offset + done, length);
                while (view.hasRemaining()) {
                    done += channel.write(view, position + done);
                }
            }
        }
    }

    public static void add(Tensor tensor, Checksum checksum) {
        long offset = tensor.address() - tensor.storage().address();
        long bytes = count(tensor);
        try (Hold held = Hold.of(tensor)) {
            for (long done = 0; done < bytes; done += LARGEST_VIEW) {
                int length = (int) Math.min(bytes - done, LARGEST_VIEW);
                checksum.update(tensor.storage().view(offset + done, length));
            }
        }
    }
}
