package io.github.broadloom.exec.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.format.NpyFormat;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.Bits;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.spark.RemoteFileSystem;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts of one task at the same part, and what the driver makes of what they tell. */
class PartsFolderTest {
    private static final int CHUNKS = 5;

    @TempDir
    Path folder;

    private Location target(String scheme) throws IOException {
        SparkContext context = LocalSpark.session().sparkContext();
        context.hadoopConfiguration().set("fs.remote.impl", RemoteFileSystem.class.getName());
        return Location.of(scheme + folder.resolve("x"), context);
    }

    private static Tensor chunk(int index) {
        return Tensors.arange(6L * CHUNKS).view(2L * CHUNKS, 3).narrow(0, 2L * index, 2);
    }

    private PartsSink sink(String scheme, WriteMode mode) throws IOException {
        PartsSink sink = new PartsSink(target(scheme), mode, PartFormat.NPY, DType.INT64, Shape.of(2L * CHUNKS, 3));
        sink.begin();
        return sink;
    }

    private static List<Part> written(Sink sink) throws IOException {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < CHUNKS; i++) {
            parts.add(sink.writer().write(chunk(i), i, 2L * i, i));
        }
        return parts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "remote://"})
    void aDuplicateThatDiesWhileItRenamesTakesNoPartWithIt(String scheme) throws IOException {
        PartsSink sink = sink(scheme, WriteMode.CREATE);
        List<Part> parts = written(sink);
        // As if its process had ended there.
        RemoteFileSystem.watch((operation, path) -> {
            if (operation == RemoteFileSystem.Operation.RENAME) {
                throw new AssertionError("the process is gone");
            }
        });
        try {
            sink.writer().write(chunk(3), 3, 6, 99);
        } catch (AssertionError gone) {
            assertThat(scheme).isNotEmpty();
        } finally {
            RemoteFileSystem.unwatch();
        }
        sink.commit(parts);
        for (int i = 0; i < CHUNKS; i++) {
            assertThat(folder.resolve("x/" + PartFormat.NPY.fileName(i))).isRegularFile();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "remote://"})
    void aDuplicateThatComesSecondTellsTheSameAndLeavesNothing(String scheme) throws IOException {
        PartsSink sink = sink(scheme, WriteMode.CREATE);
        List<Part> parts = written(sink);
        Part again = sink.writer().write(chunk(3), 3, 6, 99);
        assertThat(again).usingRecursiveComparison().isEqualTo(parts.get(3));
        sink.commit(parts);
        assertThat(folder.resolve("x").toFile().list())
                .allMatch(name -> name.matches("part-0000\\d\\.npy|_broadloom\\.json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "remote://"})
    void aPartThatIsLostOrCutIsNamedAndNothingIsWritten(String scheme) throws IOException {
        for (boolean lost : new boolean[] {true, false}) {
            PartsSink sink = sink(scheme, WriteMode.CREATE);
            List<Part> parts = written(sink);
            try (var inside = Files.walk(folder)) {
                Path part = inside.filter(path -> path.endsWith("part-00002.npy"))
                        .findAny()
                        .orElseThrow();
                Files.delete(part);
                if (!lost) {
                    Files.write(part, new byte[100]);
                }
            }
            assertThatThrownBy(() -> sink.commit(parts))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("Cannot write ")
                    .hasMessageContaining(
                            "part-00002.npy, which a task wrote with 176 bytes, " + (lost ? "is lost" : "has 100"));
            sink.abort();
            assertThat(folder).isEmptyDirectory();
        }
    }

    /** An upload has no place where an attempt could see what another one did. */
    @Test
    void aPartThatIsUploadedTwiceIsThereOnceAndAnUploadThatIsGivenUpLeavesNothing() throws IOException {
        for (boolean commits : new boolean[] {false, true}) {
            FlatFile file = new NpyFormat().flatFile(new Address("x.npy", ""), DType.INT64, Shape.of(2L * CHUNKS, 3));
            UploadedFlatSink sink = new UploadedFlatSink(target("remote://"), WriteMode.CREATE, file);
            sink.begin();
            List<Part> parts = written(sink);
            for (int index : new int[] {0, 3, CHUNKS - 1}) {
                Part again = sink.writer().write(chunk(index), index, 2L * index, 99);
                assertThat(again).usingRecursiveComparison().isEqualTo(parts.get(index));
            }
            if (commits) {
                sink.commit(parts);
                assertThat(folder.toFile().list()).containsExactly("x");
                Bits.assertSame(
                        Npy.read(folder.resolve("x")),
                        Tensors.arange(6L * CHUNKS).view(2L * CHUNKS, 3));
            } else {
                sink.abort();
                assertThat(folder).isEmptyDirectory();
            }
        }
    }

    @Test
    void aPartTellsItsRowsItsLengthAndItsChecksum() throws IOException {
        PartsSink sink = sink("", WriteMode.CREATE);
        List<Part> parts = written(sink);
        sink.commit(parts);
        for (Part part : parts) {
            byte[] bytes = Files.readAllBytes(folder.resolve("x").resolve(part.name()));
            CRC32C crc = new CRC32C();
            crc.update(bytes);
            assertThat(part.rows()).isEqualTo(2);
            assertThat(part.bytes()).isEqualTo(bytes.length);
            assertThat(part.crc32c()).isEqualTo((int) crc.getValue());
        }
    }
}
