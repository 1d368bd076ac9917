package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever becomes of tasks and executors, the bits are right, outputs are whole or absent, and nobody keeps memory. */
class FaultsTest {
    private static final int CHUNKS = 12;
    private static final long ROWS = 8 * CHUNKS;
    private static final long COLUMNS = 20_000;
    private static final long CHUNK_BYTES = ROWS / CHUNKS * COLUMNS * 4;
    /** What a row travels in several of. */
    private static final long PIECE_BYTES = COLUMNS;
    /** How often Spark tries a task. */
    private static final int ATTEMPTS = 4;

    @TempDir
    static Path folder;

    private static Faults faults;
    private static Cluster cluster;
    private static Given given;

    @BeforeAll
    static void start() throws IOException {
        Npy.write(numbers(), folder.resolve("x.npy"), WriteMode.CREATE);
        faults = new Faults(folder.resolve("orders"));
        String[] speculation = {
            "spark.speculation", "true",
            "spark.speculation.interval", "50ms",
            "spark.speculation.quantile", "0.5"
        };
        cluster = new Cluster(
                folder,
                Stream.of(faults.settings(), speculation).flatMap(Stream::of).toArray(String[]::new));
        cluster.context().setCheckpointDir("remote://" + folder.resolve("checkpoints"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
        cluster = null;
    }

    /** All different, and nothing that rounds alike: sums of other rows, or in another order, have other bits. */
    private static Tensor numbers() {
        return Tensors.arange(ROWS * COLUMNS).to(DType.FLOAT32).view(ROWS, COLUMNS);
    }

    /** What the operands of a strategy are made of. */
    private static final class Given {
        private final Locally locally = new Locally();
        private final List<DistributedTensor> kept = new ArrayList<>();

        Broadloom broadloom() {
            return cluster.broadloom()
                    .withChunkBytes(CHUNK_BYTES)
                    .withReplicateBytes(CHUNK_BYTES)
                    .withPieceBytes(PIECE_BYTES);
        }

        /** A file in {@link #CHUNKS} chunks; the task that reads its middle meets the fault. */
        DistributedTensor file() {
            try {
                return broadloom().readNpy(Faults.path(folder.resolve("x.npy")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** As large as the file, in the driver's memory. */
        DistributedTensor large(int chunks) {
            return broadloom().tensor(numbers().flip(0), chunks);
        }

        /** Too large to travel with the code. */
        DistributedTensor row() {
            return broadloom().tensor(numbers().select(0, 7));
        }

        DistributedTensor column() {
            return broadloom().tensor(numbers().narrow(1, 7, 1));
        }

        DistributedTensor kept(DistributedTensor tensor, UnaryOperator<DistributedTensor> keep) {
            kept.add(locally.kept(tensor, keep));
            return tensor;
        }

        DistributedTensor cached(int chunks, StorageLevel level) {
            DistributedTensor cached = kept(large(chunks).mul(2), tensor -> tensor.cache(level));
            cached.sum().collect();
            return cached;
        }

        Tensor expected(DistributedTensor tensor) {
            return Bits.local(locally.of(tensor));
        }

        void unpersist() {
            kept.forEach(DistributedTensor::unpersist);
        }
    }

    /** One strategy, or several at work in one expression. */
    private record Way(String name, Function<Given, DistributedTensor> tensor) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The file is read by the tasks that read the shuffle. */
    private static final Way SHUFFLED = new Way(
            "shuffled, after the shuffle",
            given -> given.file()
                    .sub(given.cached(CHUNKS, StorageLevel.MEMORY_ONLY()).t().reshape(ROWS, COLUMNS)));

    static Stream<Way> ways() {
        return Stream.of(
                new Way(
                        "replicated, or carried with the code",
                        given -> given.file().sub(given.row()).mul(given.column())),
                new Way(
                        "replicated, cached",
                        given -> given.file().sub(given.kept(given.row().mul(2), DistributedTensor::cache))),
                new Way(
                        "aligned, from the driver and from two files",
                        given -> given.file()
                                .sub(given.large(CHUNKS))
                                .mul(given.file().sqrt())),
                new Way("aligned, cached", given -> given.file().sub(given.cached(CHUNKS, StorageLevel.MEMORY_ONLY()))),
                new Way(
                        "re-sliced, cached",
                        given -> given.file().sub(given.cached(7, StorageLevel.MEMORY_ONLY_SER()))),
                new Way(
                        "re-sliced, cached twice",
                        given -> given.file().sub(given.cached(7, StorageLevel.DISK_ONLY_2()))),
                new Way(
                        "re-sliced, checkpoint",
                        given -> given.file().sub(given.kept(given.large(7).mul(2), DistributedTensor::checkpoint))),
                new Way(
                        "folded, then aligned",
                        given -> given.file().sub(given.file().mean(0))),
                new Way(
                        "re-sliced, turned round",
                        given -> given.file()
                                .sub(given.cached(CHUNKS, StorageLevel.MEMORY_ONLY())
                                        .flip(0))),
                new Way(
                        "grid",
                        given -> given.file()
                                .unsqueeze(1)
                                .sub(given.cached(CHUNKS, StorageLevel.MEMORY_ONLY())
                                        .narrow(0, 5, 24)
                                        .unsqueeze(0))
                                .sum(2)),
                new Way(
                        "kept until the action is over",
                        given -> given.file()
                                .cumsum(0)
                                .unsqueeze(1)
                                .sub(given.cached(CHUNKS, StorageLevel.MEMORY_ONLY())
                                        .narrow(0, 5, 24)
                                        .unsqueeze(0))
                                .sum(2)),
                new Way(
                        "shuffled, before the shuffle",
                        given -> given.file().t().mul(2)),
                SHUFFLED,
                new Way("scanned, then aligned", given -> given.file().cumsum(0).sub(given.row())),
                new Way("whole", given -> given.file().median(0, KeepDim.DROP).values()));
    }

    @BeforeEach
    void begin() throws IOException {
        given = new Given();
        Files.createDirectory(outputs());
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        boolean happened = faults.happened();
        faults.clear();
        given.unpersist();
        given = null;
        FileUtils.deleteDirectory(outputs().toFile());
        assertThat(happened).isTrue();
        assertThat(cluster.held()).containsOnly("");
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anExecutorThatIsKilledIsNoLoss(Way way) {
        DistributedTensor tensor = way.tensor().apply(given);
        CompletableFuture<Long> killed = faults.kill();
        Bits.assertSame(tensor.collect(), given.expected(tensor));
        assertThat(killed).isCompleted();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aTaskMayFailTwice(Way way) {
        DistributedTensor tensor = way.tensor().apply(given);
        faults.fail(2);
        Bits.assertSame(tensor.collect(), given.expected(tensor));
    }

    @Test
    void shuffleFilesThatAreLostAreWrittenAgain() throws Exception {
        DistributedTensor tensor = SHUFFLED.tensor().apply(given);
        faults.loseShuffleFiles();
        try (Jobs jobs = Jobs.listen(cluster.context())) {
            Bits.assertSame(tensor.collect(), given.expected(tensor));
            assertThat(jobs.stages()).isGreaterThan(2); // Spark tells of each attempt
        }
    }

    /** How a tensor is written. */
    private enum Output {
        ONE_NPY("y.npy"),
        NPY_PARTS("y-npy"),
        ONE_ARROW("y.arrow"),
        ARROW_PARTS("y-arrow");

        private final String name;

        Output(String name) {
            this.name = name;
        }

        private boolean isNpy() {
            return name.endsWith("npy");
        }

        String path() {
            return outputs().resolve(name).toString();
        }

        void write(DistributedTensor tensor) throws IOException {
            write(tensor, WriteMode.CREATE);
        }

        void write(DistributedTensor tensor, WriteMode mode) throws IOException {
            if (isNpy()) {
                tensor.writeNpy(path(), mode);
            } else {
                tensor.writeArrow(path(), mode);
            }
        }

        Tensor read() throws IOException {
            Broadloom broadloom = cluster.broadloom();
            return (isNpy() ? broadloom.readNpy(path()) : broadloom.readArrow(path())).collect();
        }
    }

    private static Path outputs() {
        return folder.resolve("outputs");
    }

    /** Everything there is is that output, and that is whole. */
    private static void assertWhole(Output output, Tensor expected) throws IOException {
        assertThat(outputs().toFile().list()).containsExactly(output.name);
        Path path = Path.of(output.path());
        if (Files.isDirectory(path)) {
            assertThat(path.toFile().list()).allMatch(part -> part.startsWith("part-"));
        }
        Bits.assertSame(output.read(), expected);
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_NPY", "NPY_PARTS"})
    void anOutputIsWholeThoughItsWriterIsKilled(Output output) throws IOException {
        DistributedTensor tensor = given.file().mul(2);
        CompletableFuture<Long> killed = faults.kill();
        output.write(tensor);
        assertThat(killed).isCompleted();
        assertWhole(output, given.expected(tensor));
    }

    @ParameterizedTest
    @EnumSource
    void anOutputIsWholeThoughItsWriterFailsTwice(Output output) throws IOException {
        DistributedTensor tensor = given.file().mul(2);
        faults.fail(2);
        output.write(tensor);
        assertWhole(output, given.expected(tensor));
    }

    @ParameterizedTest
    @EnumSource
    void anOutputThatFailsLeavesWhatWasThereAndNothingElse(Output output) throws IOException {
        DistributedTensor tensor = given.file().mul(2);
        for (WriteMode mode : WriteMode.values()) {
            faults.fail(ATTEMPTS);
            assertThatThrownBy(() -> output.write(tensor, mode))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the network is down")
                    .hasMessageNotContaining("\n");
            if (mode == WriteMode.CREATE) {
                assertThat(outputs()).isEmptyDirectory();
                output.write(cluster.broadloom().tensor(Tensors.ones(3), 2));
            }
        }
        assertWhole(output, Tensors.ones(3));
    }

    /** The first attempt goes on when the output has its name already. */
    @ParameterizedTest
    @EnumSource
    void aSlowTaskIsRunTwiceAndTheFirstAttemptDoesNoHarm(Output output) throws Exception {
        assumeTrue(Cluster.hasHosts(), "Spark runs no duplicate on the same host");
        DistributedTensor tensor = given.file().mul(2);
        faults.hang();
        try (Jobs jobs = Jobs.listen(cluster.context())) {
            output.write(tensor);
            assertThat(jobs.duplicates()).isPositive();
        } finally {
            faults.goOn();
        }
        assertThat(cluster.held()).containsOnly("");
        assertWhole(output, given.expected(tensor));
    }

    @Test
    void theTaskThatIsKilledWhileItMakesACheckpointIsRunAgain() {
        DistributedTensor tensor = given.file().mul(2);
        Tensor expected = given.expected(tensor);
        CompletableFuture<Long> killed = faults.kill();
        tensor.checkpoint();
        assertThat(killed).isCompleted();
        Bits.assertSame(tensor.collect(), expected);
    }

    @Test
    void cachingChunksSurvivesAKilledExecutor() {
        DistributedTensor tensor = given.file().mul(2);
        Tensor expected = given.expected(tensor);
        CompletableFuture<Long> killed = faults.kill();
        tensor.materialize();
        assertThat(killed).isCompleted();
        Bits.assertSame(tensor.collect(), expected);
        tensor.unpersist();
    }

    @Test
    void aLocalCheckpointIsLostWithItsExecutorAndSaysSo() {
        DistributedTensor kept = given.kept(given.large(CHUNKS), DistributedTensor::localCheckpoint);
        DistributedTensor tensor = given.file().add(kept);
        CompletableFuture<Long> killed = faults.kill();
        assertThatThrownBy(tensor::collect)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Cannot read local checkpoint: the executor that kept it is gone");
        assertThat(killed).isCompleted();
    }
}
