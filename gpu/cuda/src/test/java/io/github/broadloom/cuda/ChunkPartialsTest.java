package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Devices;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a chunk of rows leaves of a reduction has the bits that it has on the CPU, wherever the chunk begins. */
@WithFakeGpu
class ChunkPartialsTest {
    private static final Device CUDA = Device.of("cuda");
    private static final long[] FIRST_ROWS = {0, 1, 5, 64, 1000, (1 << 20) + 3};

    private static final String LAUNCH = "cuLaunchKernel";

    private final Random random = new Random(27);
    private final List<Case> cases = new ArrayList<>();

    private record Case(List<Reduce> chunk, long firstRow) {
        List<List<FoldNode>> on(Device device) {
            return Devices.backend(device).partials(chunk, firstRow);
        }

        @Override
        public String toString() {
            Expr operand = chunk.get(0).operand();
            return chunk + " of " + operand.dtype() + operand.shape() + " from row " + firstRow;
        }
    }

    private void add(Expr operand, long firstRow, int[] dims, Reduction... reductions) {
        List<Reduce> chunk = new ArrayList<>();
        for (Reduction reduction : reductions) {
            if (accepts(reduction, operand.dtype()) && (!reduction.isPosition() || dims.length < 2)) {
                chunk.add((Reduce) Expr.reduce(reduction, operand, KeepDim.DROP, dims));
            }
        }
        cases.add(new Case(chunk, firstRow));
    }

