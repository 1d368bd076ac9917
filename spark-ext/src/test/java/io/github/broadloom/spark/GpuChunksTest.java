package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.plan.GpuFigures;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.NearestByHand;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that compute on a GPU give the bits of the CPU, however a tensor is cut. */
@WithFakeGpu
class GpuChunksTest {
    private static final Device CUDA = Device.of("cuda");
    private static final String LAUNCH = "cuLaunchKernel";

    private static Tensor x() {
        return Tensors.arange(97 * 12).to(DType.FLOAT32).view(97, 12);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void theBitsAreThoseOfTheCpu(int chunks) {
        Broadloom broadloom = LocalSpark.broadloom().withDevice(CUDA);
        Tensor row = x().select(0, 11);
        for (String expression : new String[] {
            "(x - row) / (row + 1)",
            "sum(x * x, 1)",
            "(x - x.mean(0)) / x.std(0)",
            "argmin(sum((x.unsqueeze(1) - x[:5].unsqueeze(0)) ** 2, -1), 1)",
            "cumsum(x, 0)",
            "x.T @ x"
        }) {
            Tensor expected =
                    LazyTensor.eval(expression, Map.of("x", x(), "row", row)).compute();
            DistributedTensor cut = broadloom.tensor(x(), chunks);
            Bits.assertSame(
                    broadloom
                            .eval(expression, Map.of("x", cut, "row", broadloom.tensor(row)))
                            .collect(),
                    expected);
        }
        assertThat(FakeDriver.load().calls().get(LAUNCH)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void severalOutputsOfAStageShareAPart(int chunks) {
        Broadloom broadloom = LocalSpark.broadloom().withDevice(CUDA);
        DistributedTensor sums = broadloom.eval("sum(x * x, 1)", Map.of("x", broadloom.tensor(x(), chunks)));
        LazyTensor local = LazyTensor.eval("sum(x * x, 1)", Map.of("x", x()));
        DistributedTensor[] all = {sums.add(1), sums.sqrt(), sums};
        assertThat(broadloom.explainAll(all)).contains("once for several outputs:");
        List<Tensor> got = broadloom.collectAll(all);
        Bits.assertSame(got.get(0), local.add(1).compute());
        Bits.assertSame(got.get(1), local.sqrt().compute());
        Bits.assertSame(got.get(2), local.compute());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void whatTheRowsHaveInCommonIsFoldedWhereTheyAre(int chunks) {
        Broadloom broadloom = LocalSpark.broadloom().withDevice(CUDA);
        long up = GpuCounter.UPLOADED_BYTES.sum();
        long down = GpuCounter.DOWNLOADED_BYTES.sum();
        long onCpu = GpuCounter.ON_CPU_FOR_MEMORY.sum();
        DistributedTensor cut = broadloom.tensor(x(), chunks);
        for (String expression : new String[] {
            "sum(x, 0)",
            "var(x)",
            "argmax(x % 7, 0)",
            "argmin(x)",
            "prod(x % 3 + 1, 0)",
            "any(x > 1000, 0)",
            "norm(x, dim=0)"
        }) {
            Bits.assertSame(
                    broadloom.eval(expression, Map.of("x", cut)).collect(),
                    LazyTensor.eval(expression, Map.of("x", x())).compute());
        }
        assertThat(GpuCounter.UPLOADED_BYTES.sum() - up).isGreaterThanOrEqualTo(7 * 97 * 12 * Float.BYTES);
        assertThat(GpuCounter.DOWNLOADED_BYTES.sum()).isGreaterThan(down);
        assertThat(GpuCounter.ON_CPU_FOR_MEMORY.sum()).isEqualTo(onCpu);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void theNearestRowsAreThoseOfTheCpu(int chunks) {
        Broadloom broadloom = LocalSpark.broadloom().withDevice(CUDA);
        Tensor a = points(60, 3);
        Tensor b = points(400, 4);
        DistributedTensor left = broadloom.tensor(a, chunks);
        DistributedTensor right = broadloom.tensor(b, 8 - chunks);
        ValuesAndIndices<DistributedTensor> found = left.nearest(right, 3, VectorMetric.EUCLIDEAN);
        ValuesAndIndices<Tensor> local = LazyTensor.of(a).nearest(b, 3, VectorMetric.EUCLIDEAN);
        Bits.assertSame(found.indices().collect(), local.indices());
        Bits.assertSame(found.values().collect(), local.values());
        found.indices().unpersist();
        found.values().unpersist();
        assertThat(FakeDriver.load().calls().get(LAUNCH)).isPositive();
    }

    private static Tensor points(int rows, long seed) {
        double[][] points = NearestByHand.points(rows, 3, seed);
        return Tensors.copyOf(Stream.of(points).flatMapToDouble(Arrays::stream).toArray(), rows, 3);
    }

    @Test
    void thePlanOfNearestRowsTellsWhatIsDoneWhere() {
        Broadloom broadloom = LocalSpark.broadloom().withDevice(CUDA);
        DistributedTensor rows = broadloom.tensor(Tensors.zeros(2000, 3), 2);
        assertThat(rows.explainNearest(rows, 1520, VectorMetric.COSINE))
                .contains("matrix products (cosine) on cuda, and the least of them, right side broadcast");
        assertThat(rows.explainNearest(rows, 1521, VectorMetric.COSINE))
                .contains("on cuda, the least of them found on the CPU, as a GPU has shared memory for k up to 1520,");
        assertThat(rows.explainNearest(rows, 1, VectorMetric.CHEBYSHEV))
                .contains(
                        "one kernel (chebyshev) on cuda, the least of them found on the CPU, as they are no products");
        DistributedTensor here = LocalSpark.broadloom().tensor(Tensors.zeros(2, 3));
        assertThat(here.explainNearest(here, 1, VectorMetric.COSINE)).contains("matrix products (cosine), right side");
    }

    @Test
    void aSessionsSettingChoosesTheDevice() {
        LocalSpark.session().conf().set("spark.broadloom.device", "auto");
        try {
            Broadloom broadloom = Broadloom.on(LocalSpark.session());
            assertThat(broadloom.tensor(x()).device()).isEqualTo(Device.AUTO);
            Bits.assertSame(
                    broadloom.tensor(x(), 7).mul(2).collect(),
                    LazyTensor.of(x()).mul(2).compute());
        } finally {
            LocalSpark.session().conf().unset("spark.broadloom.device");
        }
    }

    @Test
    void aTensorChoosesItsDevice() {
        DistributedTensor there = LocalSpark.broadloom().tensor(x(), 2).to(CUDA).mul(3);
        assertThat(there.device()).isEqualTo(CUDA);
        assertThat(there.explain()).contains("device cuda");
        Bits.assertSame(there.collect(), LazyTensor.of(x()).mul(3).compute());
    }

    @Test
    void theLastRunTellsWhatWentToTheDevice() {
        DistributedTensor y = LocalSpark.broadloom().tensor(x(), 7).to(CUDA).mul(3);
        y.collect();
        assertThat(y.lastRun().orElseThrow().figures().gpu())
                .isEqualTo(new GpuFigures(97 * 12 * 4, 97 * 12 * 4, 0, 0, 0));
        assertThat(y.lastRun().orElseThrow().toString()).contains("to GPUs").contains("from GPUs");
    }

    @Test
    void aTensorOfTheDeviceIsBroughtHereToBeCut() {
        Bits.assertSame(
                LocalSpark.broadloom().tensor(x().to(CUDA), 7).add(1).collect(),
                LazyTensor.of(x()).add(1).compute());
    }
}
