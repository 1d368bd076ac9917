package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups whose indices follow each other are computed by the chunks that have them, to the bits of the local tensor. */
class SegmentsTest {
    private static final int ROWS = 61;
    private static final int GROUPS = 11;

    /** As many as the longest group has, and a few more. */
    private static final int CHUNK_BYTES = 800;

    private final Broadloom broadloom = LocalSpark.broadloom();

    private static Tensor values() {
        return LazyTensor.of(Tensors.arange(0, ROWS * 4 * 3, 1, DType.FLOAT32).view(ROWS, 4, 3))
                .mul(0.37)
                .sin()
                .compute();
    }

    /** Of unequal numbers of indices: none of the first and the last group, and of one between. */
    private static Tensor labels() {
        int[] lengths = {0, 5, 7, 1, 0, 12, 9, 12, 3, 12, 0};
        long[] labels = new long[ROWS];
        for (int group = 0, at = 0; group < GROUPS; group++) {
            for (int i = 0; i < lengths[group]; i++) {
                labels[at++] = group;
            }
        }
        return Tensors.of(labels);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void everyFunctionInAnyChunks(int chunks) {
        Tensor values = values();
        Tensor labels = labels();
        LazyTensor local = LazyTensor.of(values);
        DistributedTensor x =
                broadloom.withChunkBytes(CHUNK_BYTES).tensor(values, chunks).cache();
        for (String function : new String[] {"sum", "prod", "mean", "var", "max", "count", "first", "median", "any"}) {
            Bits.assertSame(
                    x.groupBy(labels, GROUPS, 0).reduce(function).collect(),
                    local.groupBy(labels, GROUPS, 0).reduce(function).compute());
        }
        Bits.assertSame(
                x.groupBy(labels, GROUPS, 0).quantile(0.3).collect(),
                local.groupBy(labels, GROUPS, 0).quantile(0.3).compute());
        assertThat(x.groupBy(labels, GROUPS, 0).sum().explain()).contains("shuffle 0 B");
        x.unpersist();
    }

    /** Groups that every chunk looks up are reduced once, not by each of them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void whatEveryChunkNeedsIsReducedOnce(int chunks) {
        Tensor values = values();
        Tensor labels = labels();
        Tensor places = labels.view(ROWS, 1, 1);
        LazyTensor local = LazyTensor.of(values);
        DistributedTensor x =
                broadloom.withChunkBytes(CHUNK_BYTES).tensor(values, chunks).cache();
        DistributedTensor beyond = x.sub(x.groupBy(labels, GROUPS, 0).mean().takeAlongDim(places, 0));
        Bits.assertSame(
                beyond.collect(),
                local.sub(local.groupBy(labels, GROUPS, 0).mean().takeAlongDim(places, 0))
                        .compute());
        if (chunks > 1) {
            assertThat(beyond.explain()).doesNotContainPattern("\\(cached\\).*(replicate|every task)");
        }
        x.unpersist();
    }

    /** A chunk of rows needs the groups that these name in their order, and of a stack those of its own part; nothing is sent through a shuffle. */
    @ParameterizedTest
    @ValueSource(strings = {"x.npy", "x.zarr", "1", "2", "7"})
    void chunksNeedTheGroupsOfTheirRowsAlone(String cuts, @TempDir Path folder) throws IOException {
        Tensor values = values();
        Tensor labels = labels();
        Tensor places = labels.view(ROWS, 1, 1);
        Tensor fewer = Tensors.of(1L, 1L, 2L, 4L, 5L, 5L, 5L, 7L, 9L);
        Tensor rows = LazyTensor.of(Tensors.arange(ROWS))
                .mul(ROWS - 1)
                .floorDivide(ROWS)
                .compute(); // of twice the first
        Broadloom small = broadloom.withChunkBytes(256);
        boolean isFile = cuts.startsWith("x.");
        if (isFile) {
            broadloom.tensor(values, 2).rechunk(6).write(folder.resolve(cuts).toString(), WriteMode.CREATE);
        }
        DistributedTensor x = isFile
                ? small.read(folder.resolve(cuts).toString())
                : small.tensor(values, Integer.parseInt(cuts)).cache();
        LazyTensor local = LazyTensor.of(values);
        DistributedTensor means = x.groupBy(labels, GROUPS, 0).mean();
        LazyTensor localMeans = local.groupBy(labels, GROUPS, 0).mean();
        DistributedTensor beyond = x.sub(means.takeAlongDim(places, 0));
        LazyTensor localBeyond = local.sub(localMeans.takeAlongDim(places, 0));
        Bits.assertSame(beyond.collect(), localBeyond.compute());
        if (!cuts.equals("1")) {
            assertThat(beyond.explain()).contains("the result's rows name it in its order", "shuffle 0 B");
            RunReport report = beyond.lastRun().orElseThrow();
            assertThat(report.figures().peakTaskBytes())
                    .isLessThanOrEqualTo(report.plan().peakBytes());
        }
        Bits.assertSame(
                beyond.narrow(0, 7, 40).collect(), localBeyond.narrow(0, 7, 40).compute());
        Bits.assertSame(
                x.narrow(0, 0, 5)
                        .concat(0, means.takeAlongDim(places, 0), x.narrow(0, 3, 20))
                        .collect(),
                local.narrow(0, 0, 5)
                        .concat(
                                0,
                                localMeans.takeAlongDim(places, 0).compute(),
                                local.narrow(0, 3, 20).compute())
                        .compute());
        Bits.assertSame(
                means.permute(1, 0, 2).indexSelect(1, fewer).collect(),
                localMeans.permute(1, 0, 2).indexSelect(1, fewer).compute());
        Bits.assertSame(
                x.indexSelect(0, rows)
                        .groupBy(labels, GROUPS, 0)
                        .max()
                        .takeAlongDim(places, 0)
                        .collect(),
                local.indexSelect(0, rows)
                        .groupBy(labels, GROUPS, 0)
                        .max()
                        .takeAlongDim(places, 0)
                        .compute());
        Tensor far = Tensors.arange(0, ROWS, 10, DType.INT64); // a chunk of them would hold ten times as much
        DistributedTensor some = x.indexSelect(0, far);
        Bits.assertSame(some.collect(), local.indexSelect(0, far).compute());
        assertThat(some.explain()).doesNotContain("name it in its order");
        x.unpersist();
    }

    /** Also where segments are of what is computed, cut out or made of segments, and where blocks are cut along other dimensions. */
    @ParameterizedTest
    @ValueSource(strings = {"x.npy", "5", "20,2,3", "-1,2,3", "7,4,2"})
    void inFilesCutInAnyWay(String cuts, @TempDir Path folder) throws IOException {
        Tensor values = values();
        Tensor labels = labels();
        Tensor tail = labels.narrow(0, 10, ROWS - 10);
        Tensor months = Tensors.of(0L, 0L, 0L, 1L, 1L, 1L, 1L, 2L, 2L, 3L, 3L);
        Tensor scale = Tensors.arange(1, ROWS + 1, 1, DType.FLOAT32).view(ROWS, 1, 1);
        String path = folder.resolve(cuts.endsWith("npy") ? cuts : "x.zarr").toString();
        if (cuts.endsWith("npy")) {
            Npy.write(values, folder.resolve(cuts), WriteMode.CREATE);
        } else {
            long[] shape =
                    Arrays.stream(cuts.split(",")).mapToLong(Long::parseLong).toArray();
            broadloom.tensor(values, 2).rechunk(shape).write(path, WriteMode.CREATE);
        }
        LazyTensor local = LazyTensor.of(values);
        DistributedTensor x = broadloom.withChunkBytes(CHUNK_BYTES).read(path);

        Bits.assertSame(
                x.mul(scale)
                        .sub(x.mean(0))
                        .groupBy(labels, GROUPS, 0)
                        .sum()
                        .mul(2)
                        .collect(),
                local.mul(scale)
                        .sub(local.mean(0))
                        .groupBy(labels, GROUPS, 0)
                        .sum()
                        .mul(2)
                        .compute());
        Bits.assertSame(
                x.narrow(0, 10, ROWS - 10).groupBy(tail, GROUPS, 0).max().collect(),
                local.narrow(0, 10, ROWS - 10).groupBy(tail, GROUPS, 0).max().compute());
        Bits.assertSame(
                x.groupBy(labels, GROUPS, 0).sum().groupBy(months, 4, 0).min().collect(),
                local.groupBy(labels, GROUPS, 0)
                        .sum()
                        .groupBy(months, 4, 0)
                        .min()
                        .compute());
        Bits.assertSame(
                x.permute(1, 0, 2).groupBy(labels, GROUPS, 1).mean().collect(),
                local.permute(1, 0, 2).groupBy(labels, GROUPS, 1).mean().compute());
        Bits.assertSame(
                x.sub(x.groupBy(labels, GROUPS, 0).mean().takeAlongDim(labels.view(ROWS, 1, 1), 0))
                        .collect(),
                local.sub(local.groupBy(labels, GROUPS, 0).mean().takeAlongDim(labels.view(ROWS, 1, 1), 0))
                        .compute());
        DistributedTensor sums = x.groupBy(labels, GROUPS, 0).sum();
        LazyTensor localSums = local.groupBy(labels, GROUPS, 0).sum();
        Bits.assertSame(
                sums.narrow(0, 3, 6).sub(sums.amax(0)).collect(),
                localSums.narrow(0, 3, 6).sub(localSums.amax(0)).compute());
        Bits.assertSame(
                x.concat(0, sums).add(0).collect(),
                local.concat(0, localSums).add(0).compute());
    }
}
