package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An Arrow file says everything twice, in its stream and in its footer: where one of the two is damaged the elements are right, or refused in a sentence. */
class DamagedArrowTest {
    private static final int TAIL_BYTES = 10;
    private static final int MAGIC_BYTES = 8;
    private static final int[] BITS = {0, 1, 3, 7};
    private static final byte[] OTHER_BYTES = {0, 1, -1, 127, -128};

    @TempDir
    Path folder;

    private static List<Tensor> batches(DType dtype) {
        return List.of(
                Tensors.arange(12).to(dtype).view(2, 2, 3),
                Tensors.arange(6).to(dtype).view(1, 2, 3),
                Tensors.arange(30).to(dtype).view(5, 2, 3));
    }

    private byte[] file(DType dtype) throws IOException {
        Path file = folder.resolve("whole.arrow");
        ArrowIpc.writeFile(batches(dtype).iterator(), file, WriteMode.OVERWRITE);
        return Files.readAllBytes(file);
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "BOOL"})
    @Tag("full")
    void everyByteOfTheFooterMayBeAnother(DType dtype) throws IOException {
        byte[] whole = file(dtype);
        int footerBytes = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(whole.length - TAIL_BYTES);
        List<Object> elements = read(whole);
        for (int at = whole.length - TAIL_BYTES - footerBytes; at < whole.length; at++) {
            for (int bit : BITS) {
                isRightOrRefused(whole, at, (byte) (whole[at] ^ 1 << bit), elements);
            }
            for (byte other : OTHER_BYTES) {
                isRightOrRefused(whole, at, other, elements);
            }
        }
    }

    @Test
    void everyByteOfTheSchemaMayBeAnother() throws IOException {
        byte[] whole = file(DType.FLOAT32);
        int schemaBytes = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(MAGIC_BYTES + Integer.BYTES);
        List<Object> elements = read(whole);
        for (int at = 0; at < MAGIC_BYTES + 2 * Integer.BYTES + schemaBytes; at++) {
            for (int bit : BITS) {
                isRightOrRefused(whole, at, (byte) (whole[at] ^ 1 << bit), elements);
            }
        }
    }

    @Test
    void itMayEndAnywhere() throws IOException {
        byte[] whole = file(DType.FLOAT32);
        List<Object> elements = read(whole);
        for (int length = 0; length < whole.length; length++) {
            isRightOrRefused(Arrays.copyOf(whole, length), elements, "cut to " + length + " bytes");
        }
    }

    private void isRightOrRefused(byte[] whole, int at, byte other, List<Object> elements) throws IOException {
        byte[] damaged = whole.clone();
        damaged[at] = other;
        isRightOrRefused(damaged, elements, "byte " + at + " is " + other + " and not " + whole[at]);
    }

    private void isRightOrRefused(byte[] bytes, List<Object> elements, String how) throws IOException {
        try {
            assertThat(read(bytes).equals(elements)).as(how).isTrue();
        } catch (TensorFormatException refused) {
            assertThat(refused.getMessage())
                    .as(how)
                    .startsWith("Cannot read " + folder.resolve("damaged.arrow") + ": ")
                    .doesNotContain("out of bounds", ": null", "Exception", "\n");
        }
        assertThat(Memory.allocatedBytes()).as(how).isLessThan(1 << 16);
    }

    private List<Object> read(byte[] bytes) throws IOException {
        Path file = folder.resolve("damaged.arrow");
        Files.write(file, bytes);
        Tensor tensor = ArrowIpc.readFile(file);
        List<Object> read = List.of(tensor.dtype(), tensor.shape(), tensor.values());
        tensor.release();
        return read;
    }
}
