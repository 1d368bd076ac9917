package io.github.broadloom.pictures;

import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.codec.Deflated;
import io.github.broadloom.codec.ZstdFrames;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the bytes of a tile are packed. Each knows the most that can come out of a byte, so that no memory is taken for what a damaged file claims. */
enum TiffCompression {
    NONE(1, 1) {
        @Override
        byte @Nullable [] unpack(byte[] packed, int bytes) {
            return packed;
        }
    },
    LZW(3000, 5) {
        @Override
        byte @Nullable [] unpack(byte[] packed, int bytes) {
            return Lzw.unpack(packed, bytes);
        }
    },
    DEFLATE(Deflated.MOST_OF_ONE, 8, 32946) {
        @Override
        byte @Nullable [] unpack(byte[] packed, int bytes) {
            return decoded(Deflated::decodeZlib, packed, bytes);
        }
    },
    PACKBITS(64, 32773) {
        @Override
        byte @Nullable [] unpack(byte[] packed, int bytes) {
            byte[] out = new byte[bytes];
            int in = 0;
            int done = 0;
            while (done < bytes && in < packed.length) {
                int control = packed[in++];
                int count = control >= 0 ? control + 1 : control == -128 ? 0 : 1 - control;
                int taken = control >= 0 ? count : control == -128 ? 0 : 1;
                if (count > bytes - done || taken > packed.length - in) {
                    return null;
                }
                if (control >= 0) {
                    System.arraycopy(packed, in, out, done, count);
                } else if (taken > 0) {
                    Arrays.fill(out, done, done + count, packed[in]);
                }
                in += taken;
                done += count;
            }
            return done == bytes ? out : null;
        }
    },
    ZSTD(ZstdFrames.MOST_OF_ONE, 50000) {
        @Override
        byte @Nullable [] unpack(byte[] packed, int bytes) {
            return decoded(ZstdFrames::decode, packed, bytes);
        }
    },
    /** Which {@link TiffJpeg} unpacks, because it takes more than the bytes of a tile. */
    JPEG(512 * 4, 7) {
        @Override
        byte @Nullable [] unpack(byte[] packed, int bytes) {
            return null;
        }
    };

    private static final Map<Long, String> OTHERS = Map.of(
            2L,
            "CCITT",
            3L,
            "CCITT",
            4L,
            "CCITT",
            6L,
            "JPEG",
            7L,
            "JPEG",
            34712L,
            "JPEG 2000",
            34925L,
            "LZMA",
            34887L,
            "LERC",
            50001L,
            "WebP",
            50002L,
            "JPEG XL");

    private final long mostOfOne;
    private final long number;
    /** One that came before the format had its own. */
    private final long earlier;

    TiffCompression(long mostOfOne, long number) {
        this(mostOfOne, number, number);
    }

    TiffCompression(long mostOfOne, long number, long earlier) {
        this.mostOfOne = mostOfOne;
        this.number = number;
        this.earlier = earlier;
    }

    static TiffCompression of(long number, String name) throws TensorFormatException {
        Optional<TiffCompression> known = Arrays.stream(values())
                .filter(compression -> compression.number == number || compression.earlier == number)
                .findFirst();
        if (known.isEmpty()) {
            throw TensorFormatException.cannotRead(
                    name,
                    "its tiles are packed by compression " + number
                            + (OTHERS.containsKey(number) ? " (" + OTHERS.get(number) + ")" : "")
                            + ", which is not known here; "
                            + Arrays.stream(values())
                                    .map(TiffCompression::label)
                                    .collect(Collectors.joining(", ")) + " are");
        }
        return known.get();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether so many bytes can come out of so few. */
    boolean isPlausible(long packed, long bytes) {
        return bytes <= mostOfOne * packed + 64;
    }

    private interface Decoder {
        void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes;
    }

    private static byte @Nullable [] decoded(Decoder decoder, byte[] packed, int bytes) {
        Storage memory = Storage.allocate((long) packed.length + bytes);
        try {
            RawMemory.copy(packed, 0, memory.address(), packed.length);
            ByteBuffer target = memory.view(packed.length, bytes);
            decoder.decode(memory.view(0, packed.length), target);
            byte[] out = new byte[target.position()];
            target.flip().get(out);
            return out;
        } catch (DamagedBytes e) {
            return null;
        } finally {
            memory.release();
        }
    }

    /** So many bytes; others, or null, where the packed ones are damaged. */
    abstract byte @Nullable [] unpack(byte[] packed, int bytes);
}
