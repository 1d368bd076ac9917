package io.github.broadloom.hdf5;

import io.github.broadloom.format.Shuffling;
import io.github.broadloom.format.Unpacked;
import io.jhdf.exceptions.HdfException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/**
 * A filter of chunks, known by the number that HDF5's registry gave it. Each knows how many bytes may come out of it, and takes no more memory than that, whatever the chunk says. jHDF
 * has most of them without that, does not check fletcher32, and leaves the last block of bitshuffle as it is.
 */
enum ChunkFilter {
    DEFLATE(1) {
        @Override
        byte[] decode(byte[] bytes, int[] parameters, int most) {
            return orDamaged(Unpacked.zlib(bytes, most));
        }
    },
    SHUFFLE(2) {
        @Override
        byte[] decode(byte[] bytes, int[] parameters, int most) {
            int width = parameters.length > 0 && parameters[0] > 0 ? parameters[0] : 1;
            return bytes.length == 0 ? bytes : Shuffling.unshuffled(bytes, bytes.length, width);
        }
    },
    FLETCHER32(3) {
        @Override
        byte[] decode(byte[] bytes, int[] parameters, int most) {
            int length = bytes.length - Integer.BYTES;
            if (length < 0) {
                throw damaged();
            }
            int stored = Integer.reverseBytes(ByteBuffer.wrap(bytes).getInt(length));
            int sum = Fletcher32.of(bytes, length);
            // Old versions of the library on little-endian machines stored the bytes of each half in the other order.
            int old = (sum & 0x00ff_00ff) << 8 | sum >>> 8 & 0x00ff_00ff;
            if (stored != sum && stored != old) {
                throw new HdfException("the checksum of a chunk does not match its bytes; the file is damaged");
            }
            return Arrays.copyOf(bytes, length);
        }
    },
    LZF(32000) {
        @Override
        byte[] decode(byte[] bytes, int[] parameters, int most) {
            int length = parameters.length > 2 && parameters[2] > 0 ? parameters[2] : most;
            if (length > most || length > 100L * bytes.length) { // a match of three bytes stands for 264 at most
                throw damaged();
            }
            byte[] out = new byte[length];
            if (Lzf.decode(bytes, out) != length) {
                throw damaged();
            }
            return out;
        }
    },
    LZ4(32004) {
        @Override
        byte[] decode(byte[] bytes, int[] parameters, int most) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte[] out = new byte[claimed(in, most)];
            int block = in.getInt();
            for (int done = 0; done < out.length; ) {
                int size = Math.min(block, out.length - done);
                int stored = in.getInt();
                if (size <= 0 || stored < 0 || stored > in.remaining()) {
                    throw damaged();
                }
                if (stored == size) {
                    in.get(out, done, size);
                } else {
                    unpackLz4(in, stored, out, done, size);
                }
                done += size;
            }
            return out;
        }
    },
    BITSHUFFLE(32008) {
        @Override
        byte[] decode(byte[] bytes, int[] parameters, int most) {
            return Bitshuffle.decode(this, bytes, parameters, most);
        }
    },
    ZSTD(32015) {
        @Override
        byte[] decode(byte[] bytes, int[] parameters, int most) {
            return orDamaged(Unpacked.zstd(bytes, most));
        }
    };

    /** A checksum is the most that a filter adds to what comes in. */
    static final int MOST_ADDED = Integer.BYTES;

    private final int id;

    ChunkFilter(int id) {
        this.id = id;
    }

    static Optional<ChunkFilter> of(int id) {
        return Arrays.stream(values()).filter(filter -> filter.id == id).findFirst();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Undoes it.
     *
     * @param most the bytes that may come out
     * @throws HdfException where the bytes are damaged
     */
    abstract byte[] decode(byte[] bytes, int[] parameters, int most);

    byte[] orDamaged(byte @Nullable [] unpacked) {
        if (unpacked == null) {
            throw damaged();
        }
        return unpacked;
    }

    HdfException damaged() {
        return new HdfException("the " + label() + " data of a chunk is damaged");
    }

    /** The eight bytes in front of lz4's and bitshuffle's blocks: how many bytes they hold. */
    int claimed(ByteBuffer in, int most) {
        if (in.remaining() < Long.BYTES + Integer.BYTES) {
            throw damaged();
        }
        long claimed = in.getLong();
        // Zstandard makes most of a byte, where bitshuffle is followed by it.
        if (claimed < 0 || claimed > most || claimed > 32768L * in.remaining() + 64) {
            throw damaged();
        }
        return (int) claimed;
    }

    void unpackLz4(ByteBuffer in, int stored, byte[] out, int at, int size) {
        try {
            int unpacked = LZ4Factory.safeInstance()
                    .safeDecompressor()
                    .decompress(in.array(), in.position(), stored, out, at, size);
            if (unpacked != size) {
                throw damaged();
            }
            in.position(in.position() + stored);
        } catch (LZ4Exception e) {
            throw damaged();
        }
    }
}
