package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every reduction on the stand-in GPU has the bits that it has on the CPU. */
@WithFakeGpu
class ReductionKernelsTest {
    private static final int[] LENGTHS = {1, 2, 3, 31, 32, 33, 127, 128, 129, 1000, 4095, 4096, 4097, 70001};

    private final ReductionCases cases = new ReductionCases(6);

    @Test
    void rowsOfAnyLength() {
        for (int length : LENGTHS) {
            for (Reduction reduction :
                    List.of(Reduction.SUM, Reduction.PROD, Reduction.VAR, Reduction.AMAX, Reduction.ARGMIN)) {
                cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 5, length)), 0, -1);
                cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 5, length)), 1, -1);
            }
        }
        cases.runAll();
    }

    @Test
    void everyReductionOfEveryDtype() {
        for (Reduction reduction : Reduction.values()) {
            for (DType dtype : DType.values()) {
                if (ReductionCases.accepts(reduction, dtype)) {
                    cases.add(reduction, Input.of(cases.random(dtype, 40, 200)), 0, 1);
                    cases.add(reduction, Input.of(cases.random(dtype, 40, 200)), 0, 0);
                    cases.add(reduction, Input.of(cases.random(dtype, 40, 200)), 0);
                    cases.add(reduction, Input.of(cases.random(dtype, 300, 9)), 0, 1);
                }
            }
        }
        cases.runAll();
    }

    @Test
    void columnsOfAnyLength() {
        for (int length : LENGTHS) {
            for (Reduction reduction :
                    List.of(Reduction.SUM, Reduction.MEAN, Reduction.STD, Reduction.AMIN, Reduction.ARGMAX)) {
                cases.add(reduction, Input.of(cases.random(DType.FLOAT32, length, 10)), 0, 0);
                cases.add(reduction, Input.of(cases.random(DType.FLOAT64, length, 3)), 0, 0);
                cases.add(reduction, Input.of(cases.random(DType.FLOAT32, length)), 0, 0);
            }
        }
        cases.add(Reduction.SUM, Input.of(cases.random(DType.FLOAT32, 1100, 100)), 0, 0);
        cases.add(Reduction.SUM, Input.of(cases.random(DType.FLOAT32, 1100, 101)), 1, 0);
        cases.runAll();
    }

    @Test
    void dimensionsInTheMiddleAndSeveral() {
        for (Reduction reduction : List.of(Reduction.SUM, Reduction.VAR, Reduction.AMAX)) {
            for (int[] dims : new int[][] {
                {0}, {1}, {2}, {3}, {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {0, 1, 2}, {0, 2, 3}, {1, 2, 3}, {}
            }) {
                cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 3, 5, 7, 11)), 0, dims);
                cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 6, 1, 70, 4)), 0, dims);
                cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 1, 12, 8, 64)), 0, dims);
            }
        }
        for (Reduction reduction : List.of(Reduction.ARGMIN, Reduction.ARGMAX)) {
            for (int dim = 0; dim < 4; dim++) {
                cases.add(reduction, Input.of(cases.random(DType.INT8, 3, 5, 70, 11)), 0, dim);
            }
            cases.add(reduction, Input.of(cases.random(DType.INT8, 3, 5, 70, 11)), 0);
        }
        cases.runAll();
    }

    @Test
    void viewsOfAnyStrides() {
        Tensor whole = cases.random(DType.FLOAT32, 60, 20, 90);
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
                    cases.add(reduction, Input.of(view), 0, dim);
                    cases.add(reduction, Input.of(view), 2, dim);
                }
                cases.add(reduction, Input.of(view), 0);
            }
        }
        cases.runAll();
    }

    @Test
    void programsOfBroadcastOperands() {
        Expr x = Input.of(cases.random(DType.FLOAT32, 20, 30, 64));
        Expr row = Input.of(cases.random(DType.FLOAT32, 64));
        Expr column = Input.of(cases.random(DType.FLOAT32, 30, 1));
        Expr plane = Input.of(cases.random(DType.FLOAT16, 20, 1, 64));
        Expr scalar = Input.of(cases.random(DType.FLOAT32));
        Expr distance = Expr.apply(
                Ops.SUB,
                Input.of(cases.random(DType.FLOAT32, 33, 1, 64)),
                Input.of(cases.random(DType.FLOAT32, 1, 40, 64)));
        for (int[] dims : new int[][] {{0}, {1}, {2}, {0, 1}, {1, 2}, {}}) {
            for (Reduction reduction : List.of(Reduction.SUM, Reduction.VAR, Reduction.AMIN)) {
                cases.add(reduction, Expr.apply(Ops.MUL, Expr.apply(Ops.SUB, x, row), column), 0, dims);
                cases.add(reduction, Expr.apply(Ops.MUL, Expr.apply(Ops.ADD, plane, scalar), column), 0, dims);
                cases.add(reduction, Expr.apply(Ops.MUL, distance, distance), 0, dims);
            }
        }
        cases.runAll();
    }

    @Test
    void outerProductsInTiles() {
        Expr a = Input.of(cases.random(DType.FLOAT32, 70, 1, 64));
        Expr b = Input.of(cases.random(DType.FLOAT32, 1, 90, 64));
        Expr odd = Expr.apply(
                Ops.SUB,
                Input.of(cases.random(DType.FLOAT64, 70, 1, 45)),
                Input.of(cases.random(DType.FLOAT16, 90, 45)));
        Expr turned = Expr.apply(
                Ops.MUL,
                Input.of(cases.random(DType.FLOAT32, 33, 70).t().unsqueeze(1)),
                Input.of(cases.random(DType.FLOAT32, 33, 90).t()));
        Expr several = Expr.apply(
                Ops.ADD,
                Expr.apply(
                        Ops.MUL,
                        Input.of(cases.random(DType.FLOAT32, 3, 65, 1, 20)),
                        Input.of(cases.random(DType.FLOAT32, 3, 1, 33, 20))),
                Expr.apply(
                        Ops.SUB,
                        Input.of(cases.random(DType.FLOAT32, 20)),
                        Expr.apply(
                                Ops.MUL,
                                Input.of(cases.random(DType.FLOAT32, 65, 1, 1)),
                                Input.of(cases.random(DType.FLOAT32, 33, 1)))));
        Expr bytes = Expr.apply(
                Ops.SUB, Input.of(cases.random(DType.INT8, 70, 1, 300)), Input.of(cases.random(DType.INT8, 90, 300)));
        Expr longLines = Expr.apply(
                Ops.SUB,
                Input.of(cases.random(DType.FLOAT32, 70, 1, 1111)),
                Input.of(cases.random(DType.FLOAT32, 60, 1111)));
        Expr six = ExprParser.parse(
                "(a - b) * (c - d) * (e - f)",
                Map.of(
                        "a", Input.of(cases.random(DType.FLOAT64, 65, 1, 45)),
                        "b", Input.of(cases.random(DType.FLOAT64, 65, 45)),
                        "c", Input.of(cases.random(DType.FLOAT64, 65, 1, 45)),
                        "d", Input.of(cases.random(DType.FLOAT64, 65, 45)),
                        "e", Input.of(cases.random(DType.FLOAT64, 65, 1, 45)),
                        "f", Input.of(cases.random(DType.FLOAT64, 65, 45))));
        for (Reduction reduction : List.of(Reduction.SUM, Reduction.MEAN, Reduction.AMAX, Reduction.ARGMIN)) {
            for (Expr operand : List.of(Expr.apply(Ops.SUB, a, b), odd, turned, several, longLines, six)) {
                cases.add(reduction, operand, 0, operand.shape().rank() - 1);
            }
        }
        cases.add(Reduction.SUM, bytes, 1, 2);
        cases.add(Reduction.PROD, bytes, 0, 2);
        for (int length : new int[] {7, 8, 31, 33, 512, 513, 1023, 2055}) {
            Expr x = Input.of(cases.random(DType.FLOAT32, 64, 1, length));
            cases.add(Reduction.SUM, Expr.apply(Ops.MUL, x, Input.of(cases.random(DType.FLOAT32, 64, length))), 0, 2);
        }
        assertThat(cases.all())
                .allMatch(one -> one.launches().launches().size() == 1
                        && one.launches().launches().get(0).source().text().contains("__shared__"));
        cases.runAll();
    }

    @Test
    void aDivisionByZeroIsTold() {
        Tensor numbers = cases.random(DType.INT32, 5, 100);
        Tensor ones = Tensors.full(Shape.of(100), 1L, DType.INT32);
        Tensor zeroAtEnd = Tensors.full(Shape.of(100), 1L, DType.INT32);
        zeroAtEnd.set(0L, 99);
        cases.add(Reduction.SUM, Expr.apply(Ops.FLOOR_DIVIDE, Input.of(numbers), Input.of(ones)), 0, 1);
        cases.add(Reduction.SUM, Expr.apply(Ops.FLOOR_DIVIDE, Input.of(numbers), Input.of(zeroAtEnd)), 0, 1);
        try (KernelRunner runner = new KernelRunner()) {
            assertThat(cases.all().get(0).run(runner, 5 * Long.BYTES).error()).isFalse();
            assertThat(cases.all().get(1).run(runner, 5 * Long.BYTES).error()).isTrue();
        }
    }

    @Test
    void nothingAtAll() {
        for (Reduction reduction : List.of(Reduction.SUM, Reduction.MEAN, Reduction.PROD, Reduction.VAR)) {
            cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 0, 5)), 0, 0);
            cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 5, 0)), 0, 1);
            cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 5, 0)), 0);
            cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 5, 0)), 0, 0);
            cases.add(reduction, Input.of(cases.random(DType.FLOAT32, 3, 0, 4)), 0, 0, 1);
        }
        cases.add(Reduction.SUM, Input.of(cases.random(DType.FLOAT32)), 0);
        cases.add(Reduction.STD, Input.of(cases.random(DType.FLOAT32)), 0);
        cases.add(Reduction.ANY, Input.of(cases.random(DType.BOOL, 0, 5)), 0, 0);
        cases.add(Reduction.ALL, Input.of(cases.random(DType.BOOL, 0, 5)), 0, 0);
        cases.runAll();
    }

    @Test
    void specialValues() {
        double[] values = {0.0, -0.0, 1.5, -2.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
            for (int kind = 0; kind < 4; kind++) {
                List<Object> chosen = new ArrayList<>();
                for (int i = 0; i < 40 * 70; i++) {
                    chosen.add(values[cases.random().nextInt(kind == 0 ? 2 : kind == 1 ? 4 : kind == 2 ? 5 : 7)]);
                }
                Tensor tensor = Tensors.fromStorageValues(dtype, Layout.contiguous(Shape.of(40, 70)), chosen);
                for (Reduction reduction : Reduction.values()) {
                    if (ReductionCases.accepts(reduction, dtype)) {
                        cases.add(reduction, Input.of(tensor), 0, 0);
                        cases.add(reduction, Input.of(tensor), 0, 1);
                    }
                }
            }
        }
        cases.runAll();
    }
}
