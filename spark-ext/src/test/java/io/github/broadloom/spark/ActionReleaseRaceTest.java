package io.github.broadloom.spark;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.ReleaseRaces;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** With a local master tasks read the driver's tensors where they are: one that is released while jobs run gives right values, or is refused. */
class ActionReleaseRaceTest {
    private static final int RACES = 8;
    private static final int MANY = 200;

    @TempDir
    static Path folder;

    @AfterEach
    void nothingIsHeld() {
        Memory.awaitReleased();
    }

    private static Tensor numbers() {
        return Tensors.arange(1 << 17).to(DType.FLOAT32).view(256, 512);
    }

    private static DistributedTensor cut(Tensor x) {
        return LocalSpark.broadloom().tensor(x, 4);
    }

    static Stream<Arguments> actions() {
        return Stream.of(
                action("pointwise", x -> elements(cut(x).mul(3).add(1))),
                action("rearranged", x -> elements(cut(x).t().mul(2))),
                action("reduced", x -> elements(cut(x).mul(2).sum(0))),
                action("reduced along rows", x -> elements(cut(x).sum(1))),
                action(
                        "replicated",
                        x -> elements(LocalSpark.broadloom()
                                .tensor(Tensors.ones(1024, 512), 3)
                                .sub(LocalSpark.broadloom()
                                        .tensor(x.narrow(0, 0, 1).expand(1024, 512))))),
                action(
                        "product",
                        x -> elements(cut(x).matmul(LocalSpark.broadloom().tensor(x.t())))),
                action("scan", x -> elements(cut(x).cumsum(0))),
                action("kept", x -> {
                    DistributedTensor kept = cut(x).add(1).materialize();
                    try {
                        return elements(kept.mul(2));
                    } finally {
                        kept.unpersist();
                    }
                }),
                action("written", x -> {
                    String path = folder.resolve("written.npy").toString();
                    cut(x).mul(2).writeNpy(path, WriteMode.OVERWRITE);
                    return elements(LocalSpark.broadloom().readNpy(path));
                }),
                action(
                        "a table",
                        x -> cut(x.narrow(0, 0, 8)).toDataFrame().collectAsList().stream()
                                .sorted((a, b) -> Long.compare(a.getLong(0), b.getLong(0)))
                                .map(Row::toString)
                                .toArray()));
    }

    private static Object elements(DistributedTensor tensor) {
        Tensor collected = tensor.collect();
        float[] elements = collected.toFloatArray();
        collected.release();
        return elements;
    }

    private static Arguments action(String name, ReleaseRaces.Reading<Tensor> action) {
        return Arguments.of(name, action);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("actions")
    @Tag("full")
    void anActionOverATensorThatIsReleasedMeanwhileIsRightOrRefused(String name, ReleaseRaces.Reading<Tensor> action)
            throws Exception {
        ReleaseRaces.run(RACES, name.hashCode(), ActionReleaseRaceTest::numbers, action);
    }

    @Tag("full")
    @ParameterizedTest(name = "{0}")
    @MethodSource("actions")
    void soItIsHundredsOfTimes(String name, ReleaseRaces.Reading<Tensor> action) throws Exception {
        ReleaseRaces.run(MANY, ~name.hashCode(), ActionReleaseRaceTest::numbers, action);
    }

    @Test
    void chunksThatAreDroppedWhileAnotherActionReadsThemAreRight() throws Exception {
        Tensor x = numbers();
        ReleaseRaces.run(2 * RACES, 1, () -> cut(x).add(1).materialize(), kept -> elements(kept.mul(2)), kept -> {
            kept.unpersist();
            return ReleaseRaces.poisoned(DType.FLOAT32, Shape.of(64, 512), Device.CPU);
        });
        x.release();
    }
}
