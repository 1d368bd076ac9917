package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Labels that come in runs, and come again, as days of the year do over hours of years: what is sent is what runs come to, and the bits are those of the local tensor. */
class RunsTest {
    private static final int ROWS = 600;
    private static final int GROUPS = 11;

    /** So large that floating sums are defined by blocks, of 256 rows. */
    private static Tensor values() {
        return LazyTensor.random(5).randn(ROWS, 3501, 4).mul(100).compute();
    }

    /** So that neither groups nor what is looked up are held, or copied, as a whole. */
    private final Broadloom broadloom =
            LocalSpark.broadloom().withChunkBytes(1 << 19).withReplicateBytes(1 << 19);

    /** Runs of that length, the first of them of group 4. */
    private static Tensor labels(int length) {
        return Tensors.of(LongStream.range(0, ROWS)
                .map(row -> (row / length + 4) % GROUPS)
                .toArray());
    }

    private DistributedTensor stored(Tensor values, String as, Path folder) throws IOException {
        String path = folder.resolve(as).toString();
        if (!as.endsWith(".zarr")) {
            return broadloom.tensor(values, Integer.parseInt(as)).cache();
        }
        broadloom
                .tensor(values)
                .writeZarr(path, WriteMode.CREATE, ZarrOptions.DEFAULT.withChunk(Shape.of(25, 3501, 4)));
        return broadloom.read(path);
    }

    /** The groups, which have the bits of the local ones. */
    private static DistributedTensor checked(DistributedTensor x, Tensor values, Tensor labels, String function) {
        DistributedTensor groups = x.groupBy(labels, GROUPS, 0).reduce(function);
        Bits.assertSame(
                groups.collect(),
                LazyTensor.of(values)
                        .groupBy(labels, GROUPS, 0)
                        .reduce(function)
                        .compute());
        return groups;
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.zarr", "2", "7"})
    void groupsOfSeveralRunsAreMadeOfTheirs(String as, @TempDir Path folder) throws IOException {
        Tensor values = values();
        Tensor labels = labels(30);
        DistributedTensor x = stored(values, as, folder);
        for (String function : new String[] {"mean", "var", "nansum", "prod", "min", "any", "first"}) {
            checked(x, values, labels, function);
        }
        DistributedTensor sums = checked(x, values, labels, "sum");
        RunReport report = sums.lastRun().orElseThrow();
        assertThat(sums.explain()).contains("by segments of ends");
        assertThat(report.plan().shuffleBytes()).isLessThan(values.storage().sizeBytes() / 4);
        assertThat(report.plan().peakBytes())
                .isBetween(
                        report.figures().peakTaskBytes(), 2 * report.figures().peakTaskBytes());
    }

    /** Each run looks its group up, and each index its run, which the chunks of x have in their order. */
    @ParameterizedTest
    @ValueSource(strings = {"x.zarr", "2", "7"})
    void rowsLessTheMeansOfTheirGroupsAreNotSent(String as, @TempDir Path folder) throws IOException {
        Tensor values = values();
        Tensor labels = labels(30);
        DistributedTensor x = stored(values, as, folder);
        LazyTensor local = LazyTensor.of(values);
        DistributedTensor beyond = x.sub(x.groupBy(labels, GROUPS, 0).mean().indexSelect(0, labels));
        Bits.assertSame(
                beyond.collect(),
                local.sub(local.groupBy(labels, GROUPS, 0).mean().indexSelect(0, labels))
                        .compute());
        String plan = beyond.explain();
        assertThat(plan).contains("gather(gather("); // of runs, then of rows
        assertThat(beyond.lastRun().orElseThrow().plan().shuffleBytes())
                .as(plan)
                .isLessThan(values.storage().sizeBytes() / 2);
        String path = folder.resolve("beyond.zarr").toString();
        beyond.write(path, WriteMode.CREATE);
        Bits.assertSame(broadloom.read(path).collect(), beyond.collect());
    }

    /** Floating sums with two runs of a group in a block would have other bits; greatest elements have the same. */
    @ParameterizedTest
    @ValueSource(ints = {10, 20})
    void sumsOfRunsThatComeAgainWithinABlockAreThoseOfRows(int length) {
        Tensor values = values();
        Tensor labels = labels(length);
        DistributedTensor x = broadloom.tensor(values, 7).cache();
        assertThat(checked(x, values, labels, "sum").explain()).doesNotContain("by segments");
        assertThat(checked(x, values, labels, "max").explain()).contains("by segments");
    }

    /** Rows of no group are left out; where that is an error, it stays one. */
    @Test
    void runsOfNoGroupAreLeftOut() {
        Tensor values = values();
        Tensor labels = LazyTensor.of(labels(30)).sub(1).mul(2).compute(); // -2, 0 to 18
        DistributedTensor x = broadloom.tensor(values, 7).cache();
        assertThat(checked(x, values, labels, "sum").explain()).contains("by segments of ends");

        Tensor none = Tensors.zeros(2 * GROUPS, 3501, 4);
        Tensor within = LazyTensor.of(labels).add(2).compute();
        Bits.assertSame(
                broadloom.tensor(none).indexAdd(0, within, x).collect(),
                LazyTensor.of(none).indexAdd(0, within, LazyTensor.of(values)).compute());
        assertThatThrownBy(() -> broadloom.tensor(none).indexAdd(0, labels, x).collect())
                .hasMessageContaining("-2");
    }
}
