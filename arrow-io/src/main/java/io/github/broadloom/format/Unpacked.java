package io.github.broadloom.format;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Bytes out of data that a general compressor packed, of which no more memory is taken than may come out of it. */
public final class Unpacked {
    /** What zlib can make of a byte. */
    private static final long MOST_OF_ONE = 1032;

    /** What Zstandard can make of a byte: 128 KiB take four. */
    private static final long MOST_OF_ONE_ZSTD = 32768;

    private Unpacked() {}

    /**
     * The bytes that were deflated.
     *
     * @param most how many there may be; no more memory than that is taken
     * @return null where the data is damaged, or has more
     */
    public static byte @Nullable [] zlib(byte[] deflated, int most) {
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

    /**
     * The bytes of a Zstandard frame.
     *
     * @param most how many there may be; no more memory than that is taken
     * @return null where the data is damaged, or has more
     */
    public static byte @Nullable [] zstd(byte[] packed, int most) {
        byte[] out = new byte[(int) Math.min(most, MOST_OF_ONE_ZSTD * packed.length + 64)];
        try {
            long length = Zstd.decompressByteArray(out, 0, out.length, packed, 0, packed.length);
            return Zstd.isError(length) ? null : Arrays.copyOf(out, (int) length);
        } catch (ZstdException e) {
            return null;
        }
    }
}
