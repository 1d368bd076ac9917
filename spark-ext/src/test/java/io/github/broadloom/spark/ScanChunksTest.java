package io.github.broadloom.spark;

import static io.github.broadloom.spark.LocalSpark.broadloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans along the rows stay in their chunks, with the bits of those in one place. */
class ScanChunksTest {
    private static final int ROWS = 61;

    /** Of many magnitudes, so that another order of the sums would show, with equal values and NaN among them. */
    private static Tensor values(long... shape) {
        Random random = new Random(11);
        int count = 1;
        for (long size : shape) {
            count *= (int) size;
        }
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(3) == 0
                    ? random.nextInt(5) - 2
                    : random.nextGaussian() * Math.pow(10, random.nextInt(8) - 4);
        }
        values[count / 3] = -0.0;
        values[count - 2] = Double.NaN;
        return Tensors.copyOf(values, shape);
    }

    private static <T extends TensorOps<T>> List<Function<T, T>> scans() {
        return List.of(
                x -> x.cumsum(0),
                x -> x.cumprod(0),
                x -> x.cummax(0).values(),
                x -> x.cummax(0).indices(),
                x -> x.cummin(0).values(),
                x -> x.cummin(0).indices(),
                x -> x.mul(1.5).cumsum(0).sub(x),
                x -> x.cumsum(0).cumsum(0),
                x -> x.cumsum(0).amax(0),
                x -> x.cumsum(0).cummax(0).indices().add(x));
    }

    private static void assertSameInChunks(Tensor x, int chunks) {
        List<Function<LazyTensor, LazyTensor>> local = scans();
        List<Function<DistributedTensor, DistributedTensor>> distributed = scans();
        DistributedTensor placed = broadloom().tensor(x, chunks).cache();
        for (int i = 0; i < local.size(); i++) {
            Tensor expected = local.get(i).apply(LazyTensor.of(x)).compute();
            Bits.assertSame(distributed.get(i).apply(placed).collect(), expected);
        }
        placed.unpersist();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void everyScanHasTheSameBits(int chunks) {
        assertSameInChunks(values(ROWS, 3, 2), chunks);
        assertSameInChunks(values(ROWS, 3, 2).to(DType.FLOAT16), chunks);
        assertSameInChunks(values(2, ROWS).to(DType.FLOAT32).t(), chunks);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void integersWrap(int chunks) {
        Tensor large =
                LazyTensor.of(Tensors.arange(ROWS).view(ROWS, 1)).mul(1L << 60).compute();
        assertSameInChunks(large, chunks);
        assertSameInChunks(values(ROWS, 4).to(DType.UINT8), chunks);
        assertSameInChunks(values(ROWS).to(DType.INT8), chunks);
    }

    @Test
    void theLastChunkMayBeShort() {
        Tensor x = values(1003, 5);
        Tensor expected = LazyTensor.of(x).exp().cumsum(0).compute();
        DistributedTensor placed =
                broadloom().withChunkBytes(64 * 5 * 8).tensor(x).cache();
        assertThat(placed.chunks()).isEqualTo(16);
        Bits.assertSame(placed.exp().cumsum(0).collect(), expected);
        placed.unpersist();
    }

    @Test
    void wideRowsAreCarriedInBroadcastVariables() {
        Tensor x = values(13, 50_000);
        DistributedTensor placed = broadloom().tensor(x, 13).cache();
        Bits.assertSame(placed.cumsum(0).collect(), LazyTensor.of(x).cumsum(0).compute());
        Bits.assertSame(
                placed.cummin(0).indices().collect(),
                LazyTensor.of(x).cummin(0).indices().compute());
        placed.unpersist();
    }

    @Test
    void nothingAndScalarsAreScanned() {
        assertThat(broadloom()
                        .tensor(Tensors.zeros(0, 3), 2)
                        .cumsum(0)
                        .collect()
                        .shape())
                .isEqualTo(Tensors.zeros(0, 3).shape());
        assertThat(broadloom()
                        .tensor(Tensors.zeros(5, 0), 2)
                        .cache()
                        .cumsum(0)
                        .collect()
                        .numel())
                .isZero();
        assertThat(broadloom().tensor(Tensors.scalar(2.5)).cumsum(0).collect().item())
                .isEqualTo(2.5);
        assertThat(broadloom()
                        .tensor(Tensors.scalar(2.5))
                        .cummax(0)
                        .indices()
                        .collect()
                        .item())
                .isEqualTo(0L);
    }

    @Test
    void aScanIsAJobThatAsksTheChunksAndTasksOfWhatReadsIt() throws Exception {
        Tensor x = values(70, 3);
        DistributedTensor placed = broadloom().tensor(x, 7).materialize();
        try (Jobs jobs = Jobs.listen()) {
            DistributedTensor sums = placed.cumsum(0).mul(2);
            Bits.assertSame(sums.collect(), LazyTensor.of(x).cumsum(0).mul(2).compute());
            assertThat(jobs.descriptions()).hasSize(2);
            assertThat(jobs.tasks()).isEqualTo(6 + 7);
            assertThat(sums.explain())
                    .contains("two passes: what each of 7 chunks of up to 10 rows adds", "2 jobs", "13 tasks");
        }
        placed.unpersist();
    }

    @Test
    void whatIsInOneChunkIsScannedInOnePass() throws Exception {
        Tensor x = values(70, 3);
        DistributedTensor placed = broadloom().tensor(x, 1).materialize();
        try (Jobs jobs = Jobs.listen()) {
            Bits.assertSame(
                    placed.cumsum(0).collect(), LazyTensor.of(x).cumsum(0).compute());
            assertThat(jobs.descriptions()).hasSize(1);
        }
        placed.unpersist();
    }

    @Test
    void scansAreCachedAndWrittenInChunks(@TempDir Path folder) throws Exception {
        Tensor x = values(100, 6);
        Tensor expected = LazyTensor.of(x).cumprod(0).compute();
        DistributedTensor products = broadloom().tensor(x, 9).cache().cumprod(0).cache();
        assertThat(products.chunks()).isEqualTo(9);
        Bits.assertSame(products.collect(), expected);
        products.writeNpy(folder.resolve("products.npy").toString(), WriteMode.CREATE);
        Bits.assertSame(Npy.read(folder.resolve("products.npy")), expected);
        products.unpersist();
    }
}
