package io.github.broadloom.zarr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.Python;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.FileRanges;
import io.github.broadloom.format.MemoryStore;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions.Compression;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ZarrWriteTest {
    private static final Shape CHUNK = Shape.of(3, 2, 4);

    /** What the Python beside it computes, too. */
    private static Tensor values(DType dtype) {
        return Fixtures.valuesAndFill(dtype);
    }

    private static MemoryStore write(Tensor tensor, ZarrOptions options) throws IOException {
        MemoryStore store = new MemoryStore("memory");
        ZarrWriter writer = ZarrWriter.of(tensor.dtype(), tensor.shape(), options);
        writer.write(tensor, new long[tensor.rank()], (key, pieces) -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (Encoded piece : pieces) {
                piece.writeTo(out);
            }
            store.files().put(key, out.toByteArray());
        });
        store.files().putAll(writer.metadata());
        return store;
    }

    private static void save(MemoryStore store, Path folder) throws IOException {
        for (var file : store.files().entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    private static Tensor read(MemoryStore store) throws IOException {
        return Fixtures.readAll(new ZarrFormat().open(store, ""));
    }

    private static ZarrOptions options(int version, Compression compression, @Nullable Shape shard) {
        return ZarrOptions.DEFAULT
                .withVersion(version)
                .withChunk(CHUNK)
                .withShard(shard)
                .withCompression(compression);
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void everyDtypeComesBackFromEveryCodec(Compression compression) throws IOException {
        for (DType dtype : DType.values()) {
            Tensor tensor = values(dtype);
            List<ZarrOptions> ways = new ArrayList<>(List.of(
                    options(3, compression, null),
                    options(3, compression, Shape.of(6, 2, 8)),
                    options(3, compression, CHUNK)));
            if (dtype != DType.BFLOAT16) {
                ways.add(options(2, compression, null));
            }
            for (ZarrOptions way : ways) {
                assertThat(read(write(tensor, way)).values())
                        .as(dtype + " " + way)
                        .isEqualTo(tensor.values());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void noiseAndNothingComeBack(Compression compression) throws IOException {
        Random random = new Random(3);
        for (int count : new int[] {1, 15, 127, 128, 4096, 300_001}) {
            byte[] noise = new byte[count];
            random.nextBytes(noise);
            Arrays.fill(noise, 0, count / 3, (byte) 7);
            MemoryStore store = write(Tensors.copyOf(noise), ZarrOptions.DEFAULT.withCompression(compression));
            assertThat(read(store).toByteArray()).isEqualTo(noise);
            double[] doubles = random.doubles(count).toArray();
            store = write(Tensors.copyOf(doubles), ZarrOptions.DEFAULT.withCompression(compression));
            assertThat(read(store).toDoubleArray()).isEqualTo(doubles);
        }
        for (Shape shape : List.of(Shape.of(0), Shape.of(3, 0, 2), Shape.SCALAR)) {
            MemoryStore store =
                    write(Tensors.ones(shape, DType.INT32), ZarrOptions.DEFAULT.withCompression(compression));
            assertThat(read(store).shape()).isEqualTo(shape);
            assertThat(read(store).values()).allMatch(value -> value.equals(1L));
        }
    }

    @Test
    void viewsAreWrittenAsTheyLook() throws IOException {
        Tensor tensor = values(DType.INT32);
        for (Tensor view : List.of(tensor.permute(2, 0, 1), tensor.narrow(1, 1, 3), tensor.select(2, 4))) {
            Shape chunk = Shape.of(
                    Arrays.stream(view.shape().toArray()).map(size -> 2).toArray());
            MemoryStore store = write(view, ZarrOptions.DEFAULT.withChunk(chunk).withCompression(Compression.NONE));
            assertThat(read(store).values()).isEqualTo(view.values());
        }
    }

    @Test
    void chunksOfTheFillValueAreNotWritten() throws IOException {
        MemoryStore zeros =
                write(Tensors.zeros(Shape.of(9, 4), DType.FLOAT32), ZarrOptions.DEFAULT.withChunk(Shape.of(3, 2)));
        assertThat(zeros.files()).containsOnlyKeys("zarr.json");
        Tensor ones = Tensors.ones(Shape.of(9, 4), DType.FLOAT32);
        ones.set(2.0, 4, 1);
        MemoryStore one =
                write(ones, ZarrOptions.DEFAULT.withChunk(Shape.of(3, 2)).withFillValue(1L));
        assertThat(one.files()).containsOnlyKeys("zarr.json", "c.1.0");
        assertThat(read(one).values()).isEqualTo(ones.values());
        MemoryStore negative =
                write(Tensors.full(Shape.of(2), -0.0, DType.FLOAT32), ZarrOptions.DEFAULT.withChunk(Shape.of(2)));
        assertThat(negative.files()).containsKey("c.0"); // -0.0 is not 0.0
    }

    @Test
    void fillValuesThatAreNoNumbersAreWritten() throws IOException {
        for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -2.5}) {
            for (int version : new int[] {2, 3}) {
                MemoryStore store = write(
                        Tensors.full(Shape.of(4), value, DType.FLOAT16),
                        ZarrOptions.DEFAULT.withVersion(version).withFillValue(value));
                assertThat(store.files()).doesNotContainKeys("c.0", "0");
                assertThat(read(store).values()).containsOnly(value);
            }
        }
    }

    @Test
    void namesAndAttributesComeBack() throws IOException {
        Map<String, Object> attributes = Map.of("units", "K", "levels", List.of(1L, 2L), "scale", 0.5, "good", true);
        for (int version : new int[] {2, 3}) {
            StoredArray array = new ZarrFormat()
                    .open(
                            write(
                                    values(DType.INT16),
                                    ZarrOptions.DEFAULT
                                            .withVersion(version)
                                            .withDimensions(List.of("t", "y", "x"))
                                            .withAttributes(attributes)),
                            "");
            assertThat(array.attributes()).isEqualTo(attributes);
            assertThat(array.dimensions()).containsExactly("t", "y", "x");
        }
    }

    @Test
    void blocksOfWholeFilesAreWrittenByThemselves() throws IOException {
        Tensor tensor = values(DType.INT32);
        MemoryStore whole = write(tensor, options(3, Compression.ZSTD, null));
        MemoryStore parts = new MemoryStore("memory");
        ZarrWriter writer = ZarrWriter.of(DType.INT32, tensor.shape(), options(3, Compression.ZSTD, null));
        for (long[] rows : new long[][] {{6, 7}, {0, 3}, {3, 6}}) {
            for (long[] columns : new long[][] {{4, 6}, {0, 4}}) {
                Box box = Box.of(new long[] {rows[0], 0, columns[0]}, new long[] {rows[1], 5, columns[1]});
                writer.write(box.of(tensor), box.starts(), (key, pieces) -> {
                    byte[] bytes = new byte[pieces.get(0).bytes()];
                    pieces.get(0).buffer().get(bytes);
                    parts.files().put(key, bytes);
                });
            }
        }
        parts.files().putAll(writer.metadata());
        assertThat(parts.files().keySet()).isEqualTo(whole.files().keySet());
        parts.files()
                .forEach((key, bytes) ->
                        assertThat(bytes).isEqualTo(whole.files().get(key)));
        assertThatThrownBy(() -> writer.write(tensor.narrow(0, 2, 2), new long[] {2, 0, 0}, (key, pieces) -> {}))
                .hasMessage("Cannot write block [2:4, 0:5, 0:6]: files hold blocks of [3, 2, 4] of [7, 5, 6]");
    }

    @Test
    void optionsThatDoNotGoTogetherAreRefused() {
        Shape shape = Fixtures.SHAPE;
        assertThatThrownBy(() -> ZarrWriter.of(DType.BFLOAT16, shape, ZarrOptions.DEFAULT.withVersion(2)))
                .hasMessage("Cannot write bfloat16 as Zarr 2: version 3 has it; cast the tensor with to(...) else");
        assertThatThrownBy(() -> ZarrOptions.DEFAULT.withShard(CHUNK).withVersion(2))
                .hasMessageContaining("Cannot write shards of [3, 2, 4] in Zarr 2");
        assertThatThrownBy(() -> ZarrOptions.DEFAULT.withVersion(1)).hasMessageContaining("versions 2 and 3");
        assertThatThrownBy(() -> ZarrWriter.of(
                        DType.INT8, shape, ZarrOptions.DEFAULT.withChunk(CHUNK).withShard(Shape.of(3, 3, 4))))
                .hasMessageContaining("Cannot cut shards of [3, 3, 4] into chunks of [3, 2, 4]");
        assertThatThrownBy(() -> ZarrWriter.of(DType.INT8, shape, ZarrOptions.DEFAULT.withChunk(Shape.of(3, 0, 4))))
                .hasMessageContaining("Cannot cut shape [7, 5, 6] into chunks of [3, 0, 4]");
        assertThatThrownBy(() -> ZarrWriter.of(DType.INT8, shape, ZarrOptions.DEFAULT.withDimensions(List.of("x"))))
                .hasMessageContaining("give 3 names, or none");
    }

    /** A row of 4,000 in chunks of 100 × 1,000 reads ten chunks of four hundred; in shards, of two shards their index, too. */
    @Test
    void aRowReadsAsMuchAsItsChunks() throws IOException {
        Tensor tensor = Tensors.copyOf(new Random(1).doubles(4000 * 500).toArray(), 4000, 500);
        for (Shape shard : new Shape[] {null, Shape.of(2000, 500)}) {
            MemoryStore store = write(
                    tensor, ZarrOptions.DEFAULT.withChunk(Shape.of(20, 100)).withShard(shard));
            long all = store.files().values().stream()
                    .mapToLong(bytes -> bytes.length)
                    .sum();
            StoredArray array = new ZarrFormat().open(store, "");
            long before = store.read();
            long opened = store.opened();
            long reads = store.reads();
            Box row = Box.of(new long[] {1234, 0}, new long[] {1235, 500});
            assertThat(array.reader().read(row).values())
                    .isEqualTo(row.of(tensor).values());
            assertThat(store.read() - before).isLessThan(all / 100);
            assertThat(store.opened() - opened).isEqualTo(shard == null ? 5 : 1);
            assertThat(store.reads() - reads).isEqualTo(shard == null ? 5 : 2); // the index, and five side by side
            assertThat(array.reader().costBytes(row, 0)).isEqualTo(5 * 20 * 100 * 8);
        }
    }

    @Test
    void uncompressedChunksAreReadInRanges() throws IOException {
        Tensor tensor = Tensors.copyOf(new Random(1).doubles(2000 * 1000).toArray(), 2000, 1000);
        MemoryStore store = write(tensor, ZarrOptions.DEFAULT.withCompression(Compression.NONE));
        StoredArray array = new ZarrFormat().open(store, "");
        long before = store.read();
        Box row = Box.of(new long[] {1234, 0}, new long[] {1235, 1000});
        assertThat(array.reader().read(row).values()).isEqualTo(row.of(tensor).values());
        assertThat(store.read() - before).isEqualTo(8000);
    }

    /** Whole rows and maps follow each other, whatever chunks they lie in: then any box is read by itself. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "300, 100, 70; 300, 100, 70; true",
                "300, 100, 70; 7, 100, 70; true",
                "300, 100, 70; 1, 100, 90; true",
                "300, 100, 70; 1, 9, 70; true",
                "300, 100, 70; 8, 50, 70; false",
                "300, 100, 70; 1, 30, 40; false",
                "300, 100, 70; 300, 100, 7; false"
            })
    void whatPartsOfUncompressedChunksCostIsKnown(String sizes, String chunks, boolean any) throws IOException {
        Shape shape = shape(sizes);
        Shape chunk = shape(chunks);
        Tensor tensor = Tensors.arange(shape.numel()).view(shape.toArray());
        MemoryStore store = write(
                tensor, ZarrOptions.DEFAULT.withCompression(Compression.NONE).withChunk(chunk));
        StoredArray array = new ZarrFormat().open(store, "");
        assertThat(array.readsAnyBox()).isEqualTo(any);
        assertThat(array.encoding().contains("chunks of " + chunk)).isEqualTo(any && chunk.numel() < shape.numel());
        for (Box box : List.of(
                Box.whole(shape),
                Box.of(new long[] {123, 0, 0}, new long[] {124, 100, 70}),
                Box.of(new long[] {0, 40, 0}, new long[] {300, 60, 70}),
                Box.of(new long[] {5, 25, 11}, new long[] {260, 88, 12}),
                Box.of(new long[] {299, 99, 0}, new long[] {300, 100, 0}))) {
            long before = store.read();
            long reads = store.reads();
            long opened = store.opened();
            assertThat(array.reader().read(box).values())
                    .isEqualTo(box.of(tensor).values());
            long read = store.read() - before;
            long ranges = store.reads() - reads;
            long files = store.opened() - opened;
            boolean whole = box.equals(Box.whole(shape)); // no file is opened for a part of it
            long most = read + (whole ? ranges - files : ranges) * FileRanges.STEP_BYTES;
            assertThat(array.reader().costBytes(box, 0)).isBetween(read, most);
        }
    }

    private static Shape shape(String sizes) {
        return Shape.of(
                Arrays.stream(sizes.split(", ")).mapToLong(Long::parseLong).toArray());
    }

    @Test
    void tensorStoreReadsWhatIsWritten(@TempDir Path folder) throws IOException, InterruptedException {
        Python.assumeHas("tensorstore");
        for (DType dtype : DType.values()) {
            for (Compression compression : Compression.values()) {
                String name = "-" + dtype + "-" + compression;
                boolean known = compression != Compression.LZ4 && compression != Compression.ZLIB;
                if (known) { // these two are numcodecs' own, of version 2
                    save(write(values(dtype), options(3, compression, null)), folder.resolve("zarr3" + name));
                    save(
                            write(values(dtype), options(3, compression, Shape.of(6, 4, 4))),
                            folder.resolve("zarr3-shards" + name));
                }
                if (dtype != DType.BFLOAT16 && compression != Compression.LZ4) {
                    save(write(values(dtype), options(2, compression, null)), folder.resolve("zarr" + name));
                }
            }
        }
        Files.writeString(folder.resolve("count"), "" + (10 * 5 * 2 + 9 * 6), StandardCharsets.UTF_8);
        Python.succeeds("""
                import os, sys
                import numpy as np
                import tensorstore as ts
                folder = sys.argv[1]
                count = 0
                for name in sorted(os.listdir(folder)):
                    if name == "count": continue
                    driver, dtype = name.split("-")[0], name.split("-")[-2]
                    spec = {"driver": driver, "kvstore": {"driver": "file", "path": folder + "/" + name}}
                    found = ts.open(spec, open=True).result()
                    n = np.arange(7 * 5 * 6, dtype=np.int64).reshape(7, 5, 6)
                    if dtype == "bool": a = n % 3 == 1
                    elif dtype == "uint8": a = n % 256
                    elif dtype.startswith("int"): a = n % 200 - 100
                    else: a = (n % 200 - 100) / 4
                    a = np.array(a)
                    a[6] = 0
                    assert found.dtype.name == dtype, (name, found.dtype)
                    assert np.array_equal(found.read().result().astype("float64"), a.astype("float64")), name
                    count += 1
                assert count == int(open(folder + "/count").read()), count
                """, folder.toString());
    }

    @Test
    void zarrPythonReadsWhatIsWritten(@TempDir Path folder) throws IOException, InterruptedException {
        Python.assumeHas("zarr");
        for (Compression compression : Compression.values()) {
            ZarrOptions options = options(2, compression, null).withDimensions(List.of("t", "y", "x"));
            save(write(values(DType.FLOAT32), options), folder.resolve("" + compression));
        }
        Python.succeeds("""
                import os, sys
                import numpy as np
                import zarr
                a = ((np.arange(7 * 5 * 6) % 200 - 100) / 4).reshape(7, 5, 6)
                a[6] = 0
                for name in os.listdir(sys.argv[1]):
                    found = zarr.open_array(sys.argv[1] + "/" + name, mode="r")
                    assert found.dtype == "float32" and found.attrs["_ARRAY_DIMENSIONS"] == ["t", "y", "x"], name
                    assert np.array_equal(found[...], a), name
                """, folder.toString());
    }
}
