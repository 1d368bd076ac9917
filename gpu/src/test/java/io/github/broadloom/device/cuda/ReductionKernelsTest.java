package io.github.broadloom.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.cuda.CudaLaunch;
import io.github.broadloom.codegen.cuda.CudaSource;
import io.github.broadloom.codegen.cuda.ReductionLaunches;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Ops;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every reduction on the stand-in GPU has the bits that it has on the CPU. */
@WithFakeGpu
class ReductionKernelsTest {
    private static final int[] LENGTHS = {1, 2, 3, 31, 32, 33, 127, 128, 129, 1000, 4095, 4096, 4097, 70001};

    private final Random random = new Random(6);
    private final List<Case> cases = new ArrayList<>();

    /** @param shifts how far each operand, and the result, lies behind an aligned address, in bytes */
    private record Case(Reduce reduce, List<Tensor> operands, int[] shifts, ReductionLaunches launches) {
        KernelRunner.Outcome run(KernelRunner runner, int resultBytes) {
            List<byte[]> buffers =
                    operands.stream().map(ReductionKernelsTest::bytes).toList();
            return runner.run(launches.launches(), buffers, shifts, resultBytes, launches.scratchBytes());
        }

        @Override
        public String toString() {
            return reduce + " of " + reduce.operand().dtype() + reduce.operand().shape() + " over "
                    + operands.stream().map(Tensor::layout).toList() + " at " + Arrays.toString(shifts);
        }
    }

    // ---- what is tried

    private void add(Reduction reduction, Expr operand, int misalignedElements, int... dims) {
        Expr expr = Expr.reduce(reduction, operand, dims, false);
        if (!(expr instanceof Reduce reduce)) {
            return; // an integer's truth is a cast of a reduction
        }
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        List<Tensor> operands = program.leaves().stream()
                .map(leaf -> (Tensor) ((Input) leaf).source())
                .toList();
        int[] shifts = IntStream.rangeClosed(0, operands.size())
                .map(k -> misalignedElements
                        * (k < operands.size() ? operands.get(k).dtype() : reduce.dtype()).bytes())
                .toArray();
        int[] alignments = Arrays.stream(shifts)
                .map(bytes -> Math.min(16, Integer.lowestOneBit(bytes | 16)))
                .toArray();
        List<Layout> layouts = operands.stream().map(Tensor::layout).toList();
        ReductionLaunches launches = ReductionLaunches.of(program.spec(), reduce, layouts, alignments);
        cases.add(new Case(reduce, operands, shifts, launches));
    }

    private Tensor random(DType dtype, long... shape) {
        Shape of = Shape.of(shape);
        List<Object> values = new ArrayList<>();
        for (long i = 0; i < of.numel(); i++) {
            values.add(value(dtype));
        }
        return Tensors.fromStorageValues(dtype, Layout.contiguous(of), values);
    }

    /** Of such different sizes that every order of additions has its own bits. */
    private Object value(DType dtype) {
        return switch (dtype) {
            case BOOL -> random.nextInt(50) > 0;
            case FLOAT16 -> (double) random.nextInt(200) / 8 - 10;
            case FLOAT32 -> (double) (float) Math.scalb(random.nextGaussian(), random.nextInt(60) - 30);
            case FLOAT64 -> Math.scalb(random.nextGaussian(), random.nextInt(60) - 30);
            case UINT8 -> (long) random.nextInt(256);
            case INT8 -> (long) random.nextInt(256) - 128;
            case INT16 -> (long) random.nextInt(1 << 16) - (1 << 15);
            case INT32 -> (long) random.nextInt();
            case INT64 -> random.nextLong();
        };
    }

    private static Expr input(Tensor tensor) {
        return Input.of(tensor);
    }

