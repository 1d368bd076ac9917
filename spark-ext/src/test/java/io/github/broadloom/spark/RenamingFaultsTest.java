package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.SomeOf;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.Faults.Renaming;
import io.github.broadloom.spark.Faults.Who;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;

/** File systems that are far rename late, by copying, twice or not at all, and do not always say so: outputs are whole or absent. */
class RenamingFaultsTest {
    private static final int CHUNKS = 7;

    @TempDir
    static Path folder;

    private static Faults faults;
    private static Broadloom broadloom;

    @BeforeAll
    static void start() throws IOException {
        LocalSpark.stop();
        FileSystem.closeAll(); // those of tests before know nothing of these faults
        faults = new Faults(folder.resolve("orders"));
        // A task is tried again once.
        String[] settings = Stream.of(faults.settings(), new String[] {"spark.master", "local[2,2]"})
                .flatMap(Stream::of)
                .toArray(String[]::new);
        broadloom = Broadloom.on(LocalSpark.session(settings));
        broadloom.context().setLogLevel("OFF");
    }

    @AfterAll
    static void stop() {
        broadloom.context().setLogLevel("WARN"); // of this JVM, not of the context
        LocalSpark.stop();
    }

    @BeforeEach
    void begin() throws IOException {
        Files.createDirectory(outputs());
    }

    @AfterEach
    void everythingHappened() throws IOException {
        assertThat(faults.happened()).isTrue();
        faults.clear();
        FileUtils.deleteDirectory(outputs().toFile());
    }

    private static Path outputs() {
        return folder.resolve("outputs");
    }

    private static Tensor numbers() {
        return Tensors.arange(60).view(20, 3);
    }

    private static Stream<Arguments> outputsAnd(Set<Renaming> faults) {
        return Output.far().flatMap(output -> faults.stream().map(fault -> Arguments.of(output, fault)));
    }

    static Stream<Arguments> renamingsOfTasks() {
        return outputsAnd(EnumSet.complementOf(EnumSet.of(Renaming.DONE, Renaming.HALF_COPIED)));
    }

    /** What the task cannot see to be done is done again by another attempt. */
    @SomeOf(value = "renamingsOfTasks", oneIn = 4)
    void anOutputIsWholeWhateverBecomesOfThePartThatATaskRenames(Output output, Renaming fault) throws IOException {
        faults.renaming(fault, Who.TASK);
        faults.listLags();
        output.write(broadloom.tensor(numbers(), CHUNKS), outputs(), WriteMode.CREATE);
        output.assertWhole(outputs(), broadloom, numbers());
    }

    static Stream<Arguments> renamingsThatAreDone() {
        return outputsAnd(EnumSet.of(Renaming.LATE, Renaming.ANSWER_LOST, Renaming.COPIED));
    }

    @SomeOf(value = "renamingsThatAreDone", oneIn = 3)
    void anOutputIsWholeWhereItsRenamingIsDoneAfterAll(Output output, Renaming fault) throws IOException {
        for (WriteMode mode : WriteMode.values()) {
            faults.renaming(fault, Who.DRIVER);
            output.write(broadloom.tensor(numbers(), CHUNKS), outputs(), mode);
            output.assertWhole(outputs(), broadloom, numbers());
        }
    }

    /** No part is read again. Each but the last is as large as S3 asks for. */
    @Test
    void aNpyFileOfLargeChunksIsUploadedByItsTasks() throws IOException {
        Tensor large = Tensors.arange(17L << 17).view(17, 1 << 17);
        for (WriteMode mode : WriteMode.values()) {
            Map<RemoteFileSystem.Operation, Integer> asked =
                    Collections.synchronizedMap(new EnumMap<>(RemoteFileSystem.Operation.class));
            RemoteFileSystem.watch((operation, path) -> asked.merge(operation, 1, Integer::sum));
            try {
                Output.FAR_NPY.write(broadloom.tensor(large, 3), outputs(), mode);
            } finally {
                RemoteFileSystem.unwatch();
            }
            assertThat(asked).doesNotContainKey(RemoteFileSystem.Operation.OPEN);
            Output.FAR_NPY.assertWhole(outputs(), broadloom, large);
        }
        assertThatThrownBy(() -> Output.FAR_NPY.write(broadloom.tensor(large, 3), outputs(), WriteMode.CREATE))
                .isInstanceOf(FileAlreadyExistsException.class);
        Output.FAR_NPY.assertWhole(outputs(), broadloom, large);
    }

