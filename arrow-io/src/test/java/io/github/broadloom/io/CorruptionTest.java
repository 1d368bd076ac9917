package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever becomes of a file's bytes, reading it succeeds or says so in one sentence, and allocates nothing to speak of. */
class CorruptionTest {
    private static final int ROUNDS = 3_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"float64.npy", "int32-fortran.npy", "version2.npy", "rank4-fortran-big.npy", "pickled.npy"})
    void ofNpy(String name) throws IOException {
        byte[] original = Files.readAllBytes(NumPyFiles.file(name));
        Path file = folder.resolve("x.npy");
        Random random = new Random(name.hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = corrupted(original, random, Math.min(original.length, 140));
            succeedsOrSaysSo(bytes, () -> Npy.read(new ByteArrayInputStream(bytes), "x.npy"));
            if (round % 10 == 0) {
                Files.write(file, bytes);
                succeedsOrSaysSo(bytes, () -> Npy.read(file));
                succeedsOrSaysSo(bytes, () -> Npy.map(file));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stored.npz", "compressed.npz", "streamed.npz"})
    void ofNpz(String name) throws IOException {
        byte[] original = Files.readAllBytes(NumPyFiles.file(name));
        Path file = folder.resolve("x.npz");
        Random random = new Random(name.hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = corrupted(original, random, original.length);
            Files.write(file, bytes);
            succeedsOrSaysSo(bytes, () -> Npz.readAll(file));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"int32.arrow", "bool.arrow", "permuted.arrow", "among-others.arrow"})
    void ofArrowFiles(String name) throws IOException {
        byte[] original = Files.readAllBytes(ArrowFiles.file(name));
        Path file = folder.resolve("x.arrow");
        Random random = new Random(name.hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = corrupted(original, random, original.length);
            Files.write(file, bytes);
            succeedsOrSaysSo(bytes, () -> ArrowIpc.readFile(file));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"int32.arrows", "bool.arrows", "permuted.arrows", "among-others.arrows", "int8.arrow"})
    void ofArrowStreams(String name) throws IOException {
        byte[] original = Files.readAllBytes(ArrowFiles.file(name));
        Random random = new Random(name.hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = corrupted(original, random, original.length);
            succeedsOrSaysSo(
                    bytes, () -> ArrowFiles.all(ArrowIpc.readStream(new ByteArrayInputStream(bytes), "stream")));
        }
    }

    @FunctionalInterface
    private interface Reading {
        Object read() throws IOException;
    }

    private static void succeedsOrSaysSo(byte[] bytes, Reading reading) {
        try {
            assertThat(reading.read()).isNotNull();
        } catch (TensorFormatException e) {
            assertThat(e.getMessage()).startsWith("Cannot read ").doesNotContain("\n");
        } catch (Exception | StackOverflowError | AssertionError | OutOfMemoryError e) {
            fail("for these bytes: " + Arrays.toString(bytes), e);
        }
    }

    /** Changes a few bytes among the first {@code reach}, or cuts, or lengthens. */
    private static byte[] corrupted(byte[] original, Random random, int reach) {
        byte[] bytes = original.clone();
        int changes = random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(reach);
            switch (random.nextInt(3)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                default ->
                    bytes[at] = "0123456789(),[]{}'LOf<>\0".getBytes(StandardCharsets.US_ASCII)[random.nextInt(24)];
            }
        }
        return switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(100));
            default -> bytes;
        };
    }
}
