package io.github.broadloom.pictures;

import org.jspecify.annotations.Nullable;

/** LZW as TIFF has it: codes of 9 to 12 bits, the highest bit first, and one bit more from one code before it is needed on. */
final class Lzw {
    private static final int CLEAR = 256;
    private static final int END = 257;
    private static final int FIRST = 258;
    private static final int CODES = 4096;
    private static final int FEWEST_BITS = 9;

    private final byte[] packed;
    private final byte[] out;
    /** Of each code, where its text is in the output, and how long. */
    private final int[] starts = new int[CODES];

    private final int[] lengths = new int[CODES];
    private int done;

    private Lzw(byte[] packed, int bytes) {
        this.packed = packed;
        this.out = new byte[bytes];
    }

    /** So many bytes; null where the packed ones are damaged. */
    static byte @Nullable [] unpack(byte[] packed, int bytes) {
        Lzw lzw = new Lzw(packed, bytes);
        return lzw.run() && lzw.done == bytes ? lzw.out : null;
    }

    private boolean run() {
        int next = FIRST;
        int width = FEWEST_BITS;
        int before = -1;
        long bit = 0;
        while (done < out.length && bit + width <= 8L * packed.length) {
            int code = bits(bit, width);
            bit += width;
            if (code == END) {
                return true;
            }
            if (code == CLEAR) {
                next = FIRST;
                width = FEWEST_BITS;
                before = -1;
                continue;
            }
            int start = done;
            int length = code < CLEAR ? 1 : code < next ? lengths[code] : code == next && before >= 0 ? -1 : 0;
            if (length == 0) {
                return false;
            }
            if (before >= 0
                    && next < CODES) { // the text before, and the first byte of this one, which follows it in the
                // output
                starts[next] = before;
                lengths[next] = start - before + 1;
                length = length < 0 ? lengths[next] : length;
                next++;
            }
            if (length < 0) {
                return false;
            }
            put(code < CLEAR ? -1 : starts[code], (byte) code, length);
            before = start;
            if (next + 1 >= 1 << width && width < 12) {
                width++;
            }
        }
        return true;
    }

    /** A byte, or a text that may reach into what is made of it; what is beyond the end is left out. */
    private void put(int from, byte literal, int length) {
        int count = Math.min(length, out.length - done);
        for (int i = 0; i < count; i++) {
            out[done + i] = from < 0 ? literal : out[from + i];
        }
        done += count;
    }

    private int bits(long bit, int width) {
        int at = (int) (bit / 8);
        int three = (packed[at] & 0xff) << 16
                | (at + 1 < packed.length ? packed[at + 1] & 0xff : 0) << 8
                | (at + 2 < packed.length ? packed[at + 2] & 0xff : 0);
        return three >> 24 - width - bit % 8 & (1 << width) - 1;
    }
}