    @Test
    void anUploadThatFailsLeavesNothing() throws IOException {
        Npy.write(numbers(), folder.resolve("numbers.npy"), WriteMode.OVERWRITE);
        DistributedTensor x =
                broadloom.readNpy(Faults.path(folder.resolve("numbers.npy"))).add(1);
        assertThat(x.chunks()).isEqualTo(1);
        faults.fail(2);
        assertThatThrownBy(() -> Output.FAR_NPY.write(x, outputs(), WriteMode.CREATE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the network is down");
        assertThat(outputs()).isEmptyDirectory();
        faults.fail(1);
        Output.FAR_NPY.write(x, outputs(), WriteMode.CREATE);
        Output.FAR_NPY.assertWhole(
                outputs(), broadloom, LazyTensor.of(numbers()).add(1).compute());
    }

    /** Object stores rename a folder file by file. */
    @ParameterizedTest
    @EnumSource(names = {"FAR_NPY_PARTS", "FAR_ARROW_PARTS", "FAR_ZARR"})
    void aFolderThatWasRenamedInPartIsRefusedByReadersAndCanBeOverwritten(Output output) throws IOException {
        faults.renaming(Renaming.HALF_COPIED, Who.DRIVER);
        assertThatThrownBy(() -> output.write(broadloom.tensor(numbers(), CHUNKS), outputs(), WriteMode.CREATE))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith(
                        "it was renamed in part, the network is down; it is refused by readers, so overwrite it");
        assertThatThrownBy(() -> output.open(outputs(), broadloom)).isInstanceOf(TensorFormatException.class);
        output.write(broadloom.tensor(numbers(), CHUNKS), outputs(), WriteMode.OVERWRITE);
        output.assertWhole(outputs(), broadloom, numbers());
    }

    static Stream<Arguments> renamingsThatAreNotDone() {
        return outputsAnd(EnumSet.of(Renaming.LOST, Renaming.REFUSED));
    }

    @SomeOf(value = "renamingsThatAreNotDone", oneIn = 3)
    void anOutputThatCannotBeRenamedLeavesWhatWasThere(Output output, Renaming fault) throws IOException {
        DistributedTensor tensor = broadloom.tensor(Tensors.ones(4), 2);
        for (WriteMode mode : WriteMode.values()) {
            faults.renaming(fault, Who.DRIVER);
            assertThatThrownBy(() -> output.write(tensor, outputs(), mode))
                    .isInstanceOf(IOException.class)
                    .hasMessageNotContaining("\n");
            if (mode == WriteMode.CREATE) {
                assertThat(outputs()).isEmptyDirectory();
                output.write(broadloom.tensor(Tensors.ones(3), 2), outputs(), mode);
            }
        }
        output.assertWhole(outputs(), broadloom, Tensors.ones(3));
    }

    static Stream<Arguments> renamingsOfAppends() {
        Set<Renaming> faults = EnumSet.complementOf(EnumSet.of(Renaming.DONE, Renaming.HALF_COPIED));
        return Stream.of(Who.values()).flatMap(who -> faults.stream().map(fault -> Arguments.of(fault, who)));
    }

    /** Where it fails, it can be tried again. */
    @SomeOf(value = "renamingsOfAppends", oneIn = 3)
    void anArrayGrowsOrIsAsItWas(Renaming fault, Who who) throws IOException {
        Tensor first = numbers().narrow(0, 0, 10);
        Tensor rest = numbers().narrow(0, 10, 10);
        String store = Faults.path(outputs().resolve("y.zarr"));
        ZarrOptions options = ZarrOptions.DEFAULT.withChunk(Shape.of(4, 3));
        broadloom.tensor(first).writeZarr(store, WriteMode.CREATE, options);
        faults.renaming(fault, who);
        boolean failed = false;
        try {
            broadloom.tensor(rest, CHUNKS).append(store, 0);
        } catch (IOException e) {
            failed = true;
            assertThat(e).hasMessageStartingWith("Cannot append to ").hasMessageNotContaining("\n");
            Output.FAR_ZARR.assertWhole(outputs(), broadloom, first);
            broadloom.tensor(rest, CHUNKS).append(store, 0);
        }
        Output.FAR_ZARR.assertWhole(outputs(), broadloom, numbers());
        boolean done = who == Who.TASK || fault != Renaming.LOST && fault != Renaming.REFUSED;
        assertThat(failed).isNotEqualTo(done);
    }
}