    private static boolean accepts(Reduction reduction, DType dtype) {
        try {
            reduction.resultType(dtype);
            return !reduction.isLogical() || dtype == DType.BOOL;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Expr random(DType dtype, long... shape) {
        return Input.of(WildValues.tensor(random, dtype, shape));
    }

    private void runAll() {
        Rehearsal.compile(() -> cases.forEach(one -> one.on(CUDA)));
        long onCpu = GpuCounter.ON_CPU_FOR_MEMORY.sum();
        List<String> wrong = new ArrayList<>();
        for (Case one : cases) {
            List<List<FoldNode>> expected = one.on(Device.CPU);
            List<List<FoldNode>> found = one.on(CUDA);
            for (int i = 0; i < expected.size(); i++) {
                if (!found.get(i).equals(expected.get(i))) {
                    wrong.add(one.chunk().get(i) + " among " + one);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(GpuCounter.ON_CPU_FOR_MEMORY.sum()).isEqualTo(onCpu);
    }

    @Test
    void sumsOfAnyRowsFromAnyRow() {
        for (long firstRow : FIRST_ROWS) {
            for (int rows : new int[] {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 1000, 4097}) {
                add(random(DType.FLOAT32, rows), firstRow, new int[] {0}, Reduction.SUM, Reduction.VAR);
                add(random(DType.FLOAT32, rows, 3), firstRow, new int[] {0}, Reduction.SUM, Reduction.ARGMAX);
            }
        }
        runAll();
    }

    @Test
    @Tag("full")
    void chunksThatTakeSeveralLaunches() {
        for (long firstRow : new long[] {0, 5, 1000, 1 << 17}) {
            add(random(DType.FLOAT32, 70_001), firstRow, new int[] {0}, Reduction.SUM, Reduction.STD, Reduction.ARGMIN);
            add(random(DType.FLOAT32, 1100, 100), firstRow, new int[] {0}, Reduction.MEAN, Reduction.AMAX);
            add(random(DType.FLOAT32, 1100, 101), firstRow, new int[] {0}, Reduction.PROD, Reduction.VAR);
            add(random(DType.FLOAT32, 300, 256), firstRow, new int[0], Reduction.SUM, Reduction.VAR, Reduction.ARGMAX);
        }
        Rehearsal.compile(() -> cases.forEach(one -> one.on(CUDA)));
        long before = FakeDriver.load().calls(LAUNCH);
        cases.forEach(one -> one.on(CUDA));
        // up to three each, which its reductions share
        assertThat(FakeDriver.load().calls(LAUNCH) - before).isBetween(cases.size() + 1L, 3L * cases.size());
        runAll();
    }

    @Test
    void programsOfWhatIsBroadcastAndReduced() {
        Map<String, Expr> names = Map.of(
                "x", random(DType.FLOAT32, 37, 33),
                "h", random(DType.FLOAT16, 37, 1),
                "m", random(DType.FLOAT32, 33),
                "t",
                        Input.of(Tensors.arange(33 * 37)
                                .to(DType.FLOAT64)
                                .view(33, 37)
                                .t()));
        for (String text : List.of(
                "sum((x - m) * h, 0)",
                "var(t * m, 0)",
                "sum((x - mean(x, 1, keepdim=True)) ** 2)",
                "argmax(t - m, 0)",
                "amax(cumsum(x, 1), 0)")) {
            cases.add(new Case(List.of((Reduce) ExprParser.parse(text, names)), 11));
        }
        runAll();
    }

    @Test
    void reductionsOfOneTensorBringItOnceAndTheirNodesInOneCopy() {
        Expr x = random(DType.FLOAT32, 100, 40);
        Expr square = Expr.apply(Ops.MUL, x, x);
        add(x, 3, new int[] {0}, Reduction.AMIN, Reduction.AMAX, Reduction.MEAN);
        cases.get(0).chunk().add((Reduce) Expr.reduce(Reduction.SUM, square, KeepDim.DROP, 0));
        cases.get(0).on(CUDA);
        long up = GpuCounter.UPLOADED_BYTES.sum();
        long copies = FakeDriver.load().calls("cuMemcpyDtoHAsync");
        cases.get(0).on(CUDA);
        assertThat(GpuCounter.UPLOADED_BYTES.sum() - up).isEqualTo(100 * 40 * Float.BYTES);
        assertThat(FakeDriver.load().calls("cuMemcpyDtoHAsync") - copies).isEqualTo(1);
    }

    @Test
    void whatAScanAddsToTheRowsBehindIsFoldedThere() {
        Map<String, Expr> names = Map.of(
                "x", random(DType.FLOAT32, 101, 3), "i", random(DType.INT8, 101), "h", random(DType.FLOAT16, 1, 2));
        List<Along> scans = new ArrayList<>();
        for (String text : List.of("cumsum(x * 2, 0)", "cumprod(x, 0)", "cumsum(i, 0)", "cumsum(h, 0)")) {
            scans.add((Along) ExprParser.parse(text, names));
        }
        Along extreme = Along.of(LineOp.of(LineOp.Kind.CUMMAX), names.get("x"), KeepDim.DROP, 0);
        scans.add(extreme);
        for (Along scan : scans) {
            long up = GpuCounter.UPLOADED_BYTES.sum();
            for (long firstRow : FIRST_ROWS) {
                assertThat(Devices.backend(CUDA).partials(scan, firstRow))
                        .isEqualTo(Devices.backend(Device.CPU).partials(scan, firstRow));
            }
            assertThat(GpuCounter.UPLOADED_BYTES.sum() > up).isEqualTo(scan != extreme);
        }
    }

    @Test
    void tensorsOfTheDeviceStayThere() {
        Tensor x = (Tensor) ((Input) random(DType.FLOAT32, 129, 5)).source();
        add(Input.of(x), 1000, new int[] {0}, Reduction.SUM, Reduction.STD, Reduction.ARGMIN);
        add(Input.of(x.to(CUDA)), 1000, new int[] {0}, Reduction.SUM, Reduction.STD, Reduction.ARGMIN);
        long up = GpuCounter.UPLOADED_BYTES.sum();
        assertThat(cases.get(1).on(CUDA)).isEqualTo(cases.get(0).on(Device.CPU));
        assertThat(GpuCounter.UPLOADED_BYTES.sum()).isEqualTo(up);
    }

    @Test
    void whatDoesNotFitIsHalvedAndComputedByTheCpuInTheEnd() {
        add(random(DType.FLOAT32, 1000, 4000), 77, new int[] {0}, Reduction.SUM, Reduction.VAR, Reduction.ARGMAX);
        List<List<FoldNode>> expected = cases.get(0).on(Device.CPU);
        FakeGpus.closeAll();
        FakeDriver.load().memoryLimit(12 << 20);
        long halved = GpuCounter.HALVED.sum();
        long onCpu = GpuCounter.ON_CPU_FOR_MEMORY.sum();
        assertThat(cases.get(0).on(CUDA)).isEqualTo(expected);
        assertThat(GpuCounter.HALVED.sum()).isGreaterThan(halved);
        assertThat(GpuCounter.ON_CPU_FOR_MEMORY.sum()).isEqualTo(onCpu);

        FakeGpus.closeAll();
        FakeDriver.load().memoryLimit(1 << 14);
        add(random(DType.FLOAT32, 2, 5000), 77, new int[] {0}, Reduction.SUM, Reduction.VAR, Reduction.ARGMAX);
        assertThat(cases.get(1).on(CUDA)).isEqualTo(cases.get(1).on(Device.CPU));
        assertThat(GpuCounter.ON_CPU_FOR_MEMORY.sum()).isEqualTo(onCpu + 1);
    }

    @Test
    void errorsAreThoseOfTheCpu() {
        Expr zero = Expr.apply(
                Ops.FLOOR_DIVIDE,
                random(DType.INT32, 5),
                Input.of(Tensors.arange(5).to(DType.INT32)));
        add(zero, 0, new int[] {0}, Reduction.SUM);
        assertThatThrownBy(() -> cases.get(0).on(CUDA))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("ZeroDivisionError");
        Reduce kept = (Reduce) Expr.reduce(Reduction.SUM, random(DType.FLOAT32, 3, 4), KeepDim.DROP, 1);
        assertThatThrownBy(() -> Devices.backend(CUDA).partials(kept, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keeps dimension 0");
        add(random(DType.FLOAT32, 0, 5), 4, new int[] {0}, Reduction.SUM, Reduction.VAR);
        assertThat(cases.get(1).on(CUDA)).containsOnly(List.of());
    }

    @Test
    void everyReductionOfEveryDtype() {
        for (DType dtype : DType.values()) {
            for (long firstRow : new long[] {0, 5, (1 << 20) + 3}) {
                add(random(dtype, 65), firstRow, new int[] {0}, Reduction.values());
                add(random(dtype, 37, 33), firstRow, new int[] {0}, Reduction.values());
                add(random(dtype, 40, 3), firstRow, new int[0], Reduction.values());
            }
        }
        runAll();
    }

    @Test
    void rowsAndWhatIsInsideOfThem() {
        for (long firstRow : new long[] {5, 64}) {
            for (int rows : new int[] {1, 21}) {
                for (long[] inner : new long[][] {{3, 4}, {4, 3}, {8, 1}, {1, 64}, {5, 128}, {3, 300}, {300, 3}}) {
                    Expr operand = random(DType.FLOAT32, rows, inner[0], inner[1]);
                    for (int[] dims : new int[][] {{0}, {0, 1}, {0, 2}, {}}) {
                        add(operand, firstRow, dims, Reduction.SUM, Reduction.STD, Reduction.AMIN, Reduction.ARGMIN);
                    }
                }
            }
        }
        runAll();
    }
}
