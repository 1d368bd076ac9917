package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** What a task is estimated to hold is what the largest one is measured to hold, or up to twice as much; never less. */
class EstimatesTest {
    private static final int MIB = 1 << 20;

    @TempDir
    static Path folder;

    private final List<DistributedTensor> cached = new ArrayList<>();

    /** Where an operand lies. */
    private enum Lies {
        ON_THE_DRIVER,
        IN_A_FILE,
        IN_AN_ARROW_FILE,
        /** In a folder with a file for each chunk. */
        IN_PARTS,
        /** In five chunks, which are larger than any other. */
        IN_LARGE_CHUNKS,
        IN_SMALL_CHUNKS,
        /** To be cached by the action that needs it. */
        NOT_CACHED_YET
    }

    private record Operand(DType dtype, Lies lies, long... shape) {}

    private static Operand file(long... shape) {
        return new Operand(DType.FLOAT32, Lies.IN_A_FILE, shape);
    }

    private static Operand local(long... shape) {
        return new Operand(DType.FLOAT32, Lies.ON_THE_DRIVER, shape);
    }

    private static Operand in(Lies lies, long... shape) {
        return new Operand(DType.FLOAT32, lies, shape);
    }

    /** @param strategy that one of its operands takes, at least */
    private record Work(String expression, Strategy strategy, Map<String, Operand> operands) {
        @Override
        public String toString() {
            String text = expression.length() > 60 ? expression.substring(0, 60) + "…" : expression;
            return text + " of "
                    + operands.values().stream().map(Operand::lies).distinct().toList();
        }
    }

    private static Work work(String expression, Strategy strategy, Object... operands) {
        Map<String, Operand> named = new TreeMap<>();
        for (int i = 0; i < operands.length; i += 2) {
            named.put((String) operands[i], (Operand) operands[i + 1]);
        }
        return new Work(expression, strategy, named);
    }

    /** The kinds of the benchmark, smaller. */
    static Stream<Work> benchmark() {
        Operand images = file(64, 3, 96, 96);
        String chain = "x";
        for (int i = 1; i <= 10; i++) {
            chain = "maximum(abs(" + chain + " * 0.9" + i + " - 0." + i + "), x)";
        }
        return Stream.of(
                work("(x - m) * s", Strategy.ALIGN, "x", images, "m", local(3, 1, 1), "s", local(3, 1, 1)),
                work(
                        "where(x > m, tanh((x - m) * s) + exp(-x * x), 0.1 * x)",
                        Strategy.ALIGN,
                        "x",
                        images,
                        "m",
                        local(3, 1, 1),
                        "s",
                        local(3, 1, 1)),
                work(
                        "(x - mean(x, dim=(0, 2, 3), keepdim=True)) / std(x, dim=(0, 2, 3), keepdim=True)",
                        Strategy.ALIGN,
                        "x",
                        images),
                work("sum((a - b) ** 2, dim=-1)", Strategy.ALIGN, "a", file(1500, 1, 64), "b", local(1, 1500, 64)),
                work("amax(a * b + a, dim=1)", Strategy.REPLICATE, "a", local(200_000, 1), "b", local(1, 1000)),
                work(
                        "(float32(u) / 255 - m) / s",
                        Strategy.ALIGN,
                        "u",
                        new Operand(DType.UINT8, Lies.IN_A_FILE, 64, 128, 128, 3),
                        "m",
                        local(3),
                        "s",
                        local(3)),
                work(
                        "x.t() + y + z",
                        Strategy.SHUFFLE,
                        "x",
                        in(Lies.IN_SMALL_CHUNKS, 2048, 2048),
                        "y",
                        file(2048, 2048),
                        "z",
                        local(2048)),
                work("a - b", Strategy.ALIGN, "a", local(1, 32, 32, 2), "b", local(2048, 1, 1, 2)),
                work(
                        "where(mask, h * s, h - s)",
                        Strategy.ALIGN,
                        "h",
                        new Operand(DType.FLOAT16, Lies.IN_A_FILE, 64, 3, 112, 112),
                        "mask",
                        new Operand(DType.BOOL, Lies.IN_A_FILE, 64, 1, 112, 112),
                        "s",
                        new Operand(DType.FLOAT16, Lies.ON_THE_DRIVER, 3, 1, 1)),
                work(chain, Strategy.ALIGN, "x", file(2_000_000)));
    }

