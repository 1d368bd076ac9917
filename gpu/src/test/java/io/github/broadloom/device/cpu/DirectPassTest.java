package io.github.broadloom.device.cpu;

import static io.github.broadloom.device.cpu.Programs.bits;
import static io.github.broadloom.device.cpu.Programs.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.codegen.DirectKernel;
import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.lanes.Lanes;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.random.RandomTensors;
import io.github.broadloom.random.RandomTensors.View;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that read and write memory where it lies give the bits that tiles give. */
class DirectPassTest {
    private static final CpuBackend TILES = new CpuBackend(); // what is small goes through tiles
    private static final Kernels KERNELS = new Kernels();

    private final RandomTensors random = new RandomTensors(23);

    @BeforeAll
    static void needsVectors() {
        assumeTrue(
                Lanes.readsMemory(),
                "the Vector API of this JVM, or this machine, has no vectors of eight floats in memory");
    }

    /** Computes into the target, directly; says whether it could. */
    private static boolean runs(String text, Map<String, Tensor> names, Tensor target, int threads, int windowBytes) {
        PointwiseProgram program = PointwiseProgram.of(parse(text, names));
        Leaves leaves = new Leaves();
        List<Tensor> places = new ArrayList<>(leaves.of(program));
        places.add(target);
        KernelSpec spec = program.spec();
        LoopNest nest =
                LoopNest.of(target.layout(), places.stream().map(Tensor::layout).toList());
        Optional<DirectNest> direct = DirectNest.of(spec, nest);
        direct.ifPresent(rows -> {
            DirectKernel kernel = KERNELS.direct().kernel(rows.over(spec));
            new DirectPass(rows, places, windowBytes).run(kernel, threads);
        });
        Reference.reachabilityFence(names);
        return direct.isPresent();
    }

    private static void assertSame(String text, Map<String, Tensor> names) {
        Tensor expected = TILES.evaluate(parse(text, names), 1);
        for (int threads : new int[] {1, 2, 7}) {
            for (int windowBytes : new int[] {1 << 17, DirectPass.WINDOW_BYTES}) {
                Tensor got = Tensors.full(expected.shape(), -7.0, expected.dtype());
                assertThat(runs(text, names, got, threads, windowBytes))
                        .as("%s runs directly", text)
                        .isTrue();
                assertThat(bits(got)).as(text).isEqualTo(bits(expected));
            }
        }
    }

    private Tensor dense(DType dtype, long... shape) {
        return random.tensor(dtype, Shape.of(shape), View.CONTIGUOUS);
    }

    @ParameterizedTest
    @ValueSource(longs = {64, 65, 71, 72, 1000, 4096, 16384, 16385, 40003, 100_000})
    void oneLoopOfAnyLength(long length) {
        Map<String, Tensor> names =
                Map.of("x", dense(DType.FLOAT32, length), "y", dense(DType.FLOAT32, length), "c", dense(DType.FLOAT32));
        assertSame("(x - y) * 1.5 + c", names);
    }

    @ParameterizedTest
    @CsvSource({"1, 3, 64", "5, 3, 77", "2, 7, 300", "40, 3, 1000", "2, 2, 33000"})
    void aNumberForEachRow(long images, long channels, long pixels) {
        Map<String, Tensor> names = Map.of(
                "x", dense(DType.FLOAT32, images, channels, pixels),
                "mean", dense(DType.FLOAT32, channels, 1),
                "scale", dense(DType.FLOAT32, channels, 1));
        assertSame("(x - mean) * scale", names);
        assertSame("x / (mean * scale - 2)", names);
    }