    private static boolean accepts(Reduction reduction, DType dtype) {
        try {
            reduction.resultType(dtype);
            return !reduction.isLogical() || dtype == DType.BOOL;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void runAll() {
        Set<CudaSource> sources = new LinkedHashSet<>();
        cases.forEach(one ->
                one.launches().launches().stream().map(CudaLaunch::source).forEach(sources::add));
        HostCompiler.compileAll(sources);
        List<String> wrong = new ArrayList<>();
        try (KernelRunner runner = new KernelRunner()) {
            for (Case one : cases) {
                byte[] expected = bytes(Devices.backend(Device.CPU).evaluate(one.reduce()));
                byte[] got = one.run(runner, expected.length).result();
                if (!Arrays.equals(got, expected)) {
                    wrong.add(one.toString());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** What lies from a tensor's first element to its last. */
    private static byte[] bytes(Tensor tensor) {
        Layout layout = tensor.layout();
        long elements = tensor.numel() == 0 ? 0 : layout.maxElement() - layout.offset() + 1;
        byte[] bytes = new byte[(int) tensor.dtype().sizeBytes(elements)];
        RawMemory.copy(tensor.address(), bytes, 0, bytes.length);
        Reference.reachabilityFence(tensor);
        return bytes;
    }

    // ---- the tests

    @Test
    void rowsOfAnyLength() {
        for (int length : LENGTHS) {
            for (Reduction reduction :
                    List.of(Reduction.SUM, Reduction.PROD, Reduction.VAR, Reduction.AMAX, Reduction.ARGMIN)) {
                add(reduction, input(random(DType.FLOAT32, 5, length)), 0, -1);
                add(reduction, input(random(DType.FLOAT32, 5, length)), 1, -1);
            }
        }
        runAll();
    }

    @Test
    void everyReductionOfEveryDtype() {
        for (Reduction reduction : Reduction.values()) {
            for (DType dtype : DType.values()) {
                if (accepts(reduction, dtype)) {
                    add(reduction, input(random(dtype, 40, 200)), 0, 1);
                    add(reduction, input(random(dtype, 40, 200)), 0, 0);
                    add(reduction, input(random(dtype, 40, 200)), 0);
                    add(reduction, input(random(dtype, 300, 9)), 0, 1);
                }
            }
        }
        runAll();
    }

    @Test
    void columnsOfAnyLength() {
        for (int length : LENGTHS) {
            for (Reduction reduction :
                    List.of(Reduction.SUM, Reduction.MEAN, Reduction.STD, Reduction.AMIN, Reduction.ARGMAX)) {
                add(reduction, input(random(DType.FLOAT32, length, 10)), 0, 0);
                add(reduction, input(random(DType.FLOAT64, length, 3)), 0, 0);
                add(reduction, input(random(DType.FLOAT32, length)), 0, 0);
            }
        }
        add(Reduction.SUM, input(random(DType.FLOAT32, 1100, 100)), 0, 0);
        add(Reduction.SUM, input(random(DType.FLOAT32, 1100, 101)), 1, 0);
        runAll();
    }

    @Test
    void dimensionsInTheMiddleAndSeveral() {
        for (Reduction reduction : List.of(Reduction.SUM, Reduction.VAR, Reduction.AMAX)) {
            for (int[] dims : new int[][] {
                {0}, {1}, {2}, {3}, {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {0, 1, 2}, {0, 2, 3}, {1, 2, 3}, {}
            }) {
                add(reduction, input(random(DType.FLOAT32, 3, 5, 7, 11)), 0, dims);
                add(reduction, input(random(DType.FLOAT32, 6, 1, 70, 4)), 0, dims);
                add(reduction, input(random(DType.FLOAT32, 1, 12, 8, 64)), 0, dims);
            }
        }
        for (Reduction reduction : List.of(Reduction.ARGMIN, Reduction.ARGMAX)) {
            for (int dim = 0; dim < 4; dim++) {
                add(reduction, input(random(DType.INT8, 3, 5, 70, 11)), 0, dim);
            }
            add(reduction, input(random(DType.INT8, 3, 5, 70, 11)), 0);
        }
        runAll();
    }

    @Test
    void viewsOfAnyStrides() {
        Tensor whole = random(DType.FLOAT32, 60, 20, 90);
        List<Tensor> views = List.of(
                whole.permute(2, 0, 1),
                whole.permute(1, 2, 0),
                whole.slice(2, 1L, 90L, 2),
                whole.slice(1, null, null, 3),
                whole.slice(0, 1L, null, 1),
                whole.select(1, 3).t(),
                whole.narrow(2, 1, 88));
        for (Tensor view : views) {
            for (Reduction reduction : List.of(Reduction.SUM, Reduction.STD, Reduction.ARGMAX)) {
                for (int dim = 0; dim < view.rank(); dim++) {
                    add(reduction, input(view), 0, dim);
                    add(reduction, input(view), 2, dim);
                }
                add(reduction, input(view), 0);
            }
        }
        runAll();
    }

    @Test
    void programsOfBroadcastOperands() {
        Expr x = input(random(DType.FLOAT32, 20, 30, 64));
        Expr row = input(random(DType.FLOAT32, 64));
        Expr column = input(random(DType.FLOAT32, 30, 1));
        Expr plane = input(random(DType.FLOAT16, 20, 1, 64));
        Expr scalar = input(random(DType.FLOAT32));
        Expr distance =
                Expr.apply(Ops.SUB, input(random(DType.FLOAT32, 33, 1, 64)), input(random(DType.FLOAT32, 1, 40, 64)));
        for (int[] dims : new int[][] {{0}, {1}, {2}, {0, 1}, {1, 2}, {}}) {
            for (Reduction reduction : List.of(Reduction.SUM, Reduction.VAR, Reduction.AMIN)) {
                add(reduction, Expr.apply(Ops.MUL, Expr.apply(Ops.SUB, x, row), column), 0, dims);
                add(reduction, Expr.apply(Ops.MUL, Expr.apply(Ops.ADD, plane, scalar), column), 0, dims);
                add(reduction, Expr.apply(Ops.MUL, distance, distance), 0, dims);
            }
        }
        runAll();
    }

    @Test
    void outerProductsInTiles() {
        Expr a = input(random(DType.FLOAT32, 70, 1, 64));
        Expr b = input(random(DType.FLOAT32, 1, 90, 64));
        Expr odd = Expr.apply(Ops.SUB, input(random(DType.FLOAT64, 70, 1, 45)), input(random(DType.FLOAT16, 90, 45)));
        Expr turned = Expr.apply(
                Ops.MUL,
                input(random(DType.FLOAT32, 33, 70).t().unsqueeze(1)),
                input(random(DType.FLOAT32, 33, 90).t()));
        Expr several = Expr.apply(
                Ops.ADD,
                Expr.apply(
                        Ops.MUL,
                        input(random(DType.FLOAT32, 3, 65, 1, 20)),
                        input(random(DType.FLOAT32, 3, 1, 33, 20))),
                Expr.apply(
                        Ops.SUB,
                        input(random(DType.FLOAT32, 20)),
                        Expr.apply(
                                Ops.MUL, input(random(DType.FLOAT32, 65, 1, 1)), input(random(DType.FLOAT32, 33, 1)))));
        Expr bytes = Expr.apply(Ops.SUB, input(random(DType.INT8, 70, 1, 300)), input(random(DType.INT8, 90, 300)));
        for (Reduction reduction : List.of(Reduction.SUM, Reduction.MEAN, Reduction.AMAX, Reduction.ARGMIN)) {
            for (Expr operand : List.of(Expr.apply(Ops.SUB, a, b), odd, turned, several)) {
                add(reduction, operand, 0, operand.shape().rank() - 1);
            }
        }
        add(Reduction.SUM, bytes, 1, 2);
        add(Reduction.PROD, bytes, 0, 2);
        assertThat(cases)
                .allMatch(one -> one.launches().launches().size() == 1
                        && one.launches().launches().get(0).source().text().contains("__shared__"));
        runAll();
    }

    @Test
    void aDivisionByZeroIsTold() {
        Tensor numbers = random(DType.INT32, 5, 100);
        Tensor ones = Tensors.full(Shape.of(100), 1L, DType.INT32);
        Tensor zeroAtEnd = Tensors.full(Shape.of(100), 1L, DType.INT32);
        zeroAtEnd.set(0L, 99);
        add(Reduction.SUM, Expr.apply(Ops.FLOOR_DIVIDE, input(numbers), input(ones)), 0, 1);
        add(Reduction.SUM, Expr.apply(Ops.FLOOR_DIVIDE, input(numbers), input(zeroAtEnd)), 0, 1);
        try (KernelRunner runner = new KernelRunner()) {
            assertThat(cases.get(0).run(runner, 5 * Long.BYTES).error()).isFalse();
            assertThat(cases.get(1).run(runner, 5 * Long.BYTES).error()).isTrue();
        }
    }

    @Test
    void nothingAtAll() {
        for (Reduction reduction : List.of(Reduction.SUM, Reduction.MEAN, Reduction.PROD, Reduction.VAR)) {
            add(reduction, input(random(DType.FLOAT32, 0, 5)), 0, 0);
            add(reduction, input(random(DType.FLOAT32, 5, 0)), 0, 1);
            add(reduction, input(random(DType.FLOAT32, 5, 0)), 0);
            add(reduction, input(random(DType.FLOAT32, 5, 0)), 0, 0);
            add(reduction, input(random(DType.FLOAT32, 3, 0, 4)), 0, 0, 1);
        }
        add(Reduction.SUM, input(random(DType.FLOAT32)), 0);
        add(Reduction.STD, input(random(DType.FLOAT32)), 0);
        add(Reduction.ANY, input(random(DType.BOOL, 0, 5)), 0, 0);
        add(Reduction.ALL, input(random(DType.BOOL, 0, 5)), 0, 0);
        runAll();
    }

    @Test
    void specialValues() {
        double[] values = {0.0, -0.0, 1.5, -2.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
            for (int kind = 0; kind < 4; kind++) {
                List<Object> chosen = new ArrayList<>();
                for (int i = 0; i < 40 * 70; i++) {
                    chosen.add(values[random.nextInt(kind == 0 ? 2 : kind == 1 ? 4 : kind == 2 ? 5 : 7)]);
                }
                Tensor tensor = Tensors.fromStorageValues(dtype, Layout.contiguous(Shape.of(40, 70)), chosen);
                for (Reduction reduction : Reduction.values()) {
                    if (accepts(reduction, dtype)) {
                        add(reduction, input(tensor), 0, 0);
                        add(reduction, input(tensor), 0, 1);
                    }
                }
            }
        }
        runAll();
    }
}
