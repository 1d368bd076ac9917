package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArrowIpcTest {
    @TempDir
    Path folder;

    static Path fixture(String name) {
        try {
            return Path.of(Objects.requireNonNull(ArrowIpcTest.class.getResource("/arrow/" + name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** 0, 1, 2, … as the fixtures have it: a bool is true at every third place. */
    private static List<Object> counted(DType dtype, long start, long end) {
        return LongStream.range(start, end)
                .mapToObj(i -> dtype == DType.BOOL
                        ? (Object) (i % 3 == 0)
                        : dtype.isFloatingPoint() ? (Object) (double) i : (Object) i)
                .toList();
    }

    private static List<Tensor> read(Path file) throws IOException {
        try (ArrowChunks chunks = ArrowIpc.readStream(Files.newInputStream(file), file.toString())) {
            return all(chunks);
        }
    }

    private static List<Tensor> all(ArrowChunks chunks) throws IOException {
        List<Tensor> all = new ArrayList<>();
        for (Optional<Tensor> chunk = chunks.next(); chunk.isPresent(); chunk = chunks.next()) {
            all.add(chunk.get());
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void readsFilesOfPyarrow(DType dtype) throws IOException {
        Tensor tensor = ArrowIpc.readFile(fixture(dtype + ".arrow"));

        assertThat(tensor.dtype()).isEqualTo(dtype);
        assertThat(tensor.shape()).isEqualTo(Shape.of(4, 2, 3));
        assertThat(tensor.values()).isEqualTo(counted(dtype, 0, 24));
    }

    @ParameterizedTest
    @EnumSource
    void readsStreamsOfPyarrowBatchByBatch(DType dtype) throws IOException {
        // A file has a stream inside, and is read as one where nothing but a stream is to be had.
        for (String name : List.of(dtype + ".arrows", dtype + ".arrow")) {
            List<Tensor> chunks = read(fixture(name));

            assertThat(chunks).extracting(Tensor::shape).containsExactly(Shape.of(3, 2, 3), Shape.of(1, 2, 3));
            assertThat(chunks.get(0).values()).isEqualTo(counted(dtype, 0, 18));
            assertThat(chunks.get(1).values()).isEqualTo(counted(dtype, 18, 24));
        }
    }

    /** Stored [2, 3, 4] and permuted by [2, 0, 1]: element [a, b, c] is the stored [b, c, a], which is 12 b + 4 c + a. */
    @Test
    void aPermutationMakesAView() throws IOException {
        List<Tensor> both = List.of(
                ArrowIpc.readFile(fixture("permuted.arrow")),
                read(fixture("permuted.arrows")).get(0));
        for (Tensor tensor : both) {
            assertThat(tensor.shape()).isEqualTo(Shape.of(1, 4, 2, 3));
            assertThat(tensor.layout().strides()).containsExactly(24, 1, 12, 4);
            assertThat(tensor.get(0, 1, 0, 2)).isEqualTo(9L);
            assertThat(tensor.get(0, 3, 1, 0)).isEqualTo(15L);
        }
    }

    /** As pyarrow's own {@code to_numpy_ndarray} has it. */
    @Test
    void aTranspositionMakesAView() throws IOException {
        Tensor tensor = ArrowIpc.readFile(fixture("transposed.arrow"));

        assertThat(tensor.shape()).isEqualTo(Shape.of(1, 4, 3, 2));
        assertThat(tensor.layout().strides()).containsExactly(24, 1, 4, 12);
        assertThat(tensor.get(0, 1, 2, 1)).isEqualTo(21L);
    }

    @Test
    void findsTheTensorAmongOtherColumns() throws IOException {
        List<Object> expected = counted(DType.INT32, 0, 6);

        assertThat(ArrowIpc.readFile(fixture("among-others.arrow")).values()).isEqualTo(expected);
        assertThat(read(fixture("among-others.arrows")).get(0).values()).isEqualTo(expected);
    }

    @Test
    void readsSlicesPlainNumbersAndNestedLists() throws IOException {
        assertThat(ArrowIpc.readFile(fixture("sliced.arrow")).values()).isEqualTo(counted(DType.INT32, 10, 16));
        assertThat(ArrowIpc.readFile(fixture("plain.arrow")).toDoubleArray()).containsExactly(1.5, 2.5);
        Tensor lists = ArrowIpc.readFile(fixture("lists.arrow"));
        assertThat(lists.shape()).isEqualTo(Shape.of(1, 2, 2));
        assertThat(lists.toShortArray()).containsExactly(1, 2, 3, 4);
        assertThat(ArrowIpc.readFile(fixture("empty.arrow")).shape()).isEqualTo(Shape.of(0, 2, 3));
        assertThat(ArrowIpc.readFile(fixture("zero-size.arrow")).shape()).isEqualTo(Shape.of(3, 2, 0));
    }

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
        Path file = fixture(name);

        assertThatThrownBy(() -> ArrowIpc.readFile(file))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read " + file + ": " + problem);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read " + file + ": " + problem);
    }

    @Test
    void whatIsNoArrowDataIsRefused() throws IOException {
        Path npy = NumPyFiles.file("float32.npy");
        Path truncated = folder.resolve("truncated.arrow");
        byte[] bytes = Files.readAllBytes(fixture("int32.arrow"));
        Files.write(truncated, Arrays.copyOf(bytes, bytes.length - 1));
        Path empty = Files.createFile(folder.resolve("empty"));

        assertThatThrownBy(() -> ArrowIpc.readFile(npy))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("does not begin");
        assertThatThrownBy(() -> read(npy)).isInstanceOf(TensorFormatException.class);
        assertThatThrownBy(() -> ArrowIpc.readFile(truncated))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("the file is truncated");
        assertThatThrownBy(() -> ArrowIpc.readFile(empty)).isInstanceOf(TensorFormatException.class);
        assertThatThrownBy(() -> read(empty))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it is empty");
        assertThatThrownBy(() -> ArrowIpc.readFile(folder)).isInstanceOf(TensorFormatException.class);
    }

    /** Cut between two batches a stream looks whole, but for its marker. */
    @Test
    void aStreamWithoutItsMarkerIsRefused() throws IOException {
        byte[] bytes = Files.readAllBytes(fixture("int32.arrows"));
        byte[] cut = Arrays.copyOf(bytes, bytes.length - 8);

        try (ArrowChunks chunks = ArrowIpc.readStream(new ByteArrayInputStream(cut))) {
            assertThat(chunks.next()).isPresent();
            assertThat(chunks.next()).isPresent();
            assertThatThrownBy(chunks::next)
                    .isInstanceOf(TensorFormatException.class)
                    .hasMessageContaining("truncated");
        }
    }

    static Stream<Tensor> tensors() {
        Stream<Tensor> dtypes = Stream.of(DType.values()).map(dtype -> {
            try {
                return Npy.read(NumPyFiles.file(dtype + ".npy"));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        Tensor base = Tensors.arange(60).view(3, 4, 5);
        Tensor flags = Tensors.of(true, false, false, true, true, false, true, false, true, true, false);
        Stream<Tensor> layouts = Stream.of(
                base,
                base.permute(2, 0, 1),
                base.slice(1, null, null, 2),
                base.narrow(0, 1, 2),
                base.select(0, 1).expand(3, 4, 5),
                base.narrow(0, 0, 0),
                base.narrow(2, 0, 0),
                base.select(0, 2).select(0, 3),
                flags,
                flags.slice(0, 1L, null, 3),
                flags.unsqueeze(1),
                Tensors.scalar(2.5, DType.FLOAT16),
                Tensors.scalar(true, DType.BOOL));
        return Stream.concat(dtypes, layouts);
    }

    @ParameterizedTest
    @MethodSource("tensors")
    void whatIsWrittenComesBack(Tensor tensor) throws IOException {
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

    @ParameterizedTest
    @ValueSource(strings = {"int32.arrow", "bool.arrow", "permuted.arrow", "among-others.arrow"})
    void aDamagedFileIsReadOrRefused(String name) throws IOException {
        byte[] original = Files.readAllBytes(fixture(name));
        Path file = folder.resolve("x.arrow");
        Random random = new Random(name.hashCode());
        for (int round = 0; round < 3_000; round++) {
            byte[] bytes = CorruptionTest.corrupted(original, random, original.length);
            Files.write(file, bytes);
            CorruptionTest.succeedsOrSaysSo(bytes, () -> ArrowIpc.readFile(file));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"int32.arrows", "bool.arrows", "permuted.arrows", "among-others.arrows", "int8.arrow"})
    void aDamagedStreamIsReadOrRefused(String name) throws IOException {
        byte[] original = Files.readAllBytes(fixture(name));
        Random random = new Random(name.hashCode());
        for (int round = 0; round < 3_000; round++) {
            byte[] bytes = CorruptionTest.corrupted(original, random, original.length);
            CorruptionTest.succeedsOrSaysSo(
                    bytes, () -> all(ArrowIpc.readStream(new ByteArrayInputStream(bytes), "stream")));
        }
    }

    @Test
    void pyarrowReadsWhatIsWritten() throws IOException, InterruptedException {
        String python = System.getProperty("broadloom.test.python", "python3");
        assumeTrue(
                run(python, "import pyarrow") == 0, python + " has no pyarrow; -Dbroadloom.test.python names another");
        for (DType dtype : DType.values()) {
            Tensor numbers = Tensors.arange(24).view(4, 2, 3);
            Tensor tensor = dtype == DType.BOOL ? numbers.to(DType.BOOL) : numbers.to(dtype);
            ArrowIpc.writeFile(
                    List.of(tensor.narrow(0, 0, 3), tensor.narrow(0, 3, 1)).iterator(),
                    folder.resolve(dtype + ".arrow"),
                    WriteMode.CREATE);
            ArrowIpc.writeChunk(tensor.transpose(1, 2), Files.newOutputStream(folder.resolve(dtype + ".arrows")));
        }
        ArrowIpc.writeFile(Tensors.zeros(2, 0), folder.resolve("zero.arrow"), WriteMode.CREATE);
        ArrowIpc.writeFile(Tensors.scalar(1.5), folder.resolve("scalar.arrow"), WriteMode.CREATE);
        String script = """
                import numpy as np, pyarrow as pa, sys
                folder = sys.argv[1]
                def back(name, opener=pa.ipc.open_file):
                    with open(folder + "/" + name, "rb") as source:
                        column = opener(source).read_all()["tensor"]
                    assert isinstance(column.type, pa.FixedShapeTensorType), column.type
                    column.validate(full=True)
                    rows = [np.array(row.value.as_py()).reshape(column.type.shape) for part in column.chunks for row in part]
                    return column, np.array(rows)
                for name in "float32 float64 float16 uint8 int8 int16 int32 int64 bool".split():
                    expected = np.arange(24).reshape(4, 2, 3).astype(name)
                    column, values = back(name + ".arrow")
                    assert [len(part) for part in column.chunks] == [3, 1], name
                    assert str(column.type.value_type) == {"float32": "float", "float64": "double", "float16": "halffloat"}.get(name, name)
                    assert np.array_equal(values, expected), name
                    column, values = back(name + ".arrows", pa.ipc.open_stream)
                    assert np.array_equal(values, expected.transpose(0, 2, 1)), name
                assert back("zero.arrow")[1].shape == (2, 0)
                assert back("scalar.arrow")[1].tolist() == [1.5]
                """;
        assertThat(run(python, script, folder.toString())).isZero();
    }

    /** Runs a script; its complaints go to this test's own error output. */
    private static int run(String python, String script, String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(python, "-c", script));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            if (process.exitValue() != 0 && arguments.length > 0) {
                System.err.println(output);
            }
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }
}
