package io.github.broadloom.spark;

import static io.github.broadloom.spark.LocalSpark.broadloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is reduced or scanned in chunks has the bits of what is reduced or scanned in one place. */
class ReductionChunksTest {
    private static final int ROWS = 61;

    /** Small values, of which many are equal, two NaN among them; stored the other way round. */
    private static Tensor values() {
        Random random = new Random(3);
        float[] values = new float[ROWS * 3 * 5];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextInt(9) - 4 + (random.nextBoolean() ? 0 : 0.1f);
        }
        values[100] = Float.NaN;
        values[500] = Float.NaN;
        return Tensors.copyOf(values, 5, 3, ROWS).permute(2, 1, 0);
    }

    private static <T extends TensorOps<T>> List<Function<T, T>> functions() {
        return List.of(
                x -> x.prod(0),
                x -> x.all(0),
                x -> x.any(KeepDim.KEEP, 0, 1),
                x -> x.countNonzero(0, 2),
                x -> x.var(0),
                x -> x.std(KeepDim.KEEP),
                x -> x.var(0, KeepDim.DROP, 0, 2),
                x -> x.std(1, 2),
                x -> x.argmax(),
                x -> x.argmin(0),
                x -> x.argmax(KeepDim.KEEP, 0),
                x -> x.argmin(2),
                x -> x.to(DType.INT16).argmax(0),
                x -> x.max(KeepDim.DROP, 0).indices(),
                x -> x.norm(0),
                x -> x.nanmean(0),
                x -> x.logsumexp(0),
                x -> x.logsumexp(KeepDim.KEEP, 0, 1, 2),
                x -> x.softmax(0),
                x -> x.logSoftmax(2),
                x -> x.sub(x.mean(0)).div(x.std(0)),
                x -> x.cumsum(0),
                x -> x.cumsum(1),
                x -> x.cumprod(-1, DType.FLOAT64),
                x -> x.exp().cumsum(0).mul(x).sum(1),
                x -> x.cummax(0).indices(),
                x -> x.cummin(2).values(),
                x -> x.median(),
                x -> x.median(KeepDim.DROP, 0).indices(),
                x -> x.nanmedian(KeepDim.KEEP, 2).values(),
                x -> x.nanquantile(0.3, Interpolation.MIDPOINT, KeepDim.DROP, 0),
                x -> x.quantile(0.9, 1),
                x -> x.topk(3, 0).values(),
                x -> x.topk(2, Order.ASCENDING, 0).indices(),
                x -> x.topk(2).indices(),
                x -> x.kthvalue(4, KeepDim.KEEP, 0).values(),
                x -> x.kthvalue(2, 0).indices(),
                x -> x.sort(Order.DESCENDING, 0).values(),
                x -> x.narrow(0, 0, 1).sort(0).indices(),
                x -> x.narrow(0, 0, 1).narrow(1, 0, 1).sort(2).values(),
                x -> x.argsort(1),
                x -> x.sub(x.topk(1, 0).values()).sort(2).values().sum(0),
                x -> x.sub(x.median(KeepDim.KEEP, 0).values()).abs().cumsum(0).amax(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void everyReductionAndScanHasTheSameBits(int chunks) {
        Tensor x = values();
        List<Function<LazyTensor, LazyTensor>> local = functions();
        List<Function<DistributedTensor, DistributedTensor>> distributed = functions();
        DistributedTensor placed = broadloom().tensor(x, chunks);
        for (int i = 0; i < local.size(); i++) {
            Tensor expected = local.get(i).apply(LazyTensor.of(x)).compute();
            Tensor got = distributed.get(i).apply(placed).collect();
            assertThat(got.dtype()).as("function %d", i).isEqualTo(expected.dtype());
            assertThat(got.shape()).as("function %d", i).isEqualTo(expected.shape());
            assertThat(got.values()).as("function %d", i).isEqualTo(expected.values());
        }
    }

    @Test
    void mediansThroughTheRowsAreOneTask() throws Exception {
        DistributedTensor x = broadloom().tensor(values(), 7).materialize();
        Tensor expected =
                LazyTensor.of(values()).median(KeepDim.DROP, 0).values().compute();
        try (Jobs jobs = Jobs.listen()) {
            DistributedTensor median = x.median(KeepDim.DROP, 0).values();
            assertThat(median.collect().values()).isEqualTo(expected.values());
            assertThat(jobs.tasks()).isEqualTo(1);
        }
        x.unpersist();
    }

    /** Three values many times: what is first among them is told by the whole row index. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 40})
    void theFirstRowsOfEqualValuesAreTakenHoweverTheyAreCut(int chunks) {
        Tensor x = LazyTensor.of(Tensors.arange(120 * 5))
                .mul(7)
                .remainder(3)
                .to(DType.FLOAT32)
                .compute()
                .reshape(120, 5);
        DistributedTensor placed = broadloom().tensor(x, chunks);
        for (Order order : Order.values()) {
            for (int k : new int[] {1, 30, 50, 120}) {
                List<Object> first = LazyTensor.of(x)
                        .argsort(order, 0)
                        .narrow(0, 0, k)
                        .compute()
                        .values();
                assertThat(placed.topk(k, order, 0).indices().collect().values())
                        .isEqualTo(first);
            }
        }
    }

    @Test
    void theFirstValuesAreFoundInTheChunksAndAllInOneTask() throws Exception {
        DistributedTensor x = broadloom().tensor(values(), 7).materialize();
        try (Jobs jobs = Jobs.listen()) {
            x.topk(2, 0).values().collect();
            assertThat(jobs.tasks()).isEqualTo(7);
            x.sort(0).values().collect();
            assertThat(jobs.tasks()).isEqualTo(8);
        }
        x.unpersist();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 40})
    void distinctValuesAreFoundInTheChunksAndMerged(int chunks) throws Exception {
        Tensor x = LazyTensor.of(Tensors.arange(240))
                .mul(7)
                .remainder(31)
                .sub(15)
                .to(DType.FLOAT32)
                .compute()
                .reshape(40, 6);
        UniqueValues expected = LazyTensor.of(x).unique();
        DistributedTensor placed = broadloom().tensor(x, chunks);
        try (Jobs jobs = Jobs.listen()) {
            UniqueValues unique = placed.unique();
            assertThat(unique.values().values()).isEqualTo(expected.values().values());
            assertThat(unique.counts().values()).isEqualTo(expected.counts().values());
            assertThat(jobs.tasks()).isEqualTo(chunks);
        }
        assertThat(placed.sub(placed.mean(0)).gt(0).unique().values().values()).containsExactly(false, true);
        DistributedTensor kept = broadloom().tensor(x, chunks).cache();
        assertThat(kept.unique().counts().values()).isEqualTo(expected.counts().values());
        assertThat(kept.sum().collect().values())
                .isEqualTo(LazyTensor.of(x).sum().compute().values());
        kept.unpersist();
        assertThat(broadloom().tensor(Tensors.zeros(0, 3), 2).unique().values().numel())
                .isZero();
    }

    @Test
    void emptyTensorsHaveTheResultsOfNothing() {
        DistributedTensor empty = broadloom().tensor(Tensors.zeros(0, 3), 2);
        assertThat(empty.prod(0).collect().values()).containsExactly(1.0, 1.0, 1.0);
        assertThat(empty.all(0).collect().values()).containsExactly(true, true, true);
        assertThat(empty.cumsum(0).collect().shape()).isEqualTo(empty.shape());
        assertThat(Stream.of(empty.std(0), empty.median()).flatMap(t -> t.collect().values().stream()))
                .containsOnly(Double.NaN);
        assertThat(empty.argmax(1).collect().numel()).isZero();
    }
}