    static Stream<Work> others() {
        String distances = "sum((a.unsqueeze(1) - b.unsqueeze(0)) ** 2, -1)";
        Operand a = file(2048, 512);
        Operand b = in(Lies.IN_SMALL_CHUNKS, 1536, 512);
        return Stream.of(
                work(distances, Strategy.GRID, "a", a, "b", b),
                work("argmin(" + distances + ", 1)", Strategy.GRID, "a", a, "b", b),
                work("sum(" + distances + ", 0)", Strategy.GRID, "a", in(Lies.IN_LARGE_CHUNKS, 2048, 512), "b", b),
                work("argmin(" + distances + ", 1)", Strategy.GRID, "a", local(2048, 512), "b", local(1536, 512)),
                work("argmin(" + distances + ", 1)", Strategy.ALIGN, "a", file(8192, 4), "b", local(2048, 4)),
                work("sum(" + distances + ", 0)", Strategy.ALIGN, "a", file(8192, 4), "b", local(2048, 4)),
                work("x.t()", Strategy.SHUFFLE, "x", file(2048, 2048)),
                work("x.t() * 2", Strategy.SHUFFLE, "x", in(Lies.IN_LARGE_CHUNKS, 2048, 2048)),
                work("x * y", Strategy.ALIGN, "x", file(2048, 1024), "y", in(Lies.IN_LARGE_CHUNKS, 2048, 1024)),
                work(
                        "x + y * z",
                        Strategy.RESLICE,
                        "x",
                        in(Lies.IN_SMALL_CHUNKS, 4000, 1024),
                        "y",
                        in(Lies.IN_LARGE_CHUNKS, 4000, 1024),
                        "z",
                        in(Lies.IN_LARGE_CHUNKS, 4000, 1024)),
                work("x[5:] - x[:-5]", Strategy.RESLICE, "x", in(Lies.IN_SMALL_CHUNKS, 4000, 512)),
                work("x * 2 + y", Strategy.ALIGN, "x", in(Lies.NOT_CACHED_YET, 4096, 512), "y", file(4096, 512)),
                work("flip(x, (0, 1)) + 1", Strategy.ALIGN, "x", in(Lies.IN_SMALL_CHUNKS, 4096, 512)),
                work("reshape(x, 1000, 2048) * 2", Strategy.ALIGN, "x", file(2000, 1024)),
                work("cat((x, x * 2), 0)", Strategy.ALIGN, "x", file(2000, 1024)),
                work("stack((x, x * 2), 0)", Strategy.GRID, "x", file(2000, 1024)),
                work("cumsum(x, 0)", Strategy.ALIGN, "x", file(4096, 512)),
                work("cumsum(x * 2, 0) - x", Strategy.ALIGN, "x", file(64, 65536)),
                work("cumsum(x * 2, 1) - x", Strategy.ALIGN, "x", file(4096, 512)),
                work("mean(x, 0)", Strategy.ALIGN, "x", file(256, 16384)),
                work("var(x, 0)", Strategy.ALIGN, "x", in(Lies.IN_SMALL_CHUNKS, 250, 16384)),
                work("cumsum(x, 0)", Strategy.ALIGN, "x", in(Lies.IN_SMALL_CHUNKS, 250, 16384)),
                work("sum(x, 1)", Strategy.ALIGN, "x", file(16, 8, 65536)),
                work("x - mean(x, 0)", Strategy.ALIGN, "x", file(64, 65536)),
                work("std(x, 0)", Strategy.ALIGN, "x", file(32, 131072)),
                work("amax(x * x, 0)", Strategy.ALIGN, "x", file(128, 32768)),
                work("softmax(x, 1)", Strategy.ALIGN, "x", file(4096, 512)),
                work("x - mean(x, 1, keepdim=True)", Strategy.ALIGN, "x", file(4096, 512)),
                work("median(x, 0)", Strategy.SHUFFLE, "x", file(8192, 256)),
                work("median(x * 2, 1)", Strategy.ALIGN, "x", file(64, 65536)),
                work("sort(x, 0)", Strategy.SHUFFLE, "x", file(8192, 256)),
                work("sort(x * 2, 1).indices", Strategy.ALIGN, "x", file(64, 65536)),
                work("sort(x, 0)", Strategy.ALIGN, "x", file(4_000_000)),
                work("x[x > -10]", Strategy.ALIGN, "x", file(4_000_000)),
                work("(x * 2)[x[:, 0] > -10]", Strategy.ALIGN, "x", in(Lies.IN_LARGE_CHUNKS, 40_000, 100)),
                work("argsort(x * 2)", Strategy.ALIGN, "x", in(Lies.IN_LARGE_CHUNKS, 4_000_000)),
                work("argsort(x)", Strategy.ALIGN, "x", new Operand(DType.INT16, Lies.IN_A_FILE, 4_000_000)),
                work("topk(x, 10, 0)", Strategy.ALIGN, "x", file(8192, 256)),
                work("topk(x * 2, 1, 0).indices", Strategy.ALIGN, "x", in(Lies.IN_SMALL_CHUNKS, 250, 16384)),
                work("kthvalue(x, 7, 1)", Strategy.ALIGN, "x", file(64, 65536)),
                work("x[int64(abs(k) * 8000)]", Strategy.SHUFFLE, "x", file(8192, 256), "k", file(6000)),
                work(
                        "x[int64(k * 8000)] * 2",
                        Strategy.SHUFFLE,
                        "x",
                        in(Lies.IN_LARGE_CHUNKS, 1 << 21),
                        "k",
                        file(1 << 20)),
                work("bucketize(x * 2, b)", Strategy.ALIGN, "x", file(8192, 256), "b", local(200_000)),
                work("x @ w", Strategy.ALIGN, "x", file(4096, 512), "w", local(512, 300)),
                work("(x * 2) @ (w + 1)", Strategy.ALIGN, "x", file(4096, 512), "w", local(512, 300)),
                work("x @ y.t()", Strategy.GRID, "x", a, "y", b),
                work("x * 2", Strategy.ALIGN, "x", in(Lies.IN_AN_ARROW_FILE, 4096, 512)),
                work("x[:, :16] * 2", Strategy.ALIGN, "x", file(4096, 512)),
                work("x[:, ::2] * 2", Strategy.ALIGN, "x", file(4096, 512)),
                work("x[7:] * 2", Strategy.ALIGN, "x", in(Lies.IN_PARTS, 4096, 512)),
                work("x.t() * 2", Strategy.SHUFFLE, "x", new Operand(DType.BOOL, Lies.IN_A_FILE, 2048, 2048)));
    }

