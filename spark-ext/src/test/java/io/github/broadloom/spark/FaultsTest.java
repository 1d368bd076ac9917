package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.SomeOf;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.FaultWays.Way;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever becomes of tasks and executors, the bits are right, outputs are whole or absent, and nobody keeps memory. */
@Tag("full")
class FaultsTest {
    /** How often Spark tries a task. */
    private static final int ATTEMPTS = 4;
    /** An action may be over a moment before its executor is: Spark tries a duplicate of the task that waits to be killed. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String TAG = "of-a-test";

    @TempDir
    static Path folder;

    private static Faults faults;
    private static Cluster cluster;
    private static FaultyOperands given;

    @BeforeAll
    static void start() throws IOException {
        Npy.write(FaultyOperands.numbers(), folder.resolve("x.npy"), WriteMode.CREATE);
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

    static Stream<Way> oneOfEachTransport() {
        return FaultWays.oneOfEachTransport();
    }

    static Stream<Way> otherWays() {
        return Stream.concat(FaultWays.others(), FaultWays.rechunks());
    }

    static Stream<Way> ways() {
        return Stream.concat(oneOfEachTransport(), otherWays());
    }

    @BeforeEach
    void begin() throws IOException {
        given = new FaultyOperands(cluster, folder.resolve("x.npy"));
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
    @MethodSource("oneOfEachTransport")
    void anExecutorThatIsKilledIsNoLoss(Way way) {
        killDuring(way);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("otherWays")
    void norIsItWithAnyOtherStrategy(Way way) {
        killDuring(way);
    }

    private static void killDuring(Way way) {
        DistributedTensor tensor = way.tensor().apply(given);
        CompletableFuture<Long> killed = faults.kill();
        Bits.assertSame(tensor.collect(), given.expected(tensor));
        assertThat(killed).succeedsWithin(PATIENCE);
    }

    /** The search is a join of tables, of which one side is read again. */
    @Test
    @Tag("full")
    void theNearestRowsAreTheSameThoughAnExecutorIsKilled() {
        CompletableFuture<Long> killed = faults.kill();
        var found = given.file().nearest(given.file(), 3, VectorMetric.EUCLIDEAN);
        Tensor numbers = FaultyOperands.numbers();
        var expected = LazyTensor.of(numbers).nearest(LazyTensor.of(numbers), 3, VectorMetric.EUCLIDEAN);
        Bits.assertSame(found.values().collect(), expected.values());
        Bits.assertSame(found.indices().collect(), expected.indices());
        found.values().unpersist();
        found.indices().unpersist();
        assertThat(killed).succeedsWithin(PATIENCE);
    }

    @SomeOf(value = "ways", oneIn = 5)
    void aTaskMayFailTwice(Way way) {
        DistributedTensor tensor = way.tensor().apply(given);
        faults.fail(2);
        Bits.assertSame(tensor.collect(), given.expected(tensor));
    }

    @SomeOf(value = "ways", oneIn = 5)
    void aCancelledActionEndsAndNobodyKeepsAnything(Way way) throws IOException {
        DistributedTensor tensor = way.tensor().apply(given);
        faults.hangAll();
        CompletableFuture<Tensor> action = CompletableFuture.supplyAsync(() -> {
            cluster.context().addJobTag(TAG);
            try {
                return tensor.collect();
            } finally {
                cluster.context().removeJobTag(TAG);
            }
        });
        faults.awaitHanging();
        cluster.context().cancelJobsWithTag(TAG);
        assertThat(action).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("cancelled");
        faults.goOn();
    }

    @Test
    void shuffleFilesThatAreLostAreWrittenAgain() throws Exception {
        DistributedTensor tensor = FaultWays.SHUFFLED.tensor().apply(given);
        faults.loseShuffleFiles();
        try (Jobs jobs = Jobs.listen(cluster.context())) {
            Bits.assertSame(tensor.collect(), given.expected(tensor));
            assertThat(jobs.stages()).isGreaterThan(2); // Spark tells of each attempt
        }
    }

    private static Path outputs() {
        return folder.resolve("outputs");
    }

    private static void assertWhole(Output output, Tensor expected) throws IOException {
        output.assertWhole(outputs(), cluster.broadloom(), expected);
    }

