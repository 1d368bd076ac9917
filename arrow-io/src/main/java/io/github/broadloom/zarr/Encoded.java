package io.github.broadloom.zarr;

import io.github.broadloom.tensor.Storage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Encoded bytes off the heap, in memory of their own.
 *
 * @param bytes how many of the storage are theirs, from its beginning on
 */
public record Encoded(Storage storage, int bytes) implements AutoCloseable {
    private static final int PIECE_BYTES = 128 << 10;

    /** A view of them, direct. */
    public ByteBuffer buffer() {
        return storage.view(0, bytes);
    }

    /** Writes them to a stream, in pieces through the heap. */
    public void writeTo(OutputStream out) throws IOException {
        ByteBuffer left = buffer();
        byte[] piece = new byte[Math.min(bytes, PIECE_BYTES)];
        while (left.hasRemaining()) {
            int count = Math.min(left.remaining(), piece.length);
            left.get(piece, 0, count);
            out.write(piece, 0, count);
        }
    }

    /** Frees them. */
    @Override
    public void close() {
        storage.release();
    }
}
