package io.github.broadloom.zarr;

import io.github.broadloom.tensor.Storage;
import java.nio.ByteBuffer;

/**
 * Encoded bytes off the heap, in memory of their own.
 *
 * @param bytes how many of the storage are theirs, from its beginning on
 */
public record Encoded(Storage storage, int bytes) implements AutoCloseable {
    /** A view of them, direct. */
    public ByteBuffer buffer() {
        return storage.buffer().nioBuffer(0, bytes);
    }

    /** Frees them. */
    @Override
    public void close() {
        storage.release();
    }
}
