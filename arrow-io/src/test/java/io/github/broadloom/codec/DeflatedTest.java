package io.github.broadloom.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The decoder of deflated data beside zlib, which Java has. */
class DeflatedTest {
    /** Bytes around the target that must stay as they are. */
    private static final int MARGIN = 64;

    private static final byte UNTOUCHED = 0x5a;

    enum Data {
        /** Long matches at every distance. */
        PERIODS {
            @Override
            int value(Random random, byte[] before, int i, int period) {
                return i < period ? random.nextInt(256) : before[i - period];
            }
        },
        /** Literals of 8 bits and more, and stored blocks. */
        NOISE {
            @Override
            int value(Random random, byte[] before, int i, int period) {
                return random.nextInt(256);
            }
        },
        /** Short codes, of which two come at once. */
        FEW_VALUES {
            @Override
            int value(Random random, byte[] before, int i, int period) {
                return random.nextInt(1 + period % 7) * 37;
            }
        },
        /** Codes of all lengths, up to 15 bits. */
        SKEWED {
            @Override
            int value(Random random, byte[] before, int i, int period) {
                return Long.numberOfTrailingZeros(random.nextLong() | 1L << 40) * 5 + (random.nextInt(9) == 0 ? i : 0);
            }
        },
        /** Matches far back, between literals. */
        TEXT {
            @Override
            int value(Random random, byte[] before, int i, int period) {
                return i > 3 && random.nextInt(12) > 0
                        ? before[i - 1 - i % Math.min(i, 3 * period)]
                        : random.nextInt(64);
            }
        };

        abstract int value(Random random, byte[] before, int i, int period);

