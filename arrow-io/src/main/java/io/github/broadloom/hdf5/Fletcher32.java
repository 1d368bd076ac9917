package io.github.broadloom.hdf5;

import java.nio.ByteBuffer;

/** The checksum of HDF5's filter of that name: Fletcher's, of pairs of bytes, the high one first, modulo 65535. */
final class Fletcher32 {
    /** So many pairs can be added before a sum of the sums passes 32 bits. */
    private static final int PAIRS = 360;

    private Fletcher32() {}

    static int of(ByteBuffer bytes) {
        int length = bytes.remaining();
        int first = bytes.position();
        int sum = 0;
        int sums = 0;
        int pairs = length / 2;
        for (int start = 0; start < pairs; start += PAIRS) {
            for (int i = start; i < Math.min(pairs, start + PAIRS); i++) {
                sum += (bytes.get(first + 2 * i) & 0xff) << 8 | bytes.get(first + 2 * i + 1) & 0xff;
                sums += sum;
            }
            sum = folded(sum);
            sums = folded(sums);
        }
        if (length % 2 != 0) {
            sum += (bytes.get(first + length - 1) & 0xff) << 8;
            sums += sum;
            sum = folded(sum);
            sums = folded(sums);
        }
        return folded(sums) << 16 | folded(sum);
    }

    private static int folded(int sum) {
        return (sum & 0xffff) + (sum >>> 16);
    }
}
