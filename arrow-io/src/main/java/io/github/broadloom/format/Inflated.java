package io.github.broadloom.format;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Bytes out of zlib data. */
public final class Inflated {
    /** What zlib can make of a byte. */
    private static final long MOST_OF_ONE = 1032;

    private Inflated() {}

    /**
     * The bytes that were deflated.
     *
     * @param most how many there may be; no more memory than that is taken
     * @return null where the data is damaged, or has more
     */
    public static byte @Nullable [] of(byte[] deflated, int most) {
        byte[] out = new byte[(int) Math.min(most, MOST_OF_ONE * deflated.length + 64)];
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(deflated);
            int length = 0;
            while (!inflater.finished()) {
                int inflated = inflater.inflate(out, length, out.length - length);
                if (inflated == 0 && !inflater.finished()) {
                    return null;
                }
                length += inflated;
            }
            return length == out.length ? out : Arrays.copyOf(out, length);
        } catch (DataFormatException e) {
            return null;
        } finally {
            inflater.end();
        }
    }
}
