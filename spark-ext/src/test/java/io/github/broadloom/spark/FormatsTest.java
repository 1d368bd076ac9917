package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.safetensors.Safetensors;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of whichever format, one or many, as one tensor. */
class FormatsTest {
    private final Broadloom broadloom = LocalSpark.broadloom();

    @TempDir
    Path folder;

    private static Tensor values() {
        return values(0);
    }

    private static Tensor values(int first) {
        return Tensors.arange(first, first + 7 * 6 * 5, 1, DType.FLOAT32).view(7, 6, 5);
    }

    /** {@code cat} or {@code stack} of the values of so many files. */
    private static Tensor joined(String how, int count, int dim) {
        Map<String, Tensor> parts = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            parts.put("x" + i, values(1000 * i));
        }
        return LazyTensor.eval(how + "([" + String.join(", ", parts.keySet()) + "], " + dim + ")", parts)
                .compute();
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private String safetensors() throws IOException {
        String file = path("model.safetensors");
        Safetensors.write(
                Map.of("w", values(), "b", Tensors.arange(3)), Map.of("format", "pt"), Path.of(file), WriteMode.CREATE);
        return file;
    }

    private List<String> files(String pattern, int count) throws IOException {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(path(pattern.formatted(i)));
            Npy.write(values(1000 * i), Path.of(files.get(i)), WriteMode.CREATE);
        }
        return files;
    }

    @Test
    void theNameOrTheBytesTellTheFormat() throws IOException {
        String file = safetensors();
        Bits.assertSame(broadloom.read(file + ":w").collect(), values());
        Path other = folder.resolve("model");
        Files.copy(Path.of(file), other);
        ReadOptions named = ReadOptions.DEFAULT.format("safetensors");
        assertThatThrownBy(() -> broadloom.read(other.toString(), named))
                .hasMessageContaining("it holds several arrays; name one as " + other + ":KEY (it has b, w)");
        Path array = folder.resolve("array");
        Npy.write(values(), array, WriteMode.CREATE);
        Bits.assertSame(broadloom.read(array.toString()).collect(), values());
        broadloom.tensor(values(), 3).write(path("parts"), WriteMode.CREATE);
        Bits.assertSame(broadloom.read(path("parts")).collect(), values());
        broadloom.tensor(values(), 3).write(path("x.arrow"), WriteMode.CREATE);
        Bits.assertSame(broadloom.read(path("x.arrow")).collect(), values());
    }

    @Test
    void whatNobodyKnowsIsRefused() throws IOException {
        Path text = folder.resolve("notes.txt");
        Files.writeString(text, "nothing of numbers");
        assertThatThrownBy(() -> broadloom.read(text.toString()))
                .hasMessageStartingWith("Cannot read " + text + ": it is of no known format (arrow, ");
        assertThatThrownBy(() -> broadloom.read(text.toString(), ReadOptions.DEFAULT.format("grib")))
                .hasMessageStartingWith("Cannot find format 'grib': there are arrow, ");
        assertThatThrownBy(() -> broadloom.read(path("none.npy"))).hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> broadloom.read(safetensors() + ":v")).hasMessageContaining("it has no array 'v'");
        assertThatThrownBy(() -> broadloom.tensor(values(), 2).write(path("x.png"), WriteMode.CREATE))
                .hasMessageContaining("pictures files are read, not written");
        assertThatThrownBy(() -> broadloom.tensor(values(), 2).write(path("x.zarr:a"), WriteMode.CREATE))
                .hasMessageContaining("an array is written as a store of its own; leave ':a' out");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("notes.txt", "model.safetensors");
    }

    /** Each task at its place, and in the byte order of the file. */
    @ParameterizedTest
    @CsvSource({"1, nc:t", "2, nc:t", "7, nc:t", "7, h5:a/t", "7, tif", "7, safetensors:t"})
    void filesOfOneArrayAreWritten(int chunks, String end) throws IOException {
        DistributedTensor written = broadloom.tensor(values(), chunks);
        written.write(path("x." + end), WriteMode.CREATE);
        Bits.assertSame(broadloom.read(path("x." + end)).collect(), values());
        assertThatThrownBy(() -> written.write(path("x." + end), WriteMode.CREATE))
                .hasMessageContaining("it exists and is kept");
        written.add(1).write(path("x." + end), WriteMode.OVERWRITE);
        Bits.assertSame(
                broadloom.read(path("x." + end)).collect(),
                LazyTensor.eval("x + 1", Map.of("x", values())).compute());
        assertThat(folder.toFile().list()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 40})
    void manyFilesAreOneTensor(int count) throws IOException {
        List<String> files = files("day-%02d.npy", count);
        Bits.assertSame(broadloom.read(path("day-*.npy")).collect(), joined("cat", count, 0));
        for (int dim : new int[] {1, -1}) {
            ReadOptions along = ReadOptions.DEFAULT.concatenatedAlong(dim);
            Bits.assertSame(broadloom.read(files, along).collect(), joined("cat", count, dim));
        }
        for (int dim : new int[] {0, 2, -1}) {
            DistributedTensor stacked = broadloom.read(path("day-*.npy"), ReadOptions.DEFAULT.stackedAlong(dim));
            Bits.assertSame(stacked.collect(), joined("stack", count, dim));
            Bits.assertSame(
                    stacked.sum(0).collect(),
                    broadloom.tensor(joined("stack", count, dim)).sum(0).collect());
        }
    }

    @Test
    void filesThatDoNotFitAreNamed() throws IOException {
        files("day-%02d.npy", 2);
        Npy.write(Tensors.arange(0, 30, 1, DType.FLOAT32).view(6, 5), folder.resolve("day-02.npy"), WriteMode.CREATE);
        assertThatThrownBy(() -> broadloom.read(path("day-*.npy")))
                .hasMessageContaining("day-02.npy after ")
                .hasMessageEndingWith("float32 [6, 5] does not continue float32 [7, 6, 5] along dimension 0");
        assertThatThrownBy(() -> broadloom.read(path("day-0[01].npy"), ReadOptions.DEFAULT.concatenatedAlong(3)))
                .hasMessageContaining("along dimension 3: it has dimensions 0 to 2");
        assertThatThrownBy(() -> broadloom.read(path("night-*.npy"))).hasMessageContaining("no file has such a name");
    }

    /** Blocks of a store become one file each run at its place: no shuffle. */
    @Test
    void blocksAreWrittenIntoAFileAsTheyCome() throws Exception {
        Tensor values = Tensors.arange(0, 4 * 6 * 3000, 1, DType.FLOAT32).view(4, 6, 3000);
        broadloom.tensor(values).rechunk(3, 2, 1024).write(path("blocks.zarr"), WriteMode.CREATE);
        try (Jobs jobs = Jobs.listen()) {
            broadloom.read(path("blocks.zarr")).add(1).write(path("x.npy"), WriteMode.CREATE);
            assertThat(jobs.stages()).isEqualTo(1);
        }
        Bits.assertSame(
                Npy.read(folder.resolve("x.npy")),
                LazyTensor.eval("x + 1", Map.of("x", values)).compute());
        broadloom.read(path("blocks.zarr")).rechunk(-1, -1, 3).write(path("narrow.nc"), WriteMode.CREATE);
        Bits.assertSame(broadloom.read(path("narrow.nc")).collect(), values);
    }

    @Test
    void tablesAreOfAnyFormat() throws IOException {
        String file = safetensors();
        List<Row> rows = LocalSpark.session()
                .read()
                .format("tensor")
                .load(file + ":w")
                .where("index = 5")
                .collectAsList();
        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).toString()).startsWith("[5,ArraySeq(ArraySeq(150.0, 151.0, 152.0, 153.0, 154.0), ");
        LocalSpark.session()
                .read()
                .format("tensor")
                .load(file + ":w")
                .write()
                .format("tensor")
                .save(path("copy.npy"));
        Bits.assertSame(Npy.read(folder.resolve("copy.npy")), values());
    }
}
