package io.github.broadloom.exec.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.Bits;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.spark.RemoteFileSystem;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrFormat;
import io.github.broadloom.zarr.ZarrOptions;
import io.github.broadloom.zarr.ZarrWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts of one task at the same chunks, and what the driver makes of what they tell. */
class ZarrSinkTest {
    private static final int CHUNKS = 5;
    private static final ChunkGrid GRID = ChunkGrid.of(Shape.of(2L * CHUNKS, 3), RowGrid.ofRows(2L * CHUNKS, 2));

    @TempDir
    Path folder;

    private ZarrSink sink(String scheme) throws IOException {
        SparkContext context = LocalSpark.session().sparkContext();
        context.hadoopConfiguration().set("fs.remote.impl", RemoteFileSystem.class.getName());
        ZarrWriter array =
                ZarrWriter.of(DType.INT64, Shape.of(2L * CHUNKS, 3), ZarrOptions.DEFAULT.withChunk(Shape.of(2, 2)));
        ZarrSink sink = new ZarrSink(
                Location.of(scheme + folder.resolve("x"), context), WriteMode.CREATE, array, GRID, 0, null);
        sink.begin();
        return sink;
    }

    private static Tensor all() {
        return Tensors.arange(1, 6L * CHUNKS + 1, 1).view(2L * CHUNKS, 3);
    }

    private static List<Part> written(Sink sink) throws IOException {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < CHUNKS; i++) {
            parts.add(sink.writer().write(all().narrow(0, 2L * i, 2), i, 2L * i, i));
        }
        return parts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "remote://"})
    void aTaskThatRunsTwiceWritesTheSameOnce(String scheme) throws IOException {
        ZarrSink sink = sink(scheme);
        List<Part> parts = written(sink);
        Part again = sink.writer().write(all().narrow(0, 6, 2), 3, 6, 99);
        assertThat(again).usingRecursiveComparison().isEqualTo(parts.get(3));
        assertThat(folder.resolve("x")).doesNotExist();
        sink.commit(parts);
        StoredArray array = new ZarrFormat().open(LocalStore.of(folder.resolve("x")), "");
        Bits.assertSame(array.reader().read(Box.whole(array.shape())), all());
        assertThat(folder.resolve("x").toFile().list((at, name) -> !name.endsWith(".crc")))
                .hasSize(1 + 2 * CHUNKS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "remote://"})
    void aTaskThatComesTooLateWritesNothing(String scheme) throws IOException {
        ZarrSink sink = sink(scheme);
        Sink.ChunkWriter writer = sink.writer();
        sink.abort();
        assertThat(folder).isEmptyDirectory();
        assertThatThrownBy(() -> writer.write(all().narrow(0, 0, 2), 0, 0, 7)).isInstanceOf(IOException.class);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aChunkThatIsLostIsNamedAndNothingIsWritten() throws IOException {
        ZarrSink sink = sink("");
        List<Part> parts = written(sink);
        try (var inside = Files.walk(folder)) {
            Files.delete(inside.filter(path -> path.endsWith("c.2.1")).findAny().orElseThrow());
        }
        assertThatThrownBy(() -> sink.commit(parts)).hasMessageContaining("c.2.1, which a task wrote with");
        sink.abort();
        assertThat(folder).isEmptyDirectory();
    }
}
