package io.github.broadloom.exec.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.Rehearsal;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.compute.PlanRunner;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.exec.read.NpySources;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernels that the driver compiles for a stage are those that its tasks start. */
@WithFakeGpu
class StageKernelsTest {
    private static final Settings SETTINGS =
            Settings.defaults().withChunkBytes(1 << 20).withDevice("cuda");

    @TempDir
    Path folder;

    private static Tensor numbers(long... sizes) {
        return Tensors.ones(sizes).to(DType.FLOAT32);
    }

    private static Source local(Tensor tensor, int chunks) {
        return new LocalSource(
                tensor,
                ChunkGrid.of(tensor.shape(), RowGrid.ofChunks(tensor.shape().size(0), chunks)),
                "x");
    }

    private Map<String, Expr> names(int chunks) throws IOException {
        Path file = folder.resolve("f" + chunks + ".npy");
        Npy.write(numbers(97, 13), file, WriteMode.OVERWRITE);
        Map<String, Source> sources = Map.of(
                "x",
                local(numbers(97, 13), chunks),
                "images",
                local(numbers(10, 3, 6, 8), chunks),
                "y",
                local(numbers(97, 13), 3),
                "f",
                NpySources.open(file.toString(), context(), SETTINGS, ManifestMode.REQUIRED),
                "row",
                new LocalSource(numbers(13), null, "row"),
                "column",
                new LocalSource(numbers(97, 1), null, "column"),
                "repeated",
                new LocalSource(numbers(1, 13).expand(97, 13), null, "repeated"),
                "centres",
                new LocalSource(numbers(5, 13), null, "centres"));
        Map<String, Expr> names = new HashMap<>();
        sources.forEach((name, source) -> names.put(name, Input.of(source, source.dtype(), source.shape())));
        return names;
    }

    private static SparkContext context() {
        return LocalSpark.session().sparkContext();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(x - row) / column",
                "x * 2 + y + repeated",
                "f * f + row",
                "x - x.mean(0)",
                "sum(x * row, 1)",
                "x.t() + column.t()",
                "x[5:, 1:] - x[:-5, :-1]",
                "flip(x, 0) + flip(x, 1) + y",
                "x.reshape(13, 97) + 1",
                "(images - images.mean((0, 2, 3), keepdim=True)).reshape(30, 48) * 2",
                "argmin(sum((x.unsqueeze(1) - centres.unsqueeze(0)) ** 2, -1), 1)",
                "sum(x) + amax(images, (0, 2)).sum()",
                "std(x * row, 0) * mean(y)",
                "argmax(x) + prod(images > 0, 0)",
                "sum(images + 1, (0, 1))",
                "cumsum(x * row, 0) + 1",
                "x.t() @ y",
                "(x + 1) @ centres.t()",
                "cat([x, y], 0) * 2",
                "amax(x, 1, keepdim=True) - cumsum(x + row, 1)",
                "where(f > x, f.t()[:, :13].sum(), y)",
            })
    void ofAnExpression(String text) throws IOException {
        for (int chunks : new int[] {1, 2, 7}) {
            Plan plan = new Planner(SETTINGS).plan(ExprParser.parse(text, names(chunks)), Planner.Want.CHUNKS);
            Set<CudaSource> recorded = recorded(plan.stages());
            Set<CudaSource> ran = Rehearsal.kernels(
                    () -> new PlanRunner(context()).collect(plan, "kernels").release());
            assertThat(recorded.equals(ran))
                    .as(() -> text + " in " + chunks + ": recorded " + entries(recorded) + ", ran " + entries(ran))
                    .isTrue();
        }
    }

    @Test
    void ofAStreamThatGoesAlongChunks() {
        Broadloom broadloom = LocalSpark.broadloom()
                .withChunkBytes(1 << 16)
                .withReplicateBytes(1 << 14)
                .withDevice(Device.of("cuda"));
        DistributedTensor a = broadloom.tensor(numbers(1100, 64), 2).materialize();
        DistributedTensor b = broadloom.tensor(numbers(500, 64), 7).materialize();
        DistributedTensor nearest =
                a.unsqueeze(1).sub(b.unsqueeze(0)).square().sum(2).argmin(1);
        Set<CudaSource> ran = Rehearsal.kernels(() -> nearest.collect().release());
        List<Stage> stages = nearest.lastRun().orElseThrow().plan().stages();
        assertThat(stages).extracting(Stage::kind).contains(Stage.Kind.STREAM);
        Set<CudaSource> recorded = recorded(stages);
        assertThat(recorded).isNotEmpty();
        assertThat(recorded.equals(ran))
                .as(() -> "recorded " + entries(recorded) + ", ran " + entries(ran))
                .isTrue();
        a.unpersist();
        b.unpersist();
    }

    private static Set<CudaSource> recorded(List<Stage> stages) {
        return stages.stream()
                .flatMap(stage -> StageKernels.sources(stage).stream())
                .collect(Collectors.toSet());
    }

    private static String entries(Set<CudaSource> sources) {
        return sources.stream()
                .map(source -> source.entry() + " " + source.hash().substring(0, 4))
                .toList()
                .toString();
    }

    @Test
    void whatOnlyCopiesTakesNoKernel() throws IOException {
        Plan plan = new Planner(SETTINGS).plan(ExprParser.parse("x", names(2)), Planner.Want.CHUNKS);
        assertThat(plan.stages())
                .allSatisfy(stage -> assertThat(StageKernels.sources(stage)).isEmpty());
    }
}
