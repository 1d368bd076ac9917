package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrFormat;
import io.github.broadloom.zarr.ZarrOptions;
import io.github.broadloom.zarr.ZarrOptions.Compression;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZarrFilesTest {
    private static final Shape SHAPE = Shape.of(70, 6, 5);

    @TempDir
    Path folder;

    private static Broadloom broadloom() {
        return LocalSpark.broadloom();
    }

    private static Tensor numbers() {
        Tensor numbers = Tensors.arange(SHAPE.numel()).view(SHAPE.toArray()).to(DType.FLOAT32);
        numbers.narrow(0, 20, 20).zero_(); // whole chunks of the fill value
        return numbers;
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private Tensor read(String name) throws IOException {
        StoredArray array = new ZarrFormat().open(LocalStore.of(folder.resolve(name)), "");
        return array.reader().read(Box.whole(array.shape()));
    }

    private Map<String, List<Byte>> files(String name) throws IOException {
        Map<String, List<Byte>> files = new TreeMap<>();
        Path store = folder.resolve(name);
        try (Stream<Path> all = Files.walk(store)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Byte[] bytes = new Byte[(int) Files.size(file)];
                byte[] content = Files.readAllBytes(file);
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = content[i];
                }
                files.put(store.relativize(file).toString(), List.of(bytes));
            }
        }
        return files;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theFilesAreTheSameHoweverTheTensorIsCut(boolean sharded) throws IOException {
        Tensor x = numbers();
        ZarrOptions options = ZarrOptions.DEFAULT
                .withChunk(Shape.of(5, 4, 5))
                .withShard(sharded ? Shape.of(20, 8, 5) : null)
                .withCompression(Compression.BLOSC_ZSTD);
        Map<Integer, Map<String, List<Byte>>> written = new HashMap<>();
        for (int chunks : new int[] {1, 2, 7}) {
            broadloom().tensor(x, chunks).add(0).writeZarr(path("x" + chunks), WriteMode.CREATE, options);
            Bits.assertSame(read("x" + chunks), x);
            written.put(chunks, files("x" + chunks));
        }
        assertThat(written.get(1)).hasSize(sharded ? 1 + 3 : 1 + 2 * 10); // shard and chunks of zeros are left out
        assertThat(written.get(2)).isEqualTo(written.get(1));
        assertThat(written.get(7)).isEqualTo(written.get(1));
    }

    @Test
    void chunksAreThoseOfTheTensorWhereNobodyChooses() throws IOException {
        Tensor x = numbers();
        for (int chunks : new int[] {1, 2, 7}) {
            String name = chunks + ".zarr";
            broadloom().tensor(x, chunks).add(0).write(path(name), WriteMode.CREATE);
            assertThat(new ZarrFormat()
                            .open(LocalStore.of(folder.resolve(name)), "")
                            .chunk())
                    .isEqualTo(Shape.of(70 / chunks, 6, 5));
            Bits.assertSame(read(name), x);
            DistributedTensor y = broadloom().read(path(name));
            Bits.assertSame(y.sub(1).collect(), broadloom().tensor(x).sub(1).collect());
        }
    }

    @Test
    void chunksOfSeveralDimensionsAreWrittenAsTheyAre() throws IOException {
        Tensor x = numbers();
        broadloom().tensor(x, 7).rechunk(-1, 2, 3).write(path("x.zarr"), WriteMode.CREATE);
        assertThat(new ZarrFormat()
                        .open(LocalStore.of(folder.resolve("x.zarr")), "")
                        .chunk())
                .isEqualTo(Shape.of(70, 2, 3));
        Bits.assertSame(read("x.zarr"), x);
        ZarrOptions other = ZarrOptions.DEFAULT.withChunk(Shape.of(30, 3, 5));
        broadloom().read(path("x.zarr")).add(1).writeZarr(path("y.zarr"), WriteMode.CREATE, other);
        Bits.assertSame(read("y.zarr"), broadloom().tensor(x).add(1).collect());
    }

    @Test
    void cutsThatNothingDividesAreRounded() throws IOException {
        Tensor x = Tensors.arange(999_983).to(DType.FLOAT64); // a prime number of rows, 8 MB
        broadloom().tensor(x, 7).add(0).write(path("x.zarr"), WriteMode.CREATE);
        StoredArray array = new ZarrFormat().open(LocalStore.of(folder.resolve("x.zarr")), "");
        assertThat(array.chunk()).isEqualTo(Shape.of(142_855));
        Bits.assertSame(read("x.zarr"), x);
    }

    @Test
    void versionsDimensionsAndScalarsAreWritten() throws IOException {
        ZarrOptions options = ZarrOptions.DEFAULT
                .withVersion(2)
                .withDimensions(List.of("t", "y", "x"))
                .withAttributes(Map.of("units", "K"));
        broadloom().tensor(numbers(), 7).writeZarr(path("two"), WriteMode.CREATE, options);
        StoredArray two = new ZarrFormat().open(LocalStore.of(folder.resolve("two")), "");
        assertThat(two.dimensions()).containsExactly("t", "y", "x");
        assertThat(two.attributes()).isEqualTo(Map.of("units", "K"));
        Bits.assertSame(read("two"), numbers());
        broadloom().tensor(numbers(), 7).sum().writeZarr(path("sum"), WriteMode.CREATE, ZarrOptions.DEFAULT);
        assertThat(read("sum").item())
                .isEqualTo(broadloom().tensor(numbers()).sum().collect().item());
        broadloom().tensor(Tensors.zeros(0, 3)).writeZarr(path("none"), WriteMode.CREATE, ZarrOptions.DEFAULT);
        assertThat(read("none").shape()).isEqualTo(Shape.of(0, 3));
    }

    @Test
    void anArrayIsReplacedAndWhatElseIsThereIsKept() throws IOException {
        broadloom().tensor(numbers(), 2).write(path("x.zarr"), WriteMode.CREATE);
        assertThatThrownBy(() -> broadloom().tensor(numbers(), 2).write(path("x.zarr"), WriteMode.CREATE))
                .isInstanceOf(FileAlreadyExistsException.class);
        ZarrOptions two = ZarrOptions.DEFAULT.withVersion(2);
        broadloom().tensor(Tensors.ones(3, 2)).writeZarr(path("x.zarr"), WriteMode.OVERWRITE, two);
        assertThat(read("x.zarr").shape()).isEqualTo(Shape.of(3, 2));
        broadloom().tensor(numbers(), 2).write(path("x.zarr"), WriteMode.OVERWRITE);
        Bits.assertSame(read("x.zarr"), numbers());
        Files.writeString(folder.resolve("x.zarr/notes.txt"), "mine");
        assertThatThrownBy(() -> broadloom().tensor(numbers()).write(path("x.zarr"), WriteMode.OVERWRITE))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("it is kept, because it holds more than an array of Zarr: notes.txt");
        assertThat(folder.toFile().list()).containsExactly("x.zarr");
    }

    @Test
    void aFailedTaskLeavesNothingAndSaysOneSentence() throws IOException {
        Npy.write(numbers(), folder.resolve("x.npy"), WriteMode.CREATE);
        DistributedTensor x = broadloom().withChunkBytes(1024).readNpy(path("x.npy"));
        try (RandomAccessFile file = new RandomAccessFile(path("x.npy"), "rw")) {
            file.setLength(file.length() - 100);
        }
        assertThatThrownBy(() -> x.add(1).write(path("y.zarr"), WriteMode.CREATE))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Cannot ")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
        assertThat(folder.toFile().list()).containsExactly("x.npy");
    }

    @Test
    void filesOfAnotherFileSystemAreWrittenAndRead() throws IOException {
        SparkContext context = LocalSpark.session().sparkContext();
        context.hadoopConfiguration().set("fs.remote.impl", RemoteFileSystem.class.getName());
        String remote = "remote://" + folder.resolve("x.zarr");
        for (WriteMode mode : new WriteMode[] {WriteMode.CREATE, WriteMode.OVERWRITE}) {
            broadloom().tensor(numbers(), 7).write(remote, mode);
            Bits.assertSame(broadloom().read(remote).collect(), numbers());
        }
    }

    @Test
    void optionsThatDoNotGoTogetherAreRefusedBeforeAnyJob() {
        DistributedTensor x = broadloom().tensor(numbers(), 7);
        assertThatThrownBy(
                        () -> x.writeZarr(path("x"), WriteMode.CREATE, ZarrOptions.DEFAULT.withChunk(Shape.of(5, 5))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Cannot cut shape [70, 6, 5] into chunks of [5, 5]");
        assertThat(folder).isEmptyDirectory();
    }
}
