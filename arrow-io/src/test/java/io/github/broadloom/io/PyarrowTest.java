package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.Python;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What pyarrow writes is read, and pyarrow reads what is written. */
class PyarrowTest {
    @TempDir
    Path folder;

    /** 0, 1, 2, … as the fixtures have it: a bool is true at every third place. */
    private static List<Object> counted(DType dtype, long start, long end) {
        return LongStream.range(start, end)
                .mapToObj(i -> dtype == DType.BOOL
                        ? (Object) (i % 3 == 0)
                        : dtype.isFloatingPoint() ? (Object) (double) i : (Object) i)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void readsFilesOfPyarrow(DType dtype) throws IOException {
        Tensor tensor = ArrowIpc.readFile(ArrowFiles.file(dtype + ".arrow"));

        assertThat(tensor.dtype()).isEqualTo(dtype);
        assertThat(tensor.shape()).isEqualTo(Shape.of(4, 2, 3));
        assertThat(tensor.values()).isEqualTo(counted(dtype, 0, 24));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void readsStreamsOfPyarrowBatchByBatch(DType dtype) throws IOException {
        // A file has a stream inside, and is read as one where nothing but a stream is to be had.
        for (String name : List.of(dtype + ".arrows", dtype + ".arrow")) {
            List<Tensor> chunks = ArrowFiles.read(ArrowFiles.file(name));

            assertThat(chunks).extracting(Tensor::shape).containsExactly(Shape.of(3, 2, 3), Shape.of(1, 2, 3));
            assertThat(chunks.get(0).values()).isEqualTo(counted(dtype, 0, 18));
            assertThat(chunks.get(1).values()).isEqualTo(counted(dtype, 18, 24));
        }
    }

    /** Stored [2, 3, 4] and permuted by [2, 0, 1]: element [a, b, c] is the stored [b, c, a], which is 12 b + 4 c + a. */
    @Test
    void aPermutationMakesAView() throws IOException {
        List<Tensor> both = List.of(
                ArrowIpc.readFile(ArrowFiles.file("permuted.arrow")),
                ArrowFiles.read(ArrowFiles.file("permuted.arrows")).get(0));
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
        Tensor tensor = ArrowIpc.readFile(ArrowFiles.file("transposed.arrow"));

        assertThat(tensor.shape()).isEqualTo(Shape.of(1, 4, 3, 2));
        assertThat(tensor.layout().strides()).containsExactly(24, 1, 4, 12);
        assertThat(tensor.get(0, 1, 2, 1)).isEqualTo(21L);
    }

    @Test
    void findsTheTensorAmongOtherColumns() throws IOException {
        List<Object> expected = counted(DType.INT32, 0, 6);

        assertThat(ArrowIpc.readFile(ArrowFiles.file("among-others.arrow")).values())
                .isEqualTo(expected);
        assertThat(ArrowFiles.read(ArrowFiles.file("among-others.arrows"))
                        .get(0)
                        .values())
                .isEqualTo(expected);
    }

    @Test
    void readsSlicesPlainNumbersAndNestedLists() throws IOException {
        assertThat(ArrowIpc.readFile(ArrowFiles.file("sliced.arrow")).values()).isEqualTo(counted(DType.INT32, 10, 16));
        assertThat(ArrowIpc.readFile(ArrowFiles.file("plain.arrow")).toDoubleArray())
                .containsExactly(1.5, 2.5);
        Tensor lists = ArrowIpc.readFile(ArrowFiles.file("lists.arrow"));
        assertThat(lists.shape()).isEqualTo(Shape.of(1, 2, 2));
        assertThat(lists.toShortArray()).containsExactly(1, 2, 3, 4);
        assertThat(ArrowIpc.readFile(ArrowFiles.file("empty.arrow")).shape()).isEqualTo(Shape.of(0, 2, 3));
        assertThat(ArrowIpc.readFile(ArrowFiles.file("zero-size.arrow")).shape())
                .isEqualTo(Shape.of(3, 2, 0));
    }

    @Test
    void pyarrowReadsWhatIsWritten() throws IOException, InterruptedException {
        Python.assumeHas("pyarrow");
        for (DType dtype : NumPyFiles.VALUES.keySet()) {
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
        Python.succeeds(script, folder.toString());
    }
}
