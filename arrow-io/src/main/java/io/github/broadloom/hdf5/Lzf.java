package io.github.broadloom.hdf5;

import io.github.broadloom.codec.DamagedBytes;
import java.nio.ByteBuffer;

/** LibLZF's compression, which h5py brings as a filter. Spark's library of it has another method for the same in each of its versions. */
final class Lzf {
    /** A match of three bytes stands for 264 at most. */
    static final int MOST_OF_ONE = 100;

    private static final int LITERALS = 32;
    private static final int LONG_MATCH = 7;

    private Lzf() {}

    /**
     * Decodes all of the source, and leaves the position of the target behind what it wrote.
     *
     * @throws DamagedBytes where the source is damaged, or holds more than the target takes
     */
    static void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        int start = target.position();
        int in = source.position();
        while (in < source.limit()) {
            int control = source.get(in++) & 0xff;
            if (control < LITERALS) {
                int count = control + 1;
                require(count <= source.limit() - in && count <= target.remaining());
                target.put(source.slice(in, count));
                in += count;
                continue;
            }
            int count = control / LITERALS;
            require(source.limit() - in >= (count == LONG_MATCH ? 2 : 1));
            count += 2 + (count == LONG_MATCH ? source.get(in++) & 0xff : 0);
            int from = target.position() - (control % LITERALS << 8) - (source.get(in++) & 0xff) - 1;
            require(from >= start && count <= target.remaining());
            for (int i = 0; i < count; i++) { // one by one: a match may reach into what it makes
                target.put(target.get(from + i));
            }
        }
    }

    private static void require(boolean isGood) throws DamagedBytes {
        if (!isGood) {
            throw new DamagedBytes("its lzf data is damaged");
        }
    }
}