    @ParameterizedTest
    @EnumSource(names = "NPY_PARTS")
    void anOutputIsWholeThoughItsWriterIsKilled(Output output) throws IOException {
        killWhileWriting(output);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"ONE_NPY", "FAR_ARROW_PARTS", "ZARR", "FAR_ZARR"})
    void soIsAnyOther(Output output) throws IOException {
        killWhileWriting(output);
    }

    private static void killWhileWriting(Output output) throws IOException {
        killWhileWriting(output, given.file().mul(2));
    }

    static Stream<Way> rechunks() {
        return FaultWays.rechunks();
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("rechunks")
    void aStoreInOtherChunksIsWholeThoughAnExecutorIsKilled(Way way) throws IOException {
        DistributedTensor tensor = way.tensor().apply(given);
        assertThat(tensor.chunks()).isEqualTo(8);
        killWhileWriting(Output.ZARR, tensor);
    }

    private static void killWhileWriting(Output output, DistributedTensor tensor) throws IOException {
        CompletableFuture<Long> killed = faults.kill();
        output.write(tensor, outputs(), WriteMode.CREATE);
        assertThat(killed).succeedsWithin(PATIENCE);
        assertWhole(output, given.expected(tensor));
    }

    @ParameterizedTest
    @EnumSource(names = {"NPY_PARTS", "FAR_ARROW"})
    void anOutputIsWholeThoughItsWriterFailsTwice(Output output) throws IOException {
        failTwiceWhileWriting(output);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"NPY_PARTS", "FAR_ARROW"})
    void soIsAnyOtherWhoseWriterFailsTwice(Output output) throws IOException {
        failTwiceWhileWriting(output);
    }

    private static void failTwiceWhileWriting(Output output) throws IOException {
        DistributedTensor tensor = given.file().mul(2);
        faults.fail(2);
        output.write(tensor, outputs(), WriteMode.CREATE);
        assertWhole(output, given.expected(tensor));
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_NPY", "FAR_ARROW_PARTS"})
    void anOutputThatFailsLeavesWhatWasThereAndNothingElse(Output output) throws IOException {
        failWhileWriting(output);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"ONE_NPY", "FAR_ARROW_PARTS"})
    void soDoesAnyOtherThatFails(Output output) throws IOException {
        failWhileWriting(output);
    }

    private static void failWhileWriting(Output output) throws IOException {
        DistributedTensor tensor = given.file().mul(2);
        for (WriteMode mode : WriteMode.values()) {
            faults.fail(ATTEMPTS);
            assertThatThrownBy(() -> output.write(tensor, outputs(), mode))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the network is down")
                    .hasMessageNotContaining("\n");
            if (mode == WriteMode.CREATE) {
                assertThat(outputs()).isEmptyDirectory();
                output.write(cluster.broadloom().tensor(Tensors.ones(3), 2), outputs(), WriteMode.CREATE);
            }
        }
        assertWhole(output, Tensors.ones(3));
    }

    /** The first of its rows lie in a chunk that is not full. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"", "remote://"})
    void anArrayGrowsByAllOrByNothing(String scheme) throws IOException {
        String store = scheme + outputs().resolve("y.zarr");
        Tensor first = FaultyOperands.numbers().narrow(0, 0, 11);
        ZarrOptions options = ZarrOptions.DEFAULT.withChunk(Shape.of(8, FaultyOperands.COLUMNS));
        cluster.broadloom().tensor(first).writeZarr(store, WriteMode.CREATE, options);
        DistributedTensor tensor = given.file().mul(2);
        faults.fail(ATTEMPTS);
        assertThatThrownBy(() -> tensor.append(store, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the network is down")
                .hasMessageNotContaining("\n");
        assertWhole(Output.ZARR, first);
        CompletableFuture<Long> killed = faults.kill();
        tensor.append(store, 0);
        assertThat(killed).succeedsWithin(PATIENCE);
        assertWhole(
                Output.ZARR,
                LazyTensor.of(first).concat(0, given.expected(tensor)).compute());
    }

    /** The first attempt goes on when the output has its name already. */
    @ParameterizedTest
    @EnumSource(names = {"ARROW_PARTS", "FAR_NPY"})
    void aSlowTaskIsRunTwiceAndTheFirstAttemptDoesNoHarm(Output output) throws Exception {
        runTwiceWhileWriting(output);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"ARROW_PARTS", "FAR_NPY"})
    void norDoesThatOfAnyOtherOutput(Output output) throws Exception {
        runTwiceWhileWriting(output);
    }

    private static void runTwiceWhileWriting(Output output) throws Exception {
        assumeTrue(Cluster.hasHosts(), "Spark runs no duplicate on the same host");
        DistributedTensor tensor = given.file().mul(2);
        faults.hang();
        try (Jobs jobs = Jobs.listen(cluster.context())) {
            output.write(tensor, outputs(), WriteMode.CREATE);
            assertThat(jobs.duplicates()).isPositive();
        } finally {
            faults.goOn();
        }
        assertThat(cluster.held()).containsOnly("");
        assertWhole(output, given.expected(tensor));
    }

    /** Spark drops no chunk while a task makes it, and would wait for that one. */
    @Test
    void chunksAreUnpersistedThoughASlowTaskStillMakesOneThatItsDuplicateHasMade() throws IOException {
        assumeTrue(Cluster.hasHosts(), "Spark runs no duplicate on the same host");
        DistributedTensor tensor = given.file().mul(2);
        Tensor expected = given.expected(tensor);
        faults.hang();
        try {
            tensor.materialize();
            tensor.unpersist();
        } finally {
            faults.goOn();
        }
        assertThat(cluster.held()).containsOnly("");
        Bits.assertSame(tensor.collect(), expected);
    }

    @Test
    void theTaskThatIsKilledWhileItMakesACheckpointIsRunAgain() {
        DistributedTensor tensor = given.file().mul(2);
        Tensor expected = given.expected(tensor);
        CompletableFuture<Long> killed = faults.kill();
        tensor.checkpoint();
        assertThat(killed).succeedsWithin(PATIENCE);
        Bits.assertSame(tensor.collect(), expected);
    }

    @Test
    void cachingChunksSurvivesAKilledExecutor() {
        DistributedTensor tensor = given.file().mul(2);
        Tensor expected = given.expected(tensor);
        CompletableFuture<Long> killed = faults.kill();
        tensor.materialize();
        assertThat(killed).succeedsWithin(PATIENCE);
        Bits.assertSame(tensor.collect(), expected);
        tensor.unpersist();
    }

    @Test
    void aLocalCheckpointIsLostWithItsExecutorAndSaysSo() {
        DistributedTensor kept = given.kept(given.large(FaultyOperands.CHUNKS), DistributedTensor::localCheckpoint);
        DistributedTensor tensor = given.file().add(kept);
        CompletableFuture<Long> killed = faults.kill();
        assertThatThrownBy(tensor::collect)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Cannot read local checkpoint: the executor that kept it is gone");
        assertThat(killed).succeedsWithin(PATIENCE);
    }
}
