package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import io.github.broadloom.cuda.HostCompiler;
import io.github.broadloom.cuda.KernelRunner;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * Every way through memory on every dtype: odd sizes, views, buffers that are not aligned, and iterations cut into pieces, against the
 * CPU's bits. The stand-in driver sees loads and stores outside the buffers, and what no thread stores stays poison.
 */
@WithFakeGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PathsTest {
    /** Far below the sizes here, so that loops are cut. */
    private static final long INDEX_LIMIT = 300;

    private static final int[] SHIFTS = {0, 1, 4};

    private KernelRunner runner;

    @BeforeAll
    void compileAllAtOnce() {
        runner = new KernelRunner();
        List<CudaSource> sources = new ArrayList<>();
        cases().forEach(one -> one.kernels().forEach(kernel -> sources.add(kernel.source())));
        HostCompiler.compileAll(sources);
    }

    @AfterAll
    void close() {
        runner.close();
    }

    /** An expression, made when it is asked for, since JUnit keeps the cases; and the layout of its result. */
    private record Case(String name, DType dtype, Function<DType, Expr> make, Function<Shape, Layout> output) {
        Stream<GeneratedKernel> kernels() {
            Expr expr = make.apply(dtype);
            Layout layout = output.apply(expr.shape());
            Stream<GeneratedKernel> whole = IntStream.of(SHIFTS)
                    .mapToObj(shift -> GeneratedKernel.of(expr, layout, shift, GeneratedKernel.NO_LIMIT));
            return Stream.concat(whole, Stream.of(GeneratedKernel.of(expr, layout, 0, INDEX_LIMIT)));
        }

        @Override
        public String toString() {
            return dtype + " " + name;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(DType.values()).flatMap(dtype -> {
            List<Case> cases = new ArrayList<>();
            shapes().forEach((name, make) -> cases.add(new Case(name, dtype, make, Layout::contiguous)));
            Function<DType, Expr> odd = any -> sum(tensor(any, 19, 23), tensor(any, 19, 1));
            cases.add(new Case(
                    "result with gaps",
                    dtype,
                    odd,
                    shape -> Layout.contiguous(Shape.of(19, 46)).slice(1, 0L, null, 2)));
            cases.add(new Case(
                    "result the other way",
                    dtype,
                    odd,
                    shape -> Layout.contiguous(Shape.of(23, 19)).t()));
            Function<DType, Expr> even = any -> sum(tensor(any, 19, 24), tensor(any, 24));
            cases.add(new Case(
                    "result in rows",
                    dtype,
                    even,
                    shape -> Layout.contiguous(Shape.of(19, 32)).narrow(1, 0, 24)));
            return cases.stream();
        });
    }

    private static Map<String, Function<DType, Expr>> shapes() {
        Map<String, Function<DType, Expr>> shapes = new LinkedHashMap<>();
        shapes.put("contiguous", dtype -> sum(tensor(dtype, 1031), tensor(dtype, 1031)));
        shapes.put("one element", dtype -> sum(tensor(dtype, 1), tensor(dtype, 1)));
        shapes.put("zero dimensions", dtype -> sum(tensor(dtype), tensor(dtype)));
        shapes.put("a constant", dtype -> sum(tensor(dtype, 263), tensor(dtype, 1)));
        shapes.put("rows", dtype -> sum(tensor(dtype, 37, 64), tensor(dtype, 37, 1)));
        shapes.put("columns", dtype -> sum(tensor(dtype, 37, 64), tensor(dtype, 64)));
        shapes.put("channels", dtype -> sum(tensor(dtype, 3, 5, 8, 16), tensor(dtype, 5, 1, 1)));
        shapes.put("outer product", dtype -> sum(tensor(dtype, 67, 1), tensor(dtype, 32)));
        shapes.put("odd rows", dtype -> sum(tensor(dtype, 37, 31), tensor(dtype, 37, 1)));
        shapes.put(
                "odd outer product",
                dtype -> sum(tensor(dtype, 13, 1, 1), sum(tensor(dtype, 5, 1), tensor(dtype, 31))));
        for (int inner = 2; inner <= 6; inner++) {
            int size = inner;
            shapes.put("colours of " + inner, dtype -> sum(tensor(dtype, 333, size), tensor(dtype, size)));
            shapes.put("planes of " + inner, dtype -> sum(tensor(dtype, 3, 111, size), tensor(dtype, 3, 1, size)));
        }
        shapes.put(
                "every other",
                dtype -> sum(tensor(dtype, 50, 40).view(view -> view.slice(1, 1L, null, 2)), tensor(dtype, 20)));
        shapes.put(
                "narrowed",
                dtype -> sum(tensor(dtype, 20, 48).view(view -> view.narrow(1, 3, 33)), tensor(dtype, 20, 1)));
        shapes.put(
                "narrowed by packets",
                dtype -> sum(tensor(dtype, 20, 96).view(view -> view.narrow(1, 16, 64)), tensor(dtype, 64)));
        shapes.put("transposed", dtype -> sum(tensor(dtype, 70, 133).view(Layout::t), tensor(dtype, 133, 70)));
        shapes.put(
                "both transposed",
                dtype -> sum(
                        tensor(dtype, 130, 64).view(Layout::t),
                        tensor(dtype, 130, 64).view(Layout::t)));
        shapes.put("transposed and rows", dtype -> sum(tensor(dtype, 64, 128).view(Layout::t), tensor(dtype, 128, 1)));
        shapes.put(
                "transposed stacks",
                dtype -> sum(tensor(dtype, 3, 2, 35, 70).view(view -> view.transpose(2, 3)), tensor(dtype, 2, 1, 35)));
        shapes.put(
                "channels last",
                dtype -> sum(
                        tensor(dtype, 2, 17, 19, 18).view(view -> view.permute(0, 3, 1, 2)), tensor(dtype, 18, 1, 1)));
        shapes.put("transposed in words", dtype -> sum(tensor(dtype, 132, 76).view(Layout::t), tensor(dtype, 76, 132)));
        shapes.put(
                "stacks transposed in words",
                dtype -> sum(tensor(dtype, 2, 20, 136).view(view -> view.transpose(1, 2)), tensor(dtype, 136, 1)));
        shapes.put("small transposed", dtype -> sum(tensor(dtype, 5, 90).view(Layout::t), tensor(dtype, 5)));
        shapes.put(
                "reversed dimensions",
                dtype -> sum(tensor(dtype, 7, 9, 11).view(view -> view.permute(2, 1, 0)), tensor(dtype, 9, 1)));
        return shapes;
    }

    /** The sum; of bools, whether they differ. */
    private static Expr sum(Named a, Named b) {
        return sum(a.expr(), b.expr());
    }

    private static Expr sum(Named a, Expr b) {
        return sum(a.expr(), b);
    }

    private static Expr sum(Expr a, Expr b) {
        return Expr.apply(a.dtype() == DType.BOOL ? Ops.BITWISE_XOR : Ops.ADD, a, b);
    }

    /** A tensor, to be viewed otherwise. */
    private record Named(Tensor tensor) {
        Expr expr() {
            return Input.of(tensor);
        }

        Named view(Function<Layout, Layout> view) {
            return new Named(Tensor.of(tensor.dtype(), view.apply(tensor.layout()), tensor.storage()));
        }
    }

    private static Named tensor(DType dtype, long... shape) {
        Layout layout = Layout.contiguous(Shape.of(shape));
        List<Object> some = Values.of(dtype, false);
        List<Object> values = new ArrayList<>();
        for (long i = 0; i < layout.shape().numel(); i++) {
            values.add(some.get((int) (i * 7 % some.size())));
        }
        return new Named(Tensors.fromStorageValues(dtype, layout, values));
    }

    @SomeOf(value = "cases", oneIn = 3)
    void theResultHasTheBitsOfTheCpu(Case one) {
        List<Object> expected = Devices.backend(Device.CPU)
                .evaluate(one.make().apply(one.dtype()))
                .values();
        one.kernels()
                .forEach(kernel -> assertThat(kernel.run(runner).values())
                        .as(() -> kernel.launches().size() + " launches of "
                                + kernel.source().text())
                        .isEqualTo(expected));
    }
}
