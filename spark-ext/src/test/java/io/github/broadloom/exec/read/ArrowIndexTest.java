package io.github.broadloom.exec.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An Arrow file as tasks read it, batch by batch: cut or damaged, it is refused in a sentence, and never a shorter one. */
class ArrowIndexTest {
    private static final int ROWS = 8;
    private static final List<Object> ELEMENTS =
            LongStream.range(0, ROWS * 3L).<Object>mapToObj(i -> i).toList();

    @TempDir
    Path folder;

    private byte[] whole = {};

    @BeforeEach
    void threeBatches() throws IOException {
        Tensor all = Tensors.arange(ROWS * 3L).view(ROWS, 3);
        Path file = folder.resolve("whole.arrow");
        ArrowIpc.writeFile(
                List.of(all.narrow(0, 0, 2), all.narrow(0, 2, 1), all.narrow(0, 3, 5))
                        .iterator(),
                file,
                WriteMode.CREATE);
        whole = Files.readAllBytes(file);
        all.release();
    }

    @Test
    void itMayBeCutAnywhere() throws IOException {
        for (int length = 0; length < whole.length; length++) {
            isWholeOrRefused(Arrays.copyOf(whole, length), "cut to " + length + " bytes");
        }
    }

    @Test
    void noByteOfItMakesAnythingElseThanASentence() throws IOException {
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % Byte.SIZE);
            try {
                read(damaged);
            } catch (TensorFormatException refused) {
                isSentence(refused, "a bit of byte " + at);
            }
        }
    }

    private void isWholeOrRefused(byte[] bytes, String how) throws IOException {
        try {
            assertThat(read(bytes)).as(how).isEqualTo(ELEMENTS);
        } catch (TensorFormatException refused) {
            isSentence(refused, how);
        }
    }

    private static void isSentence(TensorFormatException refused, String how) {
        assertThat(refused.getMessage())
                .as(how)
                .startsWith("Cannot read ")
                .contains("damaged.arrow")
                .doesNotContain("out of bounds", ": null", "Exception", "\n");
    }

    private List<Object> read(byte[] bytes) throws IOException {
        Path file = folder.resolve("damaged.arrow");
        Files.write(file, bytes);
        ArrowIndex index = ArrowIndex.open(
                Location.of(file.toString(), LocalSpark.session().sparkContext()));
        index.head().close();
        List<Object> elements = new ArrayList<>();
        for (ArrowIndex.Batch batch : index.batches()) {
            Tensor read = index.read(batch);
            elements.addAll(read.values());
            read.release();
        }
        return elements;
    }
}
