package io.github.broadloom.zarr;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.format.MemoryStore;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stores with wrong bits, missing ends and lying numbers: they are read, or refused in a sentence. */
class ZarrFuzzTest {
    private static final List<String> LIES = List.of(
            "0",
            "-1",
            "1",
            "2147483647",
            "2147483648",
            "9223372036854775807",
            "1e308",
            "null",
            "\"x\"",
            "[]",
            "{}",
            "\"..\"");

    @Test
    void nothingButSentencesComesOfDamage() throws IOException {
        run(3, 7);
    }

    @Test
    @Tag("full")
    void nothingButSentencesComesOfMuchDamage() throws IOException {
        run(400, 8);
    }

    private static void run(int perStore, long seed) throws IOException {
        try (MemoryMeter meter = MemoryMeter.begin()) {
            damage(perStore, seed);
            assertThat(meter.peakBytes()).isLessThan(16 << 20); // the largest of the arrays has half a megabyte
        }
    }

    private static void damage(int perStore, long seed) throws IOException {
        Random random = new Random(seed);
        int refused = 0;
        Map<String, MemoryStore> all = Fixtures.stores();
        all.remove("v2-consolidated.zarr"); // the same once more
        for (MemoryStore whole : all.values()) {
            for (int i = 0; i < perStore; i++) {
                MemoryStore store = new MemoryStore("memory");
                store.files().putAll(whole.files());
                List<String> names = new ArrayList<>(store.files().keySet());
                String victim = random.nextBoolean()
                        ? names.get(random.nextInt(names.size()))
                        : names.stream()
                                .filter(name -> name.endsWith("zarr.json") || name.endsWith(".zarray"))
                                .findFirst()
                                .orElseThrow();
                store.files().put(victim, damaged(store.files().get(victim), random));
                refused += isRefused(store) ? 1 : 0;
            }
        }
        assertThat(refused).isBetween(all.size() * perStore / 4, all.size() * perStore);
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] other = bytes.clone();
        switch (random.nextInt(4)) {
            case 0 -> {
                for (int flips = 1 + random.nextInt(8); flips > 0 && other.length > 0; flips--) {
                    other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 1 -> other = Arrays.copyOf(other, random.nextInt(other.length + 1));
            case 2 -> other = Arrays.copyOf(other, other.length + 1 + random.nextInt(100));
            default -> {
                if (other.length > 0 && other[0] == '{') {
                    other = lying(new String(other, StandardCharsets.UTF_8), random)
                            .getBytes(StandardCharsets.UTF_8);
                } else { // a length in a header, as likely as not
                    int at = random.nextInt(Math.max(1, other.length - 4));
                    Arrays.fill(other, at, Math.min(other.length, at + 4), (byte) (random.nextBoolean() ? -1 : 0));
                }
            }
        }
        return other;
    }

    /** The text with one of its numbers or words replaced. */
    private static String lying(String json, Random random) {
        List<int[]> values = new ArrayList<>();
        var matcher =
                java.util.regex.Pattern.compile("-?[0-9]+|\"[^\"]*\"|null").matcher(json);
        while (matcher.find()) {
            values.add(new int[] {matcher.start(), matcher.end()});
        }
        int[] value = values.get(random.nextInt(values.size()));
        return json.substring(0, value[0]) + LIES.get(random.nextInt(LIES.size())) + json.substring(value[1]);
    }

    /** Reads a box of every array; what a box takes is asked for by who reads it, so it is small. */
    private static boolean isRefused(MemoryStore store) {
        boolean refused = false;
        ZarrFormat format = new ZarrFormat();
        List<String> keys;
        try {
            keys = format.recognizes(store) ? format.keys(store) : List.of();
        } catch (IOException e) {
            assertSentence(e);
            return true;
        }
        for (String key : keys) {
            try {
                StoredArray array = format.open(store, key);
                long[] ends = array.shape().toArray();
                Arrays.setAll(ends, d -> Math.min(ends[d], 64));
                if (ends.length <= 3) {
                    Tensor read = array.reader().read(Box.of(new long[ends.length], ends));
                    assertThat(read.shape().toArray()).isEqualTo(ends);
                    read.release();
                }
            } catch (IOException e) {
                assertSentence(e);
                refused = true;
            }
        }
        return refused;
    }

    private static void assertSentence(IOException e) {
        assertThat(e.getMessage())
                .startsWith("Cannot read memory")
                .doesNotContain("\n")
                .hasSizeBetween(25, 700);
    }
}
