package io.github.broadloom.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.MemoryMeter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

/** Whatever becomes of a file's bytes, reading it succeeds or says so in one sentence, and takes memory in proportion. */
public final class Damage {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** On the heap in all, and beside it at a time. */
    private static final long MOST_BYTES = 64L << 20;
    /** Boxes of more elements are not read whole: an array without chunks may be as large as it says. */
    private static final long MOST_ELEMENTS = 1 << 18;

    private Damage() {}

    /** Damages a file in random ways, always in the same ones. */
    public static void survives(ArrayFormat format, Path file, int rounds) throws IOException {
        byte[] original = Files.readAllBytes(file);
        String name = file.getFileName().toString();
        Random random = new Random(name.hashCode());
        for (int round = 0; round < rounds; round++) {
            byte[] bytes = damaged(original, random);
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            try (MemoryMeter meter = MemoryMeter.begin()) {
                try {
                    readAll(format, new MemoryStore(name, bytes));
                } finally {
                    assertThat(meter.heldBytes()).isZero();
                    assertThat(meter.peakBytes())
                            .as(description(round, original, bytes))
                            .isLessThan(MOST_BYTES);
                }
            } catch (TensorFormatException e) {
                assertThat(e.getMessage()).startsWith("Cannot read ").doesNotContain("\n");
            } catch (IOException e) {
                throw new AssertionError(description(round, original, bytes), e);
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError e) {
                throw new AssertionError(description(round, original, bytes), e);
            }
            long taken = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertThat(taken).as(description(round, original, bytes)).isLessThan(MOST_BYTES);
        }
    }

    private static void readAll(ArrayFormat format, Store store) throws IOException {
        format.recognizes(store);
        TensorFormatException first = null;
        for (String key : format.keys(store)) {
            try {
                StoredArray array = format.open(store, key);
                Box box = Box.whole(array.shape());
                for (int d = 0; d < box.rank() && box.shape().numel() > MOST_ELEMENTS; d++) {
                    box = box.with(d, box.end(d) - 1, box.end(d));
                }
                array.reader().read(box).release();
            } catch (TensorFormatException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static String description(int round, byte[] original, byte[] bytes) {
        StringBuilder text = new StringBuilder("round " + round + ", " + bytes.length + " bytes of " + original.length);
        for (int i = 0; i < Math.min(bytes.length, original.length); i++) {
            if (bytes[i] != original[i]) {
                text.append(", [")
                        .append(i)
                        .append("] = ")
                        .append(HexFormat.of().toHexDigits(bytes[i]));
            }
        }
        return text.toString();
    }

    /** Changes a few bytes, most of them near each other and near the beginning, or cuts, or lengthens. */
    private static byte[] damaged(byte[] original, Random random) {
        byte[] bytes = original.clone();
        int reach = random.nextBoolean() ? Math.min(original.length, 1024) : original.length;
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(reach);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0x7f);
                default -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(8)), (byte) 0xff);
            }
        }
        return switch (random.nextInt(8)) {
            case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(100));
            default -> bytes;
        };
    }
}