    @ParameterizedTest
    @CsvSource({
        "100, 2",
        "341, 3",
        "2000, 3",
        "70000, 3",
        "33, 4",
        "5000, 7",
        "1000, 63",
        "200, 64",
        "200, 65",
        "50, 300"
    })
    void aNumberForEachColumn(long pixels, long channels) {
        Map<String, Tensor> names = Map.of(
                "u", dense(DType.UINT8, pixels, channels),
                "mean", dense(DType.FLOAT32, channels),
                "std", dense(DType.FLOAT32, channels));
        assertSame("(float32(u) / 255 - mean) / std", names);
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 32", "2, 2, 33", "4, 2, 50", "8, 1, 1000", "2, 4, 37", "16, 1, 90"})
    void fewNumbersForEachRow(long period, long repeated, long times) {
        Map<String, Tensor> names = Map.of(
                "a", dense(DType.FLOAT32, 1, times, period, repeated),
                "b", dense(DType.FLOAT32, 70, 1, period, 1),
                "i", dense(DType.INT8, period, 1),
                "c", dense(DType.FLOAT32, 70, 1, 1, 1));
        if (period * repeated <= 8) {
            assertSame("a - b * c - float32(i)", names);
        } else {
            Tensor target = Tensors.zeros(70, times, period, repeated);
            assertThat(runs("a - b * c - float32(i)", names, target, 1, 1 << 20))
                    .as("patterns of 16, other ones for each row")
                    .isFalse();
        }
    }

    @Test
    void integersOfEveryWidth() {
        for (DType dtype : List.of(DType.UINT8, DType.INT8, DType.INT16, DType.INT32)) {
            Map<String, Tensor> names =
                    Map.of("i", dense(dtype, 30, 111), "row", dense(dtype, 30, 1), "column", dense(dtype, 111));
            assertSame("float32(i) * 0.5 - float32(row) + float32(column)", names);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x + y",
                "x - y",
                "x * y",
                "x / y",
                "sqrt(x)",
                "-x * y",
                "abs(x)",
                "square(x)",
                "maximum(x, y)",
                "minimum(x, y)",
                "clamp(x, -0.5, 0.25)",
                "clamp_min(x, 0)",
                "clamp_max(x, 0)",
                "relu(x)"
            })
    void everyOperationOnVectors(String text) {
        Tensor x = dense(DType.FLOAT32, 203);
        Tensor y = dense(DType.FLOAT32, 203);
        double[] special = {
            0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e-45, -1e-40, 3e38
        };
        for (int i = 0; i < special.length; i++) {
            for (int j = 0; j < special.length; j++) {
                x.set(special[i], 8 * i + j);
                y.set(special[j], 8 * i + j);
            }
        }
        x.set(-0.0, 202);
        Map<String, Tensor> names = text.contains("y") ? Map.of("x", x, "y", y) : Map.of("x", x);
        if (text.startsWith("relu")) { // has no vectors: a program of tiles
            assertThat(runs(text, names, Tensors.empty(DType.FLOAT32, x.shape()), 1, 1 << 20))
                    .isFalse();
            return;
        }
        assertSame(text, names);
    }

    private static Tensor allHalves() {
        short[] halves = new short[1 << 16];
        for (int i = 0; i < halves.length; i++) {
            halves[i] = (short) i;
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(2 * halves.length).order(ByteOrder.nativeOrder());
        memory.asShortBuffer().put(halves);
        return Tensors.wrap(memory, DType.FLOAT16, Shape.of(halves.length));
    }

    /** Truths as other libraries may store them: 0, and three bytes that are not. */
    private static Tensor truths(long... shape) {
        byte[] bytes = {0, 1, 2, (byte) 255, 0, 0, (byte) 128};
        ByteBuffer memory = ByteBuffer.allocateDirect((int) Shape.of(shape).numel());
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, bytes[i % bytes.length]);
        }
        return Tensors.wrap(memory, DType.BOOL, Shape.of(shape));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "h * 1",
                "h + 0",
                "h * 0.1",
                "-h",
                "abs(h)",
                "h / g",
                "h - g",
                "maximum(h, g) * 3",
                "where(m, h * 0.3, h - 7)",
                "where(m, h, g)",
                "float32(h) * float32(g)",
                "float16(float32(h) * 1.0009765625)",
                "float32(h) * 0.5 + 1"
            })
    void everyHalf(String text) {
        Tensor h = allHalves();
        Map<String, Tensor> names = new LinkedHashMap<>(Map.of("h", h));
        if (text.contains("g")) {
            names.put("g", h.flip(0));
        }
        if (text.contains("m,")) {
            names.put("m", truths(1 << 16));
        }
        assertSame(text, names);
    }

    @Test
    void halvesTimesOneAreThemselves() {
        Tensor h = allHalves();
        Tensor got = Tensors.empty(DType.FLOAT16, h.shape());
        assertThat(runs("h * 1", Map.of("h", h), got, 1, 1 << 20)).isTrue();
        assertThat(bits(got)).isEqualTo(bits(h));
    }

    @ParameterizedTest
    @CsvSource({"1, 3, 64", "5, 3, 77", "2, 3, 511", "3, 2, 513", "2, 2, 1024", "2, 2, 2600", "2, 1, 40003"})
    void halvesAndChoices(long images, long channels, long pixels) {
        Map<String, Tensor> names = Map.of(
                "mask", truths(images, 1, pixels),
                "h", dense(DType.FLOAT16, images, channels, pixels),
                "scale", dense(DType.FLOAT16, channels, 1),
                "shift", dense(DType.FLOAT16, channels, 1));
        assertSame("where(mask, h * scale, h - shift)", names);
        assertSame(
                "where(row, float32(h) * float32(column), scalar)",
                Map.of(
                        "row", truths(images, channels, 1),
                        "h", dense(DType.FLOAT16, images, channels, pixels),
                        "column", dense(DType.UINT8, pixels),
                        "scalar", dense(DType.FLOAT32)));
    }

    @ParameterizedTest
    @CsvSource({"2, 64", "4, 37", "8, 130", "8, 300"})
    void halvesAndTruthsOfShortPeriods(long period, long times) {
        Map<String, Tensor> names = Map.of(
                "h", dense(DType.FLOAT16, 30, times, period),
                "g", dense(DType.FLOAT16, 30, 1, period),
                "m", truths(30, 1, period));
        assertSame("where(m, h, g)", names);
        assertSame("h * g", Map.of("h", names.get("h"), "g", names.get("g")));
    }

    @Test
    void halvesBesideAPatternOfFloats() {
        Map<String, Tensor> names =
                Map.of("h", dense(DType.FLOAT16, 700, 3), "std", dense(DType.FLOAT32, 3), "m", truths(700, 3));
        assertSame("where(m, float32(h) / std, 0.0)", names);
    }

    @ParameterizedTest
    @ValueSource(strings = {"where(m, x, y)", "where(m, x * 2, y) - x", "where(m, 1.5, x)"})
    void choicesOfFloats(String text) {
        Tensor y = dense(DType.FLOAT32, 40, 2055);
        Map<String, Tensor> names =
                new LinkedHashMap<>(Map.of("x", dense(DType.FLOAT32, 40, 2055), "m", truths(40, 2055)));
        if (text.contains("y")) {
            names.put("y", y);
        }
        assertSame(text, names);
    }

    @Test
    void halvesThatAreRoundedOnTheWayGoThroughTiles() {
        Map<String, Tensor> names = Map.of("h", dense(DType.FLOAT16, 1000));
        assertThat(runs("h * 0.3 + 1", names, Tensors.empty(DType.FLOAT16, Shape.of(1000)), 1, 1 << 20))
                .isFalse();
    }

    @Test
    void viewsThatKeepTheirRowsTogether() {
        Tensor wide = dense(DType.FLOAT32, 50, 3, 200);
        Map<String, Tensor> names = Map.of(
                "x", wide.narrow(2, 17, 100).narrow(0, 3, 40),
                "y", dense(DType.FLOAT32, 3, 100).narrow(0, 1, 1),
                "z", dense(DType.FLOAT32, 40, 1, 100).expand(40, 3, 100));
        assertSame("x * y + z", names);
        Tensor target = dense(DType.FLOAT32, 60, 3, 128);
        Tensor part = target.narrow(0, 10, 40).narrow(2, 5, 100);
        float[] before = target.toFloatArray();
        assertThat(runs("x * y + z", names, part, 2, 1 << 20)).isTrue();
        assertThat(bits(part)).isEqualTo(bits(TILES.evaluate(parse("x * y + z", names), 1)));
        assertThat(target.narrow(0, 0, 10).toFloatArray()).isEqualTo(Arrays.copyOf(before, 10 * 3 * 128));
    }

    @Test
    void aTargetThatIsAnOperandToo() {
        Tensor x = dense(DType.FLOAT32, 1001);
        Tensor expected = TILES.evaluate(parse("x * 2 + 1", Map.of("x", x)), 1);
        assertThat(runs("x * 2 + 1", Map.of("x", x), x, 1, 1 << 20)).isTrue();
        assertThat(bits(x)).isEqualTo(bits(expected));
    }

    @Test
    void otherStridesGoThroughTiles() {
        Tensor x = dense(DType.FLOAT32, 100, 200);
        for (Tensor view : List.of(x.t(), x.slice(1, null, null, 2))) {
            Tensor y = Tensors.zeros(view.shape(), DType.FLOAT32);
            Layout layout = view.layout();
            assertThat(runs("x + y", Map.of("x", view, "y", y), Tensors.zeros(view.shape(), DType.FLOAT32), 1, 1 << 20))
                    .as(layout.toString())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exp(x)", "x > 0", "where(x > 0, x, 0.5)", "float64(x) * 2", "x", "float16(x) * 0.5"})
    void otherProgramsGoThroughTiles(String text) {
        Tensor x = dense(DType.FLOAT32, 1000);
        Expr expr = parse(text, Map.of("x", x));
        assertThat(runs(text, Map.of("x", x), Tensors.empty(expr.dtype(), expr.shape()), 1, 1 << 20))
                .isFalse();
    }

    @Test
    void aLargeTensorTakesThisWayByItself() {
        int rows = 40;
        int columns = 30_011;
        float[] x = new float[rows * columns];
        float[] mean = new float[rows];
        for (int i = 0; i < x.length; i++) {
            x[i] = i % 977 / 16f;
        }
        for (int i = 0; i < rows; i++) {
            mean[i] = i * 0.75f;
        }
        Tensor result = LazyTensor.parse(
                        "(x - mean) * 0.5",
                        Map.of("x", Tensors.copyOf(x, rows, columns), "mean", Tensors.copyOf(mean, rows, 1)))
                .eval();
        float[] expected = new float[x.length];
        for (int i = 0; i < x.length; i++) {
            expected[i] = (x[i] - mean[i / columns]) * 0.5f;
        }
        assertThat(result.toFloatArray()).isEqualTo(expected);
    }
}
