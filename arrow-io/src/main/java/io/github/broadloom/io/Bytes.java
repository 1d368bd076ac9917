package io.github.broadloom.io;

import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.LongFunction;

/** Moves bytes between channels and off-heap storage. Nothing here reads further than it was asked to. */
public final class Bytes {
    /** A channel is offered at most this much at once: {@link ByteBuffer} counts in int. */
    private static final long LARGEST_VIEW = 1L << 30;
    /** A length that nothing vouches for gets this much memory at first, and more only as bytes really arrive. */
    private static final long FIRST_ALLOCATION = 16L << 20;

    private static final int COPY_BYTES = 1 << 18;

    private Bytes() {}

    /** Reads until {@code count} bytes are there or the channel ends; returns how many came. */
    public static long fill(ReadableByteChannel in, Storage target, long offset, long count) throws IOException {
        long held = 0;
        while (held < count) {
            Cancellation.check();
            ByteBuffer view = view(target, offset + held, count - held);
            int read = in.read(view);
            if (read < 0) {
                break;
            }
            held += read;
        }
        return held;
    }

    /**
     * Exactly {@code count} bytes in a fresh storage. The count may come from a damaged file: memory grows with what
     * has arrived, so that a lie costs an error and not an allocation.
     *
     * @param truncated makes the error from the number of bytes that came, where they are too few
     */
    static Storage readGrowing(ReadableByteChannel in, long count, LongFunction<? extends IOException> truncated)
            throws IOException {
        return read(in, count, Math.min(count, FIRST_ALLOCATION), truncated);
    }

    /** Exactly {@code count} bytes in a fresh storage, where the file's length vouches for the count. */
    public static Storage readKnown(ReadableByteChannel in, long count, LongFunction<? extends IOException> truncated)
            throws IOException {
        return read(in, count, count, truncated);
    }

    private static Storage read(
            ReadableByteChannel in, long count, long firstBytes, LongFunction<? extends IOException> truncated)
            throws IOException {
        long capacity = firstBytes;
        Storage storage = Storage.allocate(capacity);
        try {
            long held = 0;
            while (true) {
                held += fill(in, storage, held, capacity - held);
                if (held < capacity) {
                    throw truncated.apply(held);
                }
                if (held == count) {
                    return storage;
                }
                capacity = count - held < held ? count : 2 * held;
                Storage larger = Storage.allocate(capacity);
                RawMemory.copy(storage.address(), larger.address(), held);
                storage.release();
                storage = larger;
            }
        } catch (IOException | RuntimeException | Error e) {
            storage.release();
            throw e;
        }
    }

    /** Writes {@code count} bytes of {@code source}, which is held. */
    static void drain(Storage source, long offset, long count, WritableByteChannel out) throws IOException {
        long written = 0;
        while (written < count) {
            ByteBuffer view = view(source, offset + written, count - written);
            written += view.remaining();
            while (view.hasRemaining()) {
                out.write(view);
            }
        }
    }

    /** A view of as much of the storage as a buffer can show. */
    static ByteBuffer view(Storage storage, long offset, long count) {
        return storage.view(offset, (int) Math.min(count, LARGEST_VIEW));
    }

    /** Unlike {@link java.nio.channels.Channels}, in pieces large enough for the copy not to be felt. */
    public static ReadableByteChannel channel(InputStream in) {
        return new ReadableByteChannel() {
            private byte[] piece = new byte[0];

            @Override
            public int read(ByteBuffer target) throws IOException {
                int wanted = Math.min(target.remaining(), COPY_BYTES);
                if (piece.length < wanted) {
                    piece = new byte[wanted];
                }
                int read = in.read(piece, 0, wanted);
                if (read > 0) {
                    target.put(piece, 0, read);
                }
                return read;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() throws IOException {
                in.close();
            }
        };
    }

    static WritableByteChannel channel(OutputStream out) {
        return new WritableByteChannel() {
            private byte[] piece = new byte[0];

            @Override
            public int write(ByteBuffer source) throws IOException {
                int total = source.remaining();
                int wanted = Math.min(total, COPY_BYTES);
                if (piece.length < wanted) {
                    piece = new byte[wanted];
                }
                while (source.hasRemaining()) {
                    Cancellation.check();
                    int count = Math.min(source.remaining(), piece.length);
                    source.get(piece, 0, count);
                    out.write(piece, 0, count);
                }
                return total;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        };
    }
}