        byte[] bytes(Random random, int length) {
            byte[] bytes = new byte[length];
            int period = 1 + random.nextInt(random.nextBoolean() ? 20 : 40_000);
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) value(random, bytes, i, period);
            }
            return bytes;
        }
    }

    private static byte[] deflated(byte[] bytes, int level, int strategy) {
        Deflater deflater = new Deflater(level);
        try {
            deflater.setStrategy(strategy);
            deflater.setInput(bytes);
            deflater.finish();
            byte[] out = new byte[bytes.length + bytes.length / 100 + 1000];
            int length = 0;
            while (!deflater.finished()) {
                length += deflater.deflate(out, length, out.length - length);
            }
            return Arrays.copyOf(out, length);
        } finally {
            deflater.end();
        }
    }

    private static byte[] zlib(byte[] packed, int room) throws DamagedBytes {
        return decoded(packed, room, Deflated::decodeZlib);
    }

    private interface Decoder {
        void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes;
    }

    /** Checks that nothing around the target is written, whatever comes of it. */
    private static byte[] decoded(byte[] packed, int room, Decoder decoder) throws DamagedBytes {
        ByteBuffer source = ByteBuffer.allocateDirect(packed.length).put(packed).flip();
        ByteBuffer memory = ByteBuffer.allocateDirect(room + 2 * MARGIN);
        while (memory.hasRemaining()) {
            memory.put(UNTOUCHED);
        }
        ByteBuffer target = memory.slice(MARGIN, room);
        try {
            decoder.decode(source, target);
            assertThat(source.position()).isZero();
            byte[] out = new byte[target.position()];
            target.flip().get(out);
            return out;
        } finally {
            for (int i = 0; i < MARGIN; i++) {
                assertThat(memory.get(i)).isEqualTo(UNTOUCHED);
                assertThat(memory.get(MARGIN + room + i)).isEqualTo(UNTOUCHED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Data.class)
    void everyLevelAndStrategyOfZlibIsDecoded(Data data) throws DamagedBytes {
        Random random = new Random(data.ordinal());
        for (int i = 0; i < 150; i++) {
            byte[] bytes = data.bytes(random, random.nextInt(i % 10 == 0 ? 300_000 : 3_000));
            int level = random.nextInt(10);
            int strategy = random.nextInt(3); // default, filtered, Huffman codes alone
            assertThat(zlib(deflated(bytes, level, strategy), bytes.length))
                    .as("%s %d: %d bytes, level %d, strategy %d", data, i, bytes.length, level, strategy)
                    .isEqualTo(bytes);
        }
    }

    /** What zlib makes of bytes that nobody deflated: null where it refuses them. */
    private static byte[] ofZlib(byte[] packed, int room) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed);
            byte[] out = new byte[room];
            int length = 0;
            while (!inflater.finished()) {
                int inflated = inflater.inflate(out, length, room - length);
                if (inflated == 0 && !inflater.finished()) {
                    return null;
                }
                length += inflated;
            }
            return Arrays.copyOf(out, length);
        } catch (DataFormatException e) {
            return null;
        } finally {
            inflater.end();
        }
    }

    @ParameterizedTest
    @EnumSource(Data.class)
    void damagedDataIsRefusedWhereZlibRefusesIt(Data data) {
        Random random = new Random(100 + data.ordinal());
        int refused = 0;
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = data.bytes(random, 1 + random.nextInt(2_000));
            byte[] packed = deflated(bytes, random.nextInt(10), random.nextInt(3));
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                packed[random.nextInt(packed.length)] ^= (byte) (1 << random.nextInt(8));
            }
            packed = random.nextInt(4) == 0 ? Arrays.copyOf(packed, random.nextInt(packed.length)) : packed;
            int room = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
            byte[] expected = ofZlib(packed, room);
            byte[] found;
            try {
                found = zlib(packed, room);
            } catch (DamagedBytes e) {
                found = null;
                refused++;
            }
            assertThat(found).as("%s %d", data, i).isEqualTo(expected);
        }
        assertThat(refused).isGreaterThan(1000);
    }

    /** Without a checksum that would tell: blocks whose bits are anything, which lead into every corner of the codes. */
    @Test
    void randomBlocksDoNotLeaveTheirMemory() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] packed = new byte[2 + random.nextInt(400)];
            random.nextBytes(packed);
            packed[0] = 0x78;
            packed[1] = (byte) 0x9c;
            if (packed.length > 2 && i % 2 == 0) {
                packed[2] = (byte) (packed[2] & ~7 | (i % 4 == 0 ? 4 : 2)); // codes of its own, or the fixed ones
            }
            try {
                byte[] found = zlib(packed, 700);
                assertThat(found).isEqualTo(ofZlib(packed, 700));
            } catch (DamagedBytes e) {
                assertThat(e.getMessage()).startsWith("its zlib data ");
            }
        }
    }

    @Test
    void gzipMembersFollowEachOther() throws IOException, DamagedBytes {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String part : List.of("first, ", "second")) {
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                gzip.write(part.getBytes(StandardCharsets.US_ASCII));
            }
        }
        byte[] both = out.toByteArray();
        assertThat(decoded(both, 100, Deflated::decodeGzip)).asString().isEqualTo("first, second");
        both[both.length - 1]++;
        assertThatThrownBy(() -> decoded(both, 100, Deflated::decodeGzip))
                .isInstanceOf(DamagedBytes.class)
                .hasMessage("its gzip data is damaged (its length)");
    }

    /** Made by Python's gzip and zlib: {@code gzip.GzipFile(filename="name")}, and a header with an extra field, a comment and a checksum. */
    @Test
    void gzipHeadersWithEverythingAreSkipped() throws DamagedBytes {
        byte[] plain = HexFormat.of().parseHex("4b4c4a0600");
        byte[] end = HexFormat.of().parseHex("c241243503000000");
        List<byte[]> headers = new ArrayList<>();
        headers.add(HexFormat.of().parseHex("1f8b0808000000000003" + "6e616d6500"));
        headers.add(HexFormat.of().parseHex("1f8b081e000000000003" + "0300aabbcc" + "6e616d6500" + "6f6600" + "1234"));
        for (byte[] header : headers) {
            ByteBuffer all = ByteBuffer.allocate(header.length + plain.length + end.length);
            byte[] file = all.put(header).put(plain).put(end).array();
            assertThat(decoded(file, 3, Deflated::decodeGzip)).asString().isEqualTo("abc");
            for (int length = 0; length < file.length; length++) {
                byte[] truncated = Arrays.copyOf(file, length);
                assertThatThrownBy(() -> decoded(truncated, 3, Deflated::decodeGzip))
                        .isInstanceOf(DamagedBytes.class)
                        .hasMessage("its gzip data ends too early");
            }
        }
    }

    @Test
    void whatIsTooMuchIsRefused() {
        byte[] packed = deflated(new byte[1000], 6, Deflater.DEFAULT_STRATEGY);
        for (int room : new int[] {0, 1, 500, 999}) {
            assertThatThrownBy(() -> zlib(packed, room))
                    .isInstanceOf(DamagedBytes.class)
                    .hasMessage("its zlib data holds more than belongs there");
        }
    }
}
