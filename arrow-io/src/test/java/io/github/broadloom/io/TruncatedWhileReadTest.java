package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody shortens a file while it is read: what comes is right, or one sentence names the file. A mapped file would end this JVM. */
class TruncatedWhileReadTest {
    private static final int ROUNDS = 60;

    private final Tensor array = Tensors.arange(1, 250_001, 1).to(DType.FLOAT64).view(500, 500);

    @TempDir
    Path folder;

    @FunctionalInterface
    private interface Reading {
        Tensor of(Path file) throws IOException;
    }

    private void survives(Path whole, Tensor expected, Reading reading) throws Exception {
        double[] values = expected.toDoubleArray();
        Random random = new Random(7);
        long bytes = Files.size(whole);
        Path file = folder.resolve("file");
        for (int round = 0; round < ROUNDS; round++) {
            Files.copy(whole, file, StandardCopyOption.REPLACE_EXISTING);
            long left = random.nextLong(bytes);
            int spins = random.nextInt(200_000);
            CyclicBarrier start = new CyclicBarrier(2);
            Thread other = new Thread(() -> truncate(file, left, spins, start));
            other.start();
            start.await();
            try {
                Tensor read = reading.of(file);
                assertThat(Arrays.equals(read.toDoubleArray(), values))
                        .as("what was read while the file was cut to " + left + " bytes is right")
                        .isTrue();
                read.release();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining(file.toString());
                assertThat(e.getMessage()).doesNotContain("\n");
            }
            other.join();
        }
        assertThatThrownBy(() -> reading.of(file)).hasMessageContaining(file.toString());
    }

    private static void truncate(Path file, long left, int spins, CyclicBarrier start) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            start.await();
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
            channel.truncate(left);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aNpyFile() throws Exception {
        Path whole = folder.resolve("whole");
        Npy.write(array, whole, WriteMode.CREATE);
        survives(whole, array, Npy::read);
    }

    @Test
    void rowsOfANpyFile() throws Exception {
        Path whole = folder.resolve("whole");
        Npy.write(array, whole, WriteMode.CREATE);
        survives(whole, array.narrow(0, 100, 300), file -> Npy.readRows(file, 100, 300));
    }

    @Test
    void aNpzFile() throws Exception {
        Path whole = folder.resolve("whole");
        Npz.write(Map.of("x", array), whole, WriteMode.CREATE);
        survives(whole, array, file -> Npz.read(file, "x"));
    }

    @Test
    void anArrowFile() throws Exception {
        Path whole = folder.resolve("whole");
        ArrowIpc.writeFile(array, whole, WriteMode.CREATE);
        survives(whole, array, ArrowIpc::readFile);
    }
}
