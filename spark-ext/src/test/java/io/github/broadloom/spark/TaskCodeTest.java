package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.exec.compute.Lineage;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.reflect.ClassTag$;

/** What every task reads before it begins. */
class TaskCodeTest {
    private static final long ROWS = 512;
    /** Hadoop's configuration alone would be ten times as much. */
    private static final int CODE_BYTES = 16_000;
    /** Of each part that a task reads. */
    private static final int PART_BYTES = 500;

    static Stream<Named<Function<Broadloom, DistributedTensor>>> tensors() {
        Stream<Named<Function<Broadloom, DistributedTensor>>> files = Stream.of("x.npy", "npy", "x.arrow", "arrow")
                .map(name -> Named.of(name, broadloom -> stored(broadloom, name)));
        return Stream.concat(files, inMemory());
    }

    private static Stream<Named<Function<Broadloom, DistributedTensor>>> inMemory() {
        return Stream.of(
                Named.of("from the driver", broadloom -> numbers(broadloom).add(1)),
                Named.of(
                        "cached", broadloom -> numbers(broadloom).add(1).cache().mul(2)),
                Named.of(
                        "cached, cut differently",
                        broadloom -> numbers(broadloom)
                                .add(1)
                                .cache()
                                .narrow(0, 3, ROWS - 3)
                                .mul(2)));
    }

    private static DistributedTensor numbers(Broadloom broadloom) {
        return broadloom.tensor(numbers());
    }

    private static Tensor numbers() {
        return Tensors.arange(ROWS * 8).view(ROWS, 8);
    }

    /** Each for a batch of its own. */
    private static List<Tensor> rows() {
        Tensor all = numbers();
        return LongStream.range(0, ROWS).mapToObj(row -> all.narrow(0, row, 1)).toList();
    }

    @ParameterizedTest
    @MethodSource("tensors")
    void doesNotGrowWithTheNumberOfChunks(Function<Broadloom, DistributedTensor> tensor) {
        int few = codeBytes(tensor.apply(LocalSpark.broadloom().withChunkBytes(ROWS * 64 / 4)), 4);
        int many = codeBytes(tensor.apply(LocalSpark.broadloom().withChunkBytes(64)), (int) ROWS);
        assertThat(many).isLessThan(few + 1000);
        assertThat(many).isLessThan(CODE_BYTES);
    }

    @TempDir
    static Path folder;

    /** Of one file and of a folder with as many parts as chunks, in a file system that needs Hadoop's configuration. */
    private static DistributedTensor stored(Broadloom broadloom, String name) {
        LocalSpark.session()
                .sparkContext()
                .hadoopConfiguration()
                .set("fs.remote.impl", RemoteFileSystem.class.getName());
        String path = "remote://" + folder.resolve(name);
        try {
            switch (name) {
                case "x.npy" -> Npy.write(numbers(), folder.resolve(name), WriteMode.OVERWRITE);
                case "npy" -> numbers(broadloom).writeNpy(path, WriteMode.OVERWRITE);
                case "x.arrow" -> ArrowIpc.writeFile(rows().iterator(), folder.resolve(name), WriteMode.OVERWRITE);
                default -> numbers(broadloom).writeArrow(path, WriteMode.OVERWRITE);
            }
            return (name.endsWith("arrow") ? broadloom.readArrow(path) : broadloom.readNpy(path)).add(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of a folder with thousands of parts a task has those that it reads. */
    @Test
    void aFolderOfThousandsOfPartsIsOpenedByItsManifestAndTasksCarryTheirOwn() throws IOException {
        int parts = 5000;
        Path many = Files.createDirectory(folder.resolve("many"));
        Npy.write(Tensors.arange(8).view(1, 8), folder.resolve("row.npy"), WriteMode.CREATE);
        byte[] row = Files.readAllBytes(folder.resolve("row.npy"));
        CRC32C crc = new CRC32C();
        crc.update(row);
        List<String> listed = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            String name = String.format(Locale.ROOT, "part-%05d.npy", i);
            Files.write(many.resolve(name), row);
            listed.add(String.format(
                    Locale.ROOT,
                    "{\"name\": \"%s\", \"rows\": 1, \"bytes\": %d, \"crc32c\": \"%08x\"}",
                    name,
                    row.length,
                    crc.getValue()));
        }
        Files.writeString(
                many.resolve("_broadloom.json"),
                "{\"version\": 1, \"format\": \"npy\", \"dtype\": \"int64\", \"shape\": [" + parts
                        + ", 8], \"parts\": [" + String.join(",", listed) + "]}");
        LocalSpark.session()
                .sparkContext()
                .hadoopConfiguration()
                .set("fs.remote.impl", RemoteFileSystem.class.getName());
        Map<RemoteFileSystem.Operation, Integer> asked = new EnumMap<>(RemoteFileSystem.Operation.class);
        RemoteFileSystem.watch((operation, path) -> asked.merge(operation, 1, Integer::sum));
        DistributedTensor x;
        try {
            x = LocalSpark.broadloom().withChunkBytes(64 * 64).readNpy("remote://" + many);
        } finally {
            RemoteFileSystem.unwatch();
        }
        assertThat(asked)
                .containsEntry(RemoteFileSystem.Operation.OPEN, 1)
                .containsEntry(RemoteFileSystem.Operation.LIST, 1);
        // What the list of a local folder asks of each file is no request.
        assertThat(asked.get(RemoteFileSystem.Operation.STATUS)).isLessThan(parts + 5);
        assertThat(x.shape()).isEqualTo(Shape.of(parts, 8));
        assertThat(codeBytes(x.add(1), 79)).isLessThan(CODE_BYTES + 64 * PART_BYTES);
        Bits.assertSame(x.narrow(0, 4000, 2).collect(), Tensors.arange(8).expand(2, 8));
    }

    private static int codeBytes(DistributedTensor tensor, int chunks) {
        assertThat(tensor.chunks()).isBetween(chunks - 3, chunks);
        SparkContext context = LocalSpark.session().sparkContext();
        DistributedTensor kept = tensor.cache();
        RDD<?> chunksOf = Lineage.of(kept.expr(), context);
        Partition[] partitions = chunksOf.partitions();
        int bytes = bytes(chunksOf) + bytes(partitions[partitions.length / 2]);
        kept.unpersist();
        return bytes;
    }

    private static int bytes(Object code) {
        return SparkEnv.get()
                .closureSerializer()
                .newInstance()
                .serialize(code, ClassTag$.MODULE$.apply(Object.class))
                .remaining();
    }
}
