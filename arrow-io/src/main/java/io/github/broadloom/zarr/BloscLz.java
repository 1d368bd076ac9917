package io.github.broadloom.zarr;

import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.tensor.RawMemory;

/** Decodes BloscLZ, Blosc's own descendant of FastLZ: runs of literals, and matches with what was decoded before, near ones and far ones. */
final class BloscLz {
    private static final int NEAR_LIMIT = 8191;

    private final long end;
    private final long first;
    private final long limit;
    private long in;
    private long out;

    private BloscLz(long source, long sourceBytes, long target, long targetBytes) {
        this.in = source;
        this.end = source + sourceBytes;
        this.first = target;
        this.out = target;
        this.limit = target + targetBytes;
    }

    /**
     * Decodes between two addresses; returns how many bytes came of it.
     *
     * @throws DamagedBytes where the source ends too early, or refers to what is not there
     */
    static long decode(long source, long sourceBytes, long target, long targetBytes) throws DamagedBytes {
        return new BloscLz(source, sourceBytes, target, targetBytes).decode();
    }

    private long decode() throws DamagedBytes {
        int control = next() & 31; // the rest of the first byte is the version
        while (true) {
            if (control >= 32) {
                match(control);
            } else {
                literals(control + 1);
            }
            if (in >= end) {
                return out - first;
            }
            control = next();
        }
    }

    private int next() throws DamagedBytes {
        if (in >= end) {
            throw new DamagedBytes("its blosclz data ends too early");
        }
        return RawMemory.getByte(in++) & 0xff;
    }

    private void literals(int count) throws DamagedBytes {
        if (count > end - in || count > limit - out) {
            throw new DamagedBytes("its blosclz data is damaged");
        }
        RawMemory.copy(in, out, count);
        in += count;
        out += count;
    }

    private void match(int control) throws DamagedBytes {
        long length = (control >> 5) - 1L;
        int high = (control & 31) << 8;
        if (length == 6) {
            int more;
            do {
                more = next();
                length += more;
            } while (more == 255);
        }
        length += 3;
        int low = next();
        long distance = high + low + 1L;
        if (low == 255 && high == 31 << 8) {
            distance = NEAR_LIMIT + 1L + (next() << 8);
            distance += next();
        }
        if (length > limit - out || distance > out - first) {
            throw new DamagedBytes("its blosclz data is damaged");
        }
        copyMatch(distance, length);
    }

    /** The match may reach into what it writes, which it then repeats. */
    private void copyMatch(long distance, long length) {
        long from = out - distance;
        if (distance == 1) {
            RawMemory.fill(out, length, RawMemory.getByte(from));
        } else if (distance >= length) {
            RawMemory.copy(from, out, length);
        } else {
            for (long i = 0; i < length; i++) {
                RawMemory.putByte(out + i, RawMemory.getByte(from + i));
            }
        }
        out += length;
    }
}
