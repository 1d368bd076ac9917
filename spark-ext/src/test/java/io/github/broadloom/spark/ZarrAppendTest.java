package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.Python;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.RemoteFileSystem.Operation;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrFormat;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of Zarr that grow: in the end they hold what was written at once, and before that what they held. */
class ZarrAppendTest {
    @TempDir
    Path folder;

    private static Broadloom broadloom() {
        return LocalSpark.broadloom();
    }

    @BeforeEach
    void makeFar() {
        context().hadoopConfiguration().set("fs.remote.impl", RemoteFileSystem.class.getName());
    }

    @AfterEach
    void unwatch() {
        RemoteFileSystem.unwatch();
    }

    private static SparkContext context() {
        return LocalSpark.session().sparkContext();
    }

    /** Element [i, j, k] is 10,000 i + 100 j + k. */
    private static Tensor numbers() {
        Tensor all = Tensors.arange(70L * 10_000).view(70, 100, 100);
        return all.narrow(1, 0, 9).narrow(2, 0, 8).to(DType.FLOAT32);
    }

    private static Tensor rows(long start, long end) {
        return numbers().narrow(0, start, end - start);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private StoredArray open(String name) throws IOException {
        return new ZarrFormat().open(LocalStore.of(folder.resolve(name)), "");
    }

    private static Tensor elements(StoredArray array) throws IOException {
        return array.reader().read(Box.whole(array.shape()));
    }

    private Map<String, String> files(String name) throws IOException {
        Map<String, String> files = new TreeMap<>();
        Path store = folder.resolve(name);
        try (Stream<Path> all = Files.walk(store)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(store.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    private static ZarrOptions options(String form) {
        ZarrOptions options = ZarrOptions.DEFAULT
                .withChunk(Shape.of(5, 4, 5))
                .withDimensions(List.of("t", "y", "x"))
                .withAttributes(Map.of("units", "K", "scale", 0.1));
        return switch (form) {
            case "shards" -> options.withShard(Shape.of(20, 8, 5));
            case "version 2", "version 2, slashes" -> options.withVersion(2);
            default -> options;
        };
    }

    /** As other libraries call chunks. */
    private void callBySlashes(String name) throws IOException {
        Path store = folder.resolve(name);
        for (String file : files(name).keySet()) {
            Path from = store.resolve(file);
            if (file.matches("(c\\.)?\\d.*")) {
                Path to = store.resolve(file.replace('.', '/'));
                Files.createDirectories(to.getParent());
                Files.move(from, to);
            } else {
                String json = Files.readString(from);
                Files.writeString(from, json.replaceAll("(separator\" : )\"\\.\"", "$1\"/\""));
            }
        }
    }

    /** 33 rows of 6 by 5 do not fill their chunks of 5 by 4 by 5, nor do 6 columns. */
    @ParameterizedTest
    @CsvSource({
        "1, plain", "2, plain", "7, plain",
        "1, shards", "2, shards", "7, shards",
        "7, 'version 2'", "2, 'version 2, slashes'", "7, slashes"
    })
    void anArrayGrowsAlongEachDimension(int chunks, String form) throws IOException {
        broadloom()
                .tensor(rows(0, 33).narrow(1, 0, 6).narrow(2, 0, 5))
                .writeZarr(path("x.zarr"), WriteMode.CREATE, options(form));
        if (form.contains("slashes")) {
            callBySlashes("x.zarr");
        }
        StoredArray before = open("x.zarr");
        Tensor rows = rows(33, 70).narrow(1, 0, 6).narrow(2, 0, 5);
        broadloom().tensor(rows, chunks).append(path("x.zarr"), 0);
        Bits.assertSame(elements(open("x.zarr")), numbers().narrow(1, 0, 6).narrow(2, 0, 5));
        Bits.assertSame(elements(before), rows(0, 33).narrow(1, 0, 6).narrow(2, 0, 5));
        broadloom().tensor(numbers().narrow(1, 6, 3).narrow(2, 0, 5), chunks).append(path("x.zarr"), -2);
        broadloom().tensor(numbers().narrow(2, 5, 3), chunks).add(0).append(path("x.zarr"), 2);
        StoredArray grown = open("x.zarr");
        Bits.assertSame(elements(grown), numbers());
        assertThat(grown.chunk()).isEqualTo(Shape.of(5, 4, 5));
        assertThat(grown.encoding()).isEqualTo(before.encoding());
        assertThat(grown.attributes()).isEqualTo(Map.of("units", "K", "scale", 0.1));
        assertThat(grown.dimensions()).containsExactly("t", "y", "x");
        assertThat(files("x.zarr").keySet()).noneMatch(file -> file.contains("tmp") || file.contains("_"));
        assertThat(folder.toFile().list()).containsExactly("x.zarr");
    }

    @Test
    void anArrayWithoutRowsGrowsAndNoRowsChangeNothing() throws IOException {
        broadloom().tensor(rows(0, 0)).writeZarr(path("x.zarr"), WriteMode.CREATE, options("plain"));
        broadloom().tensor(rows(0, 33)).append(path("x.zarr"), 0);
        broadloom().tensor(rows(0, 0)).append(path("x.zarr"), 0);
        broadloom().tensor(rows(33, 70), 7).append(path("x.zarr"), 0);
        Bits.assertSame(elements(open("x.zarr")), numbers());
    }

    /** What is not known here is kept as well: only the shape is another one. */
    @Test
    void allElseOfTheMetadataStaysToTheByte() throws IOException {
        broadloom().tensor(rows(0, 5)).writeZarr(path("x.zarr"), WriteMode.CREATE, options("plain"));
        Path json = folder.resolve("x.zarr/zarr.json");
        String mine = Files.readString(json)
                .replaceFirst("\"units\"", "\"shape\":[1], \"exact\":0.10000000000000000001, \"units\"");
        Files.writeString(json, mine);
        broadloom().tensor(rows(5, 7)).append(path("x.zarr"), 0);
        assertThat(Files.readString(json)).isEqualTo(mine.replaceFirst("\\[ *5, 9, 8 *]", "[7, 9, 8]"));
    }

    /** A chunk of the fill value has no file; where one was left there by whoever was killed, or shrank the array, it would be read. */
    @Test
    void filesBeyondTheShapeAreReplacedOrDeleted() throws IOException {
        broadloom().tensor(rows(0, 70)).writeZarr(path("x.zarr"), WriteMode.CREATE, options("plain"));
        Path json = folder.resolve("x.zarr/zarr.json");
        Files.writeString(json, Files.readString(json).replaceFirst("70", "33"));
        Tensor zeros = Tensors.zeros(Shape.of(20, 9, 8), DType.FLOAT32);
        broadloom().tensor(zeros, 2).append(path("x.zarr"), 0);
        broadloom().tensor(rows(10, 12)).append(path("x.zarr"), 0);
        Tensor grown = elements(open("x.zarr"));
        Bits.assertSame(grown.narrow(0, 0, 33), rows(0, 33));
        Bits.assertSame(grown.narrow(0, 33, 20), zeros);
        Bits.assertSame(grown.narrow(0, 53, 2), rows(10, 12));
    }

    /** Of a chunk that is not there other libraries would read whatever there is in memory. */
    @Test
    void whereNothingIsTheFillValueAllChunksAreWritten() throws IOException {
        broadloom().tensor(rows(0, 5)).writeZarr(path("x.zarr"), WriteMode.CREATE, options("version 2"));
        Path json = folder.resolve("x.zarr/.zarray");
        Files.writeString(json, Files.readString(json).replaceFirst("\"fill_value\" : 0.0", "\"fill_value\" : null"));
        broadloom().tensor(Tensors.zeros(Shape.of(5, 9, 8), DType.FLOAT32)).append(path("x.zarr"), 0);
        assertThat(files("x.zarr")).containsKeys("1.0.0", "1.2.1");
    }

    @Test
    void aFailedTaskLeavesTheArrayAsItWas() throws IOException {
        broadloom().tensor(rows(0, 33)).writeZarr(path("x.zarr"), WriteMode.CREATE, options("plain"));
        Map<String, String> before = files("x.zarr");
        Npy.write(rows(33, 70), folder.resolve("x.npy"), WriteMode.CREATE);
        DistributedTensor x = broadloom().withChunkBytes(1024).readNpy(path("x.npy"));
        try (RandomAccessFile file = new RandomAccessFile(path("x.npy"), "rw")) {
            file.setLength(file.length() - 100);
        }
        assertThatThrownBy(() -> x.add(1).append(path("x.zarr"), 0))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Cannot ")
                .hasMessageNotContaining("\n");
        assertThat(files("x.zarr")).isEqualTo(before);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("x.npy", "x.zarr");
    }

    /** The driver dies when all files have their places and the metadata has not: the lock, and files beyond the shape, are left. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "shards", "version 2"})
    void whatAKilledAppendLeavesIsNotSeenAndDoesNotHinderTheNext(String form) throws IOException {
        String far = "remote://" + folder.resolve("x.zarr");
        broadloom().tensor(rows(0, 33)).writeZarr(far, WriteMode.CREATE, options(form));
        RemoteFileSystem.watch((operation, file) -> {
            if (operation == Operation.OPEN && file.getName().equals("_metadata")) {
                throw new IOException("the power is off");
            }
        });
        DistributedTensor more = broadloom().tensor(rows(33, 70), 7);
        assertThatThrownBy(() -> more.append(far, 0))
                .hasMessageContaining("Cannot append to " + far + ": the power is off");
        RemoteFileSystem.unwatch();
        Location dead = Temporaries.of(Location.of(far, context()));
        Temporaries.over(dead);
        Files.writeString(folder.resolve("x.zarr/.append.tmp"), dead.fileName());
        Bits.assertSame(elements(open("x.zarr")), rows(0, 33));
        Tensor other = Tensors.zeros(Shape.of(30, 9, 8), DType.FLOAT32);
        other.narrow(0, 0, 1).fill_(7);
        broadloom().tensor(other, 2).append(far, 0);
        Tensor grown = elements(open("x.zarr"));
        Bits.assertSame(grown.narrow(0, 0, 33), rows(0, 33));
        Bits.assertSame(grown.narrow(0, 33, 30), other);
        assertThat(folder.resolve("x.zarr/.append.tmp")).doesNotExist();
    }

    /** All that come after fail as well, also those that tidy up. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"plain", "shards"})
    void whicheverOperationOfTheDriverIsTheLastTheArrayIsWhole(String form) throws IOException {
        Thread driver = Thread.currentThread();
        ZarrOptions options = options(form).withChunk(Shape.of(5, 9, 8));
        options = options.withShard(form.equals("shards") ? Shape.of(10, 9, 8) : null);
        DistributedTensor more = broadloom().tensor(rows(8, 23), 2);
        boolean fails = true;
        for (int last = 0; fails; last++) {
            String far = "remote://" + folder.resolve("x.zarr");
            broadloom().tensor(rows(0, 8)).writeZarr(far, WriteMode.OVERWRITE, options);
            AtomicInteger left = new AtomicInteger(last);
            RemoteFileSystem.watch((operation, file) -> {
                if (Thread.currentThread() == driver && left.getAndDecrement() <= 0) {
                    throw new IOException("the power is off");
                }
            });
            try {
                more.append(far, 0);
            } catch (IOException e) {
                assertThat(e).hasMessageNotContaining("\n");
            }
            fails = left.get() < 0;
            RemoteFileSystem.unwatch();
            Tensor found = elements(open("x.zarr"));
            if (found.shape().size(0) == 8) {
                Bits.assertSame(found, rows(0, 8));
                more.append(far, 0);
                found = elements(open("x.zarr"));
            }
            Bits.assertSame(found, rows(0, 23));
        }
        assertThat(folder.toFile().list()).containsExactly("x.zarr");
        assertThat(files("x.zarr").keySet()).noneMatch(file -> file.contains("tmp"));
    }

    @Test
    void ofTwoAppendsAtOnceTheLaterFails() throws IOException {
        String far = "remote://" + folder.resolve("x.zarr");
        broadloom().tensor(rows(0, 33)).writeZarr(far, WriteMode.CREATE, options("plain"));
        AtomicBoolean begun = new AtomicBoolean();
        RemoteFileSystem.watch((operation, file) -> {
            if (operation == Operation.CREATE && !begun.getAndSet(true)) {
                broadloom().tensor(rows(33, 70), 7).append(far, 0);
            }
        });
        DistributedTensor late = broadloom().tensor(rows(0, 20), 2);
        assertThatThrownBy(() -> late.append(far, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("Cannot append to " + far
                        + ": another writer has changed it since this append began; append again");
        Bits.assertSame(elements(open("x.zarr")), numbers());
        assertThat(folder.toFile().list()).containsExactly("x.zarr");
    }

    /** The copies that groups have, however the array is named. */
    @ParameterizedTest
    @CsvSource({"plain, g.zarr:in/x", "plain, g.zarr/in/x", "version 2, g.zarr:in/x", "version 2, g.zarr/in/x"})
    void consolidatedMetadataOfGroupsFollows(String form, String address) throws IOException {
        Path group = Files.createDirectories(folder.resolve("g.zarr/in"));
        broadloom().tensor(rows(0, 33)).writeZarr(path("g.zarr/in/x"), WriteMode.CREATE, options(form));
        Path consolidated;
        if (form.equals("plain")) {
            String array = Files.readString(group.resolve("x/zarr.json"));
            Files.writeString(group.resolve("zarr.json"), "{\"zarr_format\": 3, \"node_type\": \"group\"}");
            consolidated = group.resolveSibling("zarr.json");
            Files.writeString(
                    consolidated,
                    "{\"zarr_format\": 3, \"node_type\": \"group\", \"consolidated_metadata\": {\"kind\": \"inline\","
                            + " \"metadata\": {\"y\": {\"node_type\": \"group\"}, \"in/x\": " + array + "}}}");
        } else {
            String array = Files.readString(group.resolve("x/.zarray"));
            for (Path each : List.of(group, group.getParent())) {
                Files.writeString(each.resolve(".zgroup"), "{\"zarr_format\": 2}");
            }
            consolidated = group.resolveSibling(".zmetadata");
            Files.writeString(consolidated, "{\"metadata\": {\"in/x/.zarray\": " + array + "}}");
        }
        String before = Files.readString(consolidated);
        broadloom().tensor(rows(33, 70), 2).append(path(address), 0);
        assertThat(Files.readString(consolidated)).isEqualTo(before.replaceFirst("\\[ *33, 9, 8 *]", "[70, 9, 8]"));
        Bits.assertSame(broadloom().read(path("g.zarr:in/x")).collect(), numbers());
    }

    @Test
    void whatDoesNotFitIsRefusedBeforeAnyJob() throws IOException {
        String x = path("x.zarr");
        broadloom().tensor(rows(0, 33)).writeZarr(x, WriteMode.CREATE, options("plain"));
        Map<String, String> before = files("x.zarr");
        DistributedTensor more = broadloom().tensor(rows(33, 70), 7);
        String same = "; the dtype and all other sizes have to be the same";
        assertThatThrownBy(() -> more.to(DType.FLOAT64).append(x, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot append float64 [37, 9, 8] to " + x + " along dimension 0: it is float32 [33, 9, 8]"
                        + same);
        assertThatThrownBy(() -> more.append(x, 1)).hasMessageEndingWith(same);
        assertThatThrownBy(() -> more.select(0, 1).append(x, 0)).hasMessageEndingWith(same);
        assertThatThrownBy(() -> more.append(x, 3))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("Dimension out of range (expected to be in range of [-3, 2], but got 3)");
        assertThatThrownBy(() -> more.append(path("none.zarr"), 0)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> more.append(path("x.npy"), 0))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("npy files are written whole, those of zarr grow");
        broadloom().tensor(Tensors.scalar(1.5)).writeZarr(path("one.zarr"), WriteMode.CREATE, ZarrOptions.DEFAULT);
        assertThatThrownBy(() -> more.append(path("one.zarr"), 0)).hasMessageEndingWith("it has no dimension");
        Path json = folder.resolve("x.zarr/zarr.json");
        String kept = Files.readString(json);
        Files.writeString(json, kept.replace("float32", "uint32").replace("0.0", "0"));
        assertThatThrownBy(() -> more.append(x, 0))
                .hasMessageEndingWith("its elements are uint32, which are read, not written");
        Files.writeString(json, kept);
        assertThat(files("x.zarr")).isEqualTo(before);
    }

    @Test
    void tensorStoreReadsWhatHasGrown() throws IOException, InterruptedException {
        Python.assumeHas("tensorstore");
        for (String form : List.of("plain", "slashes", "shards", "version 2")) {
            String name = form.replace(' ', '-');
            broadloom().tensor(rows(0, 33)).writeZarr(path(name), WriteMode.CREATE, options(form));
            if (form.equals("slashes")) {
                callBySlashes(name);
            }
            broadloom().tensor(rows(33, 70), 7).append(path(name), 0);
        }
        Python.succeeds("""
                import sys
                import numpy as np
                import tensorstore as ts
                i, j, k = np.ogrid[:70, :9, :8]
                for name in ["plain", "slashes", "shards", "version-2"]:
                    driver = "zarr" if name == "version-2" else "zarr3"
                    spec = {"driver": driver, "kvstore": {"driver": "file", "path": sys.argv[1] + "/" + name}}
                    found = ts.open(spec, open=True).result().read().result()
                    assert found.dtype == "float32" and np.array_equal(found, 10000 * i + 100 * j + k), name
                """, folder.toString());
    }
}
