package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Rounding;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistributedTensorTest {
    private static Broadloom broadloom() {
        return LocalSpark.broadloom();
    }

    /** Values whose sums depend on the order of the additions. */
    private static Tensor uneven(long... shape) {
        long count = 1;
        for (long size : shape) {
            count *= size;
        }
        float[] values = new float[Math.toIntExact(count)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (Math.sin(i * 12.9898) * Math.pow(10, i % 9));
        }
        return Tensors.copyOf(values, shape);
    }

    @Test
    void oneActionIsOneJobWithOneTaskForEachChunk() throws Exception {
        Tensor x = uneven(10, 4);
        Tensor m = uneven(4);
        try (Jobs jobs = Jobs.listen()) {
            broadloom().tensor(x, 5).sub(m).div(3.0f).neg().collect();
            assertThat(jobs.descriptions()).hasSize(1);
            assertThat(jobs.tasks()).isEqualTo(5);
        }
    }

    @Test
    void buildingAnExpressionRunsNothing() throws Exception {
        try (Jobs jobs = Jobs.listen()) {
            DistributedTensor y =
                    broadloom().tensor(uneven(10, 4), 5).exp().cache().sum(0).add(1);
            assertThat(y.toString()).contains("float32").contains("[4]");
            assertThat(y.explain()).contains("fold");
            assertThat(y.chunks()).isEqualTo(1);
            assertThat(jobs.descriptions()).isEmpty();
        }
    }

    @Test
    void operandsCutDifferentlyAreMatchedByTheirRows() {
        Tensor a = uneven(11, 3);
        Tensor b = uneven(11, 1);
        Tensor expected = Bits.local(Expr.apply(Op.of("mul"), Input.of(a), Input.of(b)));
        for (int[] cuts : new int[][] {{2, 7}, {7, 2}, {3, 3}, {11, 1}, {1, 11}}) {
            DistributedTensor left = broadloom().tensor(a, cuts[0]).cache();
            DistributedTensor right = broadloom().tensor(b, cuts[1]).cache();
            Bits.assertSame(left.mul(right).collect(), expected);
            left.unpersist();
            right.unpersist();
        }
    }

    @Test
    void anOperandMayStandForItsRowsAndForTheWholeAtTheSameTime() {
        Tensor v = uneven(4);
        Tensor m = uneven(4, 4);
        // [4, 4] * [4] needs all of v in every row; the sum over the last dimension lines up with v's own rows.
        DistributedTensor dv = broadloom().tensor(v, 2);
        Tensor got = broadloom().tensor(m, 4).mul(dv).sum(-1).div(dv).collect();
        Expr product = Expr.apply(Op.of("mul"), Input.of(m), Input.of(v));
        Expr sum = Expr.reduce(Reduction.SUM, product, KeepDim.DROP, -1);
        Bits.assertSame(got, Bits.local(Expr.apply(Op.of("div"), sum, Input.of(v))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 40, 1000})
    void sumOverTheRowsHasTheSameBitsInAnyChunks(int chunks) {
        Tensor x = uneven(1000, 3);
        Expr sum = Expr.reduce(Reduction.SUM, Input.of(x), KeepDim.DROP, 0);
        Bits.assertSame(broadloom().tensor(x, chunks).sum(0).collect(), Bits.local(sum));
        Expr mean = Expr.reduce(Reduction.MEAN, Input.of(x), KeepDim.KEEP);
        Bits.assertSame(broadloom().tensor(x, chunks).mean(KeepDim.KEEP).collect(), Bits.local(mean));
    }

    @Test
    void aReductionInsideALargerExpressionTakesAJobOfItsOwn() throws Exception {
        Tensor x = uneven(20, 3);
        Expr in = Input.of(x);
        Expr mean = Expr.reduce(Reduction.MEAN, in, KeepDim.DROP, 0);
        Tensor expected = Bits.local(Expr.apply(Op.of("sub"), in, Input.of(Bits.local(mean))));
        try (Jobs jobs = Jobs.listen()) {
            DistributedTensor d = broadloom().tensor(x, 4);
            Bits.assertSame(d.sub(d.mean(0)).collect(), expected);
            assertThat(jobs.descriptions()).hasSize(2);
        }
    }

    @Test
    void severalReductionsOverTheSameRowsShareOnePass() throws Exception {
        DistributedTensor d = broadloom().tensor(uneven(20, 3), 4);
        try (Jobs jobs = Jobs.listen()) {
            d.amax(0).sub(d.amin(0)).add(d.mean(0)).collect();
            assertThat(jobs.descriptions()).hasSize(1);
            assertThat(jobs.tasks()).isEqualTo(4);
        }
    }

    @Test
    void aLongChainOfOperationsStillTravels() {
        DistributedTensor d = broadloom().tensor(Tensors.zeros(4, 2), 2);
        for (int i = 0; i < 3000; i++) {
            d = d.to(i % 2 == 0 ? io.github.broadloom.dtype.DType.FLOAT64 : io.github.broadloom.dtype.DType.FLOAT32);
        }
        assertThat(d.collect().toFloatArray()).containsOnly(0f).hasSize(8);
    }

    @Test
    void emptyTensorsAndScalarsHaveOneChunk() {
        Tensor empty = Tensors.zeros(0, 3);
        assertThat(broadloom().tensor(empty, 4).chunks()).isEqualTo(1);
        assertThat(broadloom().tensor(empty, 4).add(1).collect().shape()).isEqualTo(empty.shape());
        assertThat(broadloom().tensor(empty, 4).sum(0).collect().toFloatArray()).containsExactly(0f, 0f, 0f);
        assertThat(broadloom().tensor(Tensors.scalar(2.0), 4).add(1).collect().item())
                .isEqualTo(3.0);
    }

    @Test
    void anExpandedViewIsNotExpandedOnItsWay() {
        Tensor view = Tensors.of(1f, 2f, 3f).expand(1_000_000, 3);
        DistributedTensor sum = broadloom().tensor(view, 4).sum();
        assertThat(sum.explain()).contains("broadcast 12 B");
        assertThat(sum.collect().item()).isEqualTo(6_000_000.0);
    }

    @Test
    void aLargeLocalTensorTravelsInChunks() {
        Tensor x = uneven(64, 1000);
        DistributedTensor d = broadloom().withChunkBytes(16_000).tensor(x).abs();
        assertThat(d.chunks()).isEqualTo(16);
        assertThat(d.explain()).contains("each task fetches its rows");
        Bits.assertSame(d.collect(), Bits.local(Expr.apply(Op.of("abs"), Input.of(x))));
    }

    @Test
    void shapesThatDoNotBroadcastAreRefusedWhereTheyAreWritten() {
        DistributedTensor a = broadloom().tensor(uneven(3, 2));
        DistributedTensor b = broadloom().tensor(uneven(3, 4));
        assertThatThrownBy(() -> a.add(b))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "The size of tensor a (2) must match the size of tensor b (4) at non-singleton dimension 1");
    }

    @Test
    void aLargeOperandThatEveryTaskNeedsIsRefusedBeforeAnyJob() throws Exception {
        Broadloom small = broadloom().withReplicateBytes(1000);
        DistributedTensor a = small.tensor(uneven(300, 1, 2));
        DistributedTensor b = small.tensor(uneven(1, 300, 2));
        try (Jobs jobs = Jobs.listen()) {
            assertThatThrownBy(() -> a.sub(b).median(KeepDim.DROP, 1).values().collect())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("both are large and expand each other")
                    .hasMessageContaining("[1, 300, 2]")
                    .hasMessageContaining("withReplicateBytes");
            assertThat(jobs.descriptions()).isEmpty();
        }
    }

    @Test
    void collectingMoreThanSparkAllowsInOneJobTakesSeveral() throws Exception {
        LocalSpark.stop();
        var session = org.apache.spark.sql.SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.maxResultSize", "1m")
                .getOrCreate();
        try {
            Tensor x = uneven(1000, 1000);
            Broadloom limited = Broadloom.on(session);
            Bits.assertSame(limited.tensor(x, 16).neg().collect(), Bits.local(Expr.apply(Op.of("neg"), Input.of(x))));
            assertThatThrownBy(() -> limited.tensor(x, 2).neg().collect())
                    .hasMessageContaining("spark.driver.maxResultSize")
                    .hasMessageContaining("make the chunks smaller");
        } finally {
            session.stop();
        }
    }

    @Test
    void coarseCutsOfANarrowOperandDoNotMakeChunksOfAWideOneLarge() {
        Broadloom small = broadloom().withChunkBytes(4096);
        Tensor wide = uneven(1000, 300);
        Tensor narrow = uneven(1000, 1);
        DistributedTensor column = small.tensor(narrow).neg().cache();
        assertThat(column.chunks()).isEqualTo(1);
        DistributedTensor difference = small.tensor(wide).add(column);
        assertThat(difference.chunks()).isBetween(200, 400);
        Bits.assertSame(
                difference.collect(),
                Bits.local(Expr.apply(Op.of("add"), Input.of(wide), Expr.apply(Op.of("neg"), Input.of(narrow)))));
        column.unpersist();
    }

    @Test
    void whatIsRefusedStillPrints() {
        Broadloom small = broadloom().withReplicateBytes(1000);
        DistributedTensor middle = small.tensor(uneven(300, 1, 2))
                .sub(small.tensor(uneven(1, 300, 2)))
                .median(KeepDim.DROP, 1)
                .values();
        assertThat(middle.toString()).contains("[300, 2]").contains("cannot be computed");
    }

    @Test
    void cachedTensorsAreExplainedByTheNamesThatTheExpressionGivesThem() {
        DistributedTensor c = broadloom().tensor(uneven(20, 3), 4).add(1).cache();
        assertThat(broadloom().eval("2 * c", java.util.Map.of("c", c)).explain())
                .contains("1. 2 * c\n")
                .contains("c (cached)");
        assertThat(c.mul(2).explain()).contains("1. (tensor + 1) * 2\n");
        assertThat(c.explain()).contains("no kernel").contains("0 kernels");
        c.unpersist();
    }

    @Test
    void anExplanationShowsWhichKernelsAreCompiled() {
        DistributedTensor d = broadloom().tensor(uneven(20, 3), 4).mul(0.271828).sub(31.4159);
        assertThat(d.explain()).contains("pointwise float32[5, 3]").contains("compiled when first run");
        d.collect().storage().release();
        assertThat(d.explain())
                .containsPattern("kernel \\w+ of \\d+ steps over .*, compiled in \\d+\\.\\d ms")
                .doesNotContain("class Kernel");
        assertThat(d.explain(Backend.Detail.SOURCE)).contains("public final class Kernel implements TileKernel {");
    }

    @RepeatedTest(20) // whether Spark sees the interrupt while it cleans up is a matter of moments
    void anInterruptedActionEndsItsJobAndKeepsTheInterrupt() throws Exception {
        // many tasks: a job that is over before this thread waits for it has nothing to interrupt
        DistributedTensor d = broadloom().tensor(uneven(200, 3), 200);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> d.neg().collect()).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        var tracker = LocalSpark.session().sparkContext().statusTracker();
        int quiet = 0; // Spark may tell of the job only after we have looked
        for (int wait = 0; wait < 1000 && quiet < 5; wait++) {
            Thread.sleep(10);
            quiet = tracker.getActiveJobIds().length == 0 ? quiet + 1 : 0;
        }
        assertThat(quiet).isEqualTo(5);
    }

    @Test
    void collectingMuchOfTheHeapTakesSeveralJobs() throws Exception {
        long rows = Runtime.getRuntime().maxMemory() / 16 * 2 >> 20;
        Tensor one = Tensors.ones(1).expand(rows, 1 << 18);
        try (Jobs jobs = Jobs.listen()) {
            Tensor collected = broadloom().tensor(one).add(1).collect();
            assertThat(jobs.descriptions()).hasSizeGreaterThan(1);
            assertThat(collected.getDouble(rows - 1, 0)).isEqualTo(2.0);
            collected.storage().release();
        }
    }

    @Test
    void jobsAreCalledWhatTheUserWrote() throws Exception {
        try (Jobs jobs = Jobs.listen()) {
            broadloom().tensor(uneven(4, 2), 2).sub(1).collect();
            assertThat(jobs.descriptions()).containsExactly("broadloom: collect tensor - 1");
        }
    }

    @Test
    void anExpressionTakesWhatOperatorsTake() {
        Broadloom broadloom = LocalSpark.broadloom();
        Map<String, Object> names = Map.of(
                "x",
                broadloom.tensor(Tensors.of(1f, 2f, 4f), 3),
                "m",
                LazyTensor.of(Tensors.of(0f)).exp(),
                "s",
                2,
                "negate",
                true);
        assertThat(broadloom.eval("where(negate, (m - x) / s, x)", names).collect())
                .hasToString("tensor([ 0.0000, -0.5000, -1.5000])");
        assertThatThrownBy(() -> broadloom.eval("x", Map.of("x", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot use an operand: 1 is a String; give a tensor, a Number or a Boolean");
    }

    /** Each in its place of the text. */
    @Test
    void aMethodTakesLocalTensorsAndNumbersWhereATextTakesThem() {
        Tensor x = Tensors.arange(12).to(DType.FLOAT32).view(4, 3);
        Tensor t = Tensors.of(5f, 6f, 7f);
        LazyTensor u = LazyTensor.of(t).mul(2);
        DistributedTensor d = LocalSpark.broadloom().tensor(x, 2);
        Map<String, DistributedTensor> found = new LinkedHashMap<>();
        found.put("where(x > t, t, 0)", d.gt(t).where(t, 0));
        found.put("where(x > u, x, t)", d.gt(u).where(d, t));
        found.put("where(x > 4, 1, u)", d.gt(4).where(1, u));
        found.put("clamp(x, t, u)", d.clamp(t, u));
        found.put("clamp(x, 2, 7)", d.clamp(2, 7));
        found.put("lerp(x, t, 0.5)", d.lerp(t, 0.5));
        found.put("lerp(x, u, t)", d.lerp(u, t));
        found.put("addcmul(x, t, u, value=2)", d.addcmul(t, u, 2));
        found.put("2 - x", d.rsub(2));
        found.put("t - x", d.rsub(t));
        found.put("div(x, t, rounding_mode='floor')", d.div(t, Rounding.FLOOR));
        found.put("isclose(x, t)", d.isclose(t));
        found.put("x @ t", d.matmul(t));
        found.put("x.mv(u)", d.mv(u));
        found.put("einsum('ij,j->i', x, u)", d.einsum("ij,j->i", u));
        found.put("expand_as(x[0], x)", d.select(0, 0).expandAs(x));
        found.put("cat([x, u[None], x, t[None]], 0)", d.concat(0, u.unsqueeze(0), d, t.unsqueeze(0)));
        found.put("stack([x[1], t, u], 0)", d.select(0, 1).stack(0, t, u));
        found.put("x + t", LocalSpark.broadloom().tensor(x, 2).add_(t));
        found.forEach((text, distributed) -> Bits.assertSame(
                distributed.collect(),
                LazyTensor.eval(text, Map.of("x", x, "t", t, "u", u)).compute()));
    }

    @Test
    void whatIsDistributedDoesNotGoIntoALocalExpression() {
        DistributedTensor x = LocalSpark.broadloom().tensor(Tensors.of(1f), 1);
        LazyTensor local = LazyTensor.of(Tensors.of(2f));
        for (ThrowingCallable taken : List.<ThrowingCallable>of(
                () -> local.add(x),
                () -> local.add_(x),
                () -> local.concat(0, x),
                () -> LazyTensor.eval("x + 1", Map.of("x", x)))) {
            assertThatThrownBy(taken)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "Cannot use an operand: a DistributedTensor does not go into an expression of this machine;"
                                    + " begin with it, or collect() it");
        }
        assertThat(x.sub(local).collect().toFloatArray()).containsExactly(-1);
    }
}
