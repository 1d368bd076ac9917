package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArrowIpcTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            null-row.arrow     | column 'x' has 1 nulls
            null-element.arrow | column 'x' has 1 nulls
            text.arrow         | column 'x' has the Arrow type Utf8
            two.arrow          | it has 2 columns that may be the tensor, [x, y]
            uint16.arrow       | column 'x' has the Arrow type Int(16, false)
            compressed.arrow   | its Arrow buffers are compressed
            """)
    void saysWhatIsWrong(String name, String problem) {
        Path file = ArrowFiles.file(name);

        assertThatThrownBy(() -> ArrowIpc.readFile(file))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read " + file + ": " + problem);
        assertThatThrownBy(() -> ArrowFiles.read(file))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read " + file + ": " + problem);
    }

    @Test
    void whatIsNoArrowDataIsRefused() throws IOException {
        Path npy = NumPyFiles.file("float32.npy");
        Path truncated = folder.resolve("truncated.arrow");
        byte[] bytes = Files.readAllBytes(ArrowFiles.file("int32.arrow"));
        Files.write(truncated, Arrays.copyOf(bytes, bytes.length - 1));
        Path empty = Files.createFile(folder.resolve("empty"));

        assertThatThrownBy(() -> ArrowIpc.readFile(npy))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("does not begin");
        assertThatThrownBy(() -> ArrowFiles.read(npy)).isInstanceOf(TensorFormatException.class);
        assertThatThrownBy(() -> ArrowIpc.readFile(truncated))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("the file is truncated");
        assertThatThrownBy(() -> ArrowIpc.readFile(empty)).isInstanceOf(TensorFormatException.class);
        assertThatThrownBy(() -> ArrowFiles.read(empty))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it is empty");
        assertThatThrownBy(() -> ArrowIpc.readFile(folder)).isInstanceOf(TensorFormatException.class);
    }

    /** Cut between two batches a stream looks whole, but for its marker. */
    @Test
    void aStreamWithoutItsMarkerIsRefused() throws IOException {
        byte[] bytes = Files.readAllBytes(ArrowFiles.file("int32.arrows"));
        byte[] cut = Arrays.copyOf(bytes, bytes.length - 8);

        try (ArrowChunks chunks = ArrowIpc.readStream(new ByteArrayInputStream(cut))) {
            assertThat(chunks.next()).isPresent();
            assertThat(chunks.next()).isPresent();
            assertThatThrownBy(chunks::next)
                    .isInstanceOf(TensorFormatException.class)
                    .hasMessageContaining("truncated");
        }
    }

    @Test
    void whatArrowHasNoTypeForIsRefused() {
        Tensor tensor = Tensors.ones(3).to(DType.BFLOAT16);

        assertThatThrownBy(() -> ArrowIpc.writeFile(tensor, folder.resolve("x.arrow"), WriteMode.CREATE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot write Arrow: Arrow has no bfloat16; cast the tensor with to(...) to float32 first");
        assertThat(folder).isEmptyDirectory();
    }

    /** They are made in the test: JUnit holds its arguments until it is over. */
    static Stream<Supplier<Tensor>> tensors() {
        Stream<Supplier<Tensor>> dtypes = NumPyFiles.VALUES.keySet().stream().map(dtype -> () -> read(dtype + ".npy"));
        Stream<Supplier<Tensor>> layouts = Stream.of(
                () -> base(),
                () -> base().permute(2, 0, 1),
                () -> base().slice(1, null, null, 2),
                () -> base().narrow(0, 1, 2),
                () -> base().select(0, 1).expand(3, 4, 5),
                () -> base().narrow(0, 0, 0),
                () -> base().narrow(2, 0, 0),
                () -> base().select(0, 2).select(0, 3),
                () -> flags(),
                () -> flags().slice(0, 1L, null, 3),
                () -> flags().unsqueeze(1),
                () -> Tensors.scalar(2.5, DType.FLOAT16),
                () -> Tensors.scalar(true, DType.BOOL));
        return Stream.concat(dtypes, layouts);
    }

    private static Tensor read(String name) {
        try {
            return Npy.read(NumPyFiles.file(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Tensor base() {
        return Tensors.arange(60).view(3, 4, 5);
    }

    private static Tensor flags() {
        return Tensors.of(true, false, false, true, true, false, true, false, true, true, false);
    }

    @ParameterizedTest
    @MethodSource("tensors")
    void whatIsWrittenComesBack(Supplier<Tensor> made) throws IOException {
        Tensor tensor = made.get();
        Path file = folder.resolve("x.arrow");
        ByteArrayOutputStream stream = new ByteArrayOutputStream();

        ArrowIpc.writeFile(tensor, file, WriteMode.CREATE);
        ArrowIpc.writeChunk(tensor, stream);

        InputStream in = new ByteArrayInputStream(stream.toByteArray());
        for (Tensor back : List.of(ArrowIpc.readFile(file), ArrowIpc.readChunk(in))) {
            assertThat(back.dtype()).isEqualTo(tensor.dtype());
            assertThat(back.shape()).isEqualTo(tensor.shape());
            assertThat(back.values()).isEqualTo(tensor.values());
        }
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void aChunkIsReadToItsMarkerAndNoFurther() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ArrowIpc.writeChunk(Tensors.of(1, 2), out);
        ArrowIpc.writeChunk(Tensors.of(true, false), out);
        out.write(42);

        InputStream in = new ByteArrayInputStream(out.toByteArray());

        assertThat(ArrowIpc.readChunk(in).values()).isEqualTo(List.of(1L, 2L));
        assertThat(ArrowIpc.readChunk(in).values()).isEqualTo(List.of(true, false));
        assertThat(in.read()).isEqualTo(42);
    }

    @Test
    void aLargeStridedChunkIsCutAndJoined() throws IOException {
        long rows = 70L << 20;
        Tensor column = Tensors.scalar(true, DType.BOOL).expand(rows);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        ArrowIpc.writeChunk(column, out);

        assertThat(out.size()).isLessThan(10 << 20);
        Tensor back = ArrowIpc.readChunk(new ByteArrayInputStream(out.toByteArray()));
        assertThat(back.shape()).isEqualTo(Shape.of(rows));
        assertThat(back.get(rows - 1)).isEqualTo(true);
        back.storage().release();
    }

    @Test
    void chunksHaveToFitTogether() {
        Iterator<Tensor> different =
                List.of(Tensors.zeros(2, 3), Tensors.zeros(2, 4)).iterator();
        Path file = folder.resolve("x.arrow");

        assertThatThrownBy(() -> ArrowIpc.writeFile(different, file, WriteMode.CREATE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot write chunk: its rows are float32 [4], where those before it are float32 [3]");
        assertThat(folder).isEmptyDirectory();
        List<Tensor> none = List.of();
        assertThatThrownBy(() -> ArrowIpc.writeFile(none.iterator(), file, WriteMode.CREATE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there are no chunks");
    }

    @Test
    void anExistingFileIsKept() throws IOException {
        Path file = Files.writeString(folder.resolve("x.arrow"), "precious");

        assertThatThrownBy(() -> ArrowIpc.writeFile(Tensors.of(1f), file, WriteMode.CREATE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("precious");
    }
}