    @AfterEach
    void forget() {
        cached.forEach(DistributedTensor::unpersist);
        cached.clear(); // JUnit keeps the last instance
    }

    private DistributedTensor tensor(String name, Operand operand, Broadloom broadloom) throws IOException {
        Tensor numbers = LazyTensor.of(Tensors.arange(Shape.of(operand.shape()).numel()))
                .mul(0.7)
                .sin()
                .to(operand.dtype())
                .compute()
                .view(operand.shape());
        DistributedTensor local = broadloom.tensor(numbers);
        String path = folder.resolve(name).toString();
        return switch (operand.lies()) {
            case ON_THE_DRIVER -> local;
            case IN_A_FILE -> {
                local.writeNpy(path + ".npy", WriteMode.OVERWRITE);
                yield broadloom.readNpy(path + ".npy");
            }
            case IN_AN_ARROW_FILE -> {
                local.writeArrow(path + ".arrow", WriteMode.OVERWRITE);
                yield broadloom.readArrow(path + ".arrow");
            }
            case IN_PARTS -> {
                local.writeNpy(path, WriteMode.OVERWRITE);
                yield broadloom.readNpy(path);
            }
            case IN_LARGE_CHUNKS -> kept(broadloom.tensor(numbers, 5).mul(1)).materialize();
            case IN_SMALL_CHUNKS -> kept(broadloom.tensor(numbers, 13).mul(1)).materialize();
            case NOT_CACHED_YET -> kept(broadloom.tensor(numbers, 9).mul(2));
        };
    }

    private DistributedTensor kept(DistributedTensor tensor) {
        cached.add(tensor);
        return tensor.cache();
    }

    private enum Action {
        COLLECT {
            @Override
            void on(DistributedTensor tensor) {
                tensor.collect();
            }
        },
        WRITE {
            @Override
            void on(DistributedTensor tensor) throws IOException {
                tensor.writeNpy(folder.resolve("written").toString(), WriteMode.OVERWRITE);
            }
        },
        KEEP {
            @Override
            void on(DistributedTensor tensor) {
                tensor.materialize().unpersist();
            }
        };

        abstract void on(DistributedTensor tensor) throws IOException;
    }

    @SomeOf(value = "benchmark", oneIn = 3)
    void whateverBecomesOfTheResult(Work work) throws IOException {
        for (Action action : Action.values()) {
            assertEstimated(work, action);
        }
    }

    @SomeOf(value = "others", oneIn = 4)
    void howeverTheOperandsCome(Work work) throws IOException {
        assertEstimated(work, Action.COLLECT);
    }

    private void assertEstimated(Work work, Action action) throws IOException {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(MIB).withReplicateBytes(MIB);
        Map<String, DistributedTensor> operands = new TreeMap<>();
        for (Map.Entry<String, Operand> operand : work.operands().entrySet()) {
            operands.put(operand.getKey(), tensor(operand.getKey(), operand.getValue(), broadloom));
        }
        DistributedTensor result = broadloom.eval(work.expression(), operands);
        action.on(result);
        RunReport report = result.lastRun().orElseThrow();
        long measured = report.figures().peakTaskBytes();
        assertThat(report.plan().peakBytes()).as("%s\n%s", action, report).isBetween(measured, 2 * measured);
        assertThat(report.plan().stages())
                .flatMap(Stage::operands)
                .extracting(io.github.broadloom.plan.Operand::strategy)
                .contains(work.strategy());
    }
}
