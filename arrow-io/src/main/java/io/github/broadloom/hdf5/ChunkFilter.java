package io.github.broadloom.hdf5;

import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.codec.Deflated;
import io.github.broadloom.codec.Lz4Blocks;
import io.github.broadloom.codec.Shuffling;
import io.github.broadloom.codec.ZstdFrames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A filter of chunks, known by the number that HDF5's registry gave it. Each knows how many bytes may come out of one, so that no more memory is taken than that, whatever the chunk says. jHDF
 * has most of them without that, does not check fletcher32, and leaves the last block of bitshuffle as it is.
 */
enum ChunkFilter {
    DEFLATE(1, Deflated.MOST_OF_ONE) {
        @Override
        void decode(ByteBuffer source, int[] parameters, ByteBuffer target) throws DamagedBytes {
            Deflated.decodeZlib(source, target);
        }
    },
    SHUFFLE(2, 1) {
        @Override
        void decode(ByteBuffer source, int[] parameters, ByteBuffer target) throws DamagedBytes {
            int width = parameters.length > 0 && parameters[0] > 0 ? parameters[0] : 1;
            Shuffling.unshuffle(source, target, width);
        }
    },
    FLETCHER32(3, 1) {
        @Override
        void decode(ByteBuffer source, int[] parameters, ByteBuffer target) throws DamagedBytes {
            int length = source.remaining() - Integer.BYTES;
            require(length >= 0 && length <= target.remaining());
            int stored = source.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(source.position() + length);
            ByteBuffer bytes = source.slice(source.position(), length);
            int sum = Fletcher32.of(bytes);
            // Old versions of the library on little-endian machines stored the bytes of each half in the other order.
            int old = (sum & 0x00ff_00ff) << 8 | sum >>> 8 & 0x00ff_00ff;
            if (stored != sum && stored != old) {
                throw new DamagedBytes("the checksum of a chunk does not match its bytes; the file is damaged");
            }
            target.put(bytes);
        }
    },
    LZF(32000, Lzf.MOST_OF_ONE) {
        @Override
        void decode(ByteBuffer source, int[] parameters, ByteBuffer target) throws DamagedBytes {
            int length = parameters.length > 2 && parameters[2] > 0 ? parameters[2] : target.remaining();
            require(length <= target.remaining());
            int start = target.position();
            Lzf.decode(source, target);
            require(target.position() - start == length);
        }
    },
    LZ4(32004, Lz4Blocks.MOST_OF_ONE) {
        @Override
        void decode(ByteBuffer source, int[] parameters, ByteBuffer target) throws DamagedBytes {
            ByteBuffer in = source.duplicate();
            int bytes = claimed(in, target.remaining());
            int block = in.getInt();
            for (int done = 0; done < bytes; ) {
                int size = Math.min(block, bytes - done);
                require(size > 0 && in.remaining() >= Integer.BYTES);
                int stored = in.getInt();
                require(stored >= 0 && stored <= in.remaining());
                ByteBuffer packed = in.slice(in.position(), stored);
                ByteBuffer unpacked = target.slice(target.position(), size);
                if (stored == size) {
                    unpacked.put(packed);
                } else {
                    Lz4Blocks.decode(packed, unpacked);
                }
                require(!unpacked.hasRemaining());
                in.position(in.position() + stored);
                target.position(target.position() + size);
                done += size;
            }
        }
    },
    BITSHUFFLE(32008, ZstdFrames.MOST_OF_ONE) {
        @Override
        void decode(ByteBuffer source, int[] parameters, ByteBuffer target) throws DamagedBytes {
            Bitshuffle.decode(source, parameters, target);
        }
    },
    ZSTD(32015, ZstdFrames.MOST_OF_ONE) {
        @Override
        void decode(ByteBuffer source, int[] parameters, ByteBuffer target) throws DamagedBytes {
            ZstdFrames.decode(source, target);
        }
    };

    /** A checksum is the most that a filter adds to what comes in. */
    static final int MOST_ADDED = Integer.BYTES;

    private final int id;
    private final int mostOfOne;

    ChunkFilter(int id, int mostOfOne) {
        this.id = id;
        this.mostOfOne = mostOfOne;
    }

    static Optional<ChunkFilter> of(int id) {
        return Arrays.stream(values()).filter(filter -> filter.id == id).findFirst();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The bytes that may come out of so many. */
    long mostDecoded(long bytes) {
        return bytes * mostOfOne + 64;
    }

    /**
     * Undoes it: decodes all of the source, which stays as it is, and leaves the position of the target behind what it wrote.
     *
     * @throws DamagedBytes where the source is damaged, or holds more than the target takes
     */
    abstract void decode(ByteBuffer source, int[] parameters, ByteBuffer target) throws DamagedBytes;

    private static void require(boolean isGood) throws DamagedBytes {
        if (!isGood) {
            throw new DamagedBytes("it ends too early, or claims what it does not hold");
        }
    }

    /** The eight bytes in front of lz4's and bitshuffle's blocks: how many bytes they hold. */
    static int claimed(ByteBuffer in, int most) throws DamagedBytes {
        require(in.remaining() >= Long.BYTES + Integer.BYTES);
        long claimed = in.getLong();
        require(claimed >= 0 && claimed <= most);
        return (int) claimed;
    }
}
