package io.github.broadloom.zarr;

import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.Bytes;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.tensor.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a chunk in an open file: all of it, or of one of a shard's inner chunks.
 *
 * @param start the first one's place in the file
 * @param held the same bytes, where they are in memory already
 */
record ChunkRange(
        Store store,
        String key,
        SeekableByteChannel in,
        long start,
        long length,
        @Nullable ByteBuffer held) {
    static ChunkRange whole(Store store, String key, SeekableByteChannel in) throws IOException {
        return new ChunkRange(store, key, in, 0, in.size(), null);
    }

    /** @throws TensorFormatException where it does not lie in these */
    ChunkRange part(long offset, long bytes) throws TensorFormatException {
        if (offset < 0 || bytes < 0 || offset > length - bytes) {
            throw damaged("the index of its shard names " + Long.toUnsignedString(bytes) + " bytes at "
                    + Long.toUnsignedString(offset) + " of " + length);
        }
        ByteBuffer there = held == null ? null : held.slice((int) offset, (int) bytes);
        return new ChunkRange(store, key, in, start + offset, bytes, there);
    }

    /** The same range with its bytes, which are read now into a storage of at least that size. */
    ChunkRange held(Storage target) throws IOException {
        return new ChunkRange(store, key, in, start, length, read(target));
    }

    TensorFormatException damaged(String problem) {
        return TensorFormatException.cannotRead(store.name(key), problem);
    }

    TensorFormatException damaged(DamagedBytes problem) {
        return TensorFormatException.cannotRead(store.name(key), String.valueOf(problem.getMessage()), problem);
    }

    /** All of them, at the beginning of a storage of at least that size. */
    ByteBuffer read(Storage target) throws IOException {
        ByteBuffer bytes = target.view(0, Math.toIntExact(length));
        if (held != null) {
            return bytes.put(held.duplicate()).flip();
        }
        in.position(start);
        long read = Bytes.fill(in, target, 0, length);
        if (read < length) {
            throw damaged("it ends at byte " + (start + read) + " of " + (start + length)
                    + "; was it replaced while it was read?");
        }
        return bytes;
    }
}
