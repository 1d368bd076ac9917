package io.github.broadloom.format;

import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;

/** The few bytes of a file that say what is in it. */
public final class FileBytes {
    private FileBytes() {}

    /** So many from there on, or those up to the file's end. */
    public static byte[] upTo(SeekableByteChannel in, long position, int count) throws IOException {
        int there = (int) Math.max(0, Math.min(count, in.size() - position));
        ByteBuffer bytes = ByteBuffer.allocate(there);
        in.position(position);
        while (bytes.hasRemaining() && in.read(bytes) >= 0) {
            // as many as it gives at once
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /**
     * So many from there on.
     *
     * @param name the file's name, for the message
     * @throws TensorFormatException where the file ends before that
     */
    public static byte[] exactly(SeekableByteChannel in, long position, int count, String name) throws IOException {
        byte[] bytes = upTo(in, position, count);
        if (bytes.length < count) {
            throw TensorFormatException.cannotRead(
                    name, "it ends at byte " + in.size() + ", inside what says what is in it; the file is truncated");
        }
        return bytes;
    }

    /** The first ones of the file that a store is; none where it is a folder, or nothing is there. */
    public static byte[] first(Store store, int count) throws IOException {
        if (store.isFolder("")) {
            return new byte[0];
        }
        try (SeekableByteChannel in = store.open("")) {
            return upTo(in, 0, count);
        }
    }
}
