package io.github.broadloom.cpu.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JavaRendererTest {
    private static Expr input(DType dtype, long... shape) {
        return Input.of(new Object(), dtype, Shape.of(shape));
    }

    private static Expr apply(String op, Object... args) {
        Expr[] exprs = Arrays.stream(args)
                .map(arg -> arg instanceof Expr expr ? expr : Expr.literal(arg))
                .toArray(Expr[]::new);
        return Expr.apply(Op.of(op), exprs);
    }

    private static String render(Expr expr) {
        return JavaRenderer.render(PointwiseProgram.of(expr).spec());
    }

    @Test
    void aKernelReadsAsAPersonWouldHaveWrittenIt() {
        Expr x = input(DType.FLOAT32, 8, 3);
        Expr m = input(DType.FLOAT32, 3);
        Expr s = input(DType.FLOAT64);
        Expr expr = apply("add", apply("div", apply("sub", x, m), s), apply("mul", x, 0.1));
        assertThat(render(expr)).isEqualTo("""
                package io.github.broadloom.kernel;

                import io.github.broadloom.cpu.code.TileKernel;
                import java.util.List;

                public final class Kernel implements TileKernel {
                    private float n0;

                    public void run(Object[] in, Object result, int rows, int columns) {
                        float n0 = this.n0;
                        float[] in0 = (float[]) in[0];
                        float[] in1 = (float[]) in[1];
                        double v3 = ((double[]) in[2])[0];
                        float v4 = (float) v3;
                        float[] out = (float[]) result;
                        int n = rows * columns;
                        for (int i = 0; i < n; i++) {
                            float v0 = in0[i];
                            float v1 = in1[i];
                            float v2 = (v0 - v1);
                            float v5 = (v2 / v4);
                            float v7 = (v0 * n0);
                            float v8 = (v5 + v7);
                            out[i] = v8;
                        }
                    }

                    public TileKernel fresh(List numbers) {
                        Kernel kernel = new Kernel();
                        kernel.set(numbers);
                        return kernel;
                    }

                    private void set(List numbers) {
                        n0 = ((Number) numbers.get(0)).floatValue();
                    }
                }
                """);
    }

    @Test
    void whatTheCompilerDoesNotVectoriseIsCalledBetweenLoops() {
        Expr x = input(DType.FLOAT32, 8, 3);
        Expr m = input(DType.FLOAT32, 3);
        Expr sum = apply("add", apply("tanh", apply("sub", x, m)), apply("exp", x));
        assertThat(render(apply("where", apply("gt", x, m), sum, 0.1))).isEqualTo("""
                package io.github.broadloom.kernel;

                import io.github.broadloom.cpu.code.TileKernel;
                import io.github.broadloom.cpu.code.Tiles;
                import io.github.broadloom.cpu.simd.Simd;
                import java.util.List;

                public final class Kernel implements TileKernel {
                    private float n0;
                    private final float[] t0 = new float[CAPACITY];
                    private final float[] t1 = new float[CAPACITY];
                    private final float[] t2 = new float[CAPACITY];
                    private float[] c7;

                    public void run(Object[] in, Object result, int rows, int columns) {
                        int n = rows * columns;
                        part0(in, result, rows, columns);
                        Simd.tanh(t0, t0, n);
                        Simd.exp((float[]) in[0], t1, n);
                        part3(in, result, rows, columns);
                        Simd.whereLt((float[]) in[1], (float[]) in[0], t2, c7, (float[]) result, n);
                    }

                    private void part0(Object[] in, Object result, int rows, int columns) {
                        float[] in0 = (float[]) in[0];
                        float[] in1 = (float[]) in[1];
                        float[] w3 = t0;
                        int n = rows * columns;
                        for (int i = 0; i < n; i++) {
                            float v0 = in0[i];
                            float v1 = in1[i];
                            float v3 = (v0 - v1);
                            w3[i] = v3;
                        }
                    }

                    private void part3(Object[] in, Object result, int rows, int columns) {
                        float[] w4 = t0;
                        float[] w5 = t1;
                        float[] w6 = t2;
                        int n = rows * columns;
                        for (int i = 0; i < n; i++) {
                            float v4 = w4[i];
                            float v5 = w5[i];
                            float v6 = (v4 + v5);
                            w6[i] = v6;
                        }
                    }

                    public TileKernel fresh(List numbers) {
                        Kernel kernel = new Kernel();
                        kernel.set(numbers);
                        return kernel;
                    }

                    private void set(List numbers) {
                        n0 = ((Number) numbers.get(0)).floatValue();
                        c7 = Tiles.repeated(n0);
                    }
                }
                """);
    }

    @Test
    void aChoiceByAComparisonOfFloatsIsOneCall() {
        Expr x = input(DType.FLOAT32, 8);
        Expr y = input(DType.FLOAT32, 8);
        assertThat(render(apply("where", apply("ge", x, y), x, 1.0)))
                .contains("Simd.whereLe((float[]) in[1], (float[]) in[0], (float[]) in[0], c")
                .doesNotContain("Simd.where(");
        Expr i = input(DType.INT32, 8);
        assertThat(render(apply("where", apply("ge", i, input(DType.INT32, 8)), x, y)))
                .contains("Simd.le(", "Simd.where(");
    }

    @Test
    void whatARowRepeatsIsReadWhereItChanges() {
        Expr x = input(DType.FLOAT32, 2, 3);
        Expr expr = apply("add", apply("mul", x, input(DType.FLOAT32, 2, 1)), x);
        KernelSpec spec = PointwiseProgram.of(expr).spec().over(List.of(Access.VARYING, Access.ROW));
        assertThat(JavaRenderer.render(spec)).contains("""
                        for (int r = 0; r < rows; r++) {
                            float v1 = in1[r];
                            int start = r * columns;
                            for (int c = 0; c < columns; c++) {
                                int i = start + c;
                                float v0 = in0[i];
                                float v2 = (v0 * v1);
                                float v3 = (v2 + v0);
                """);
        float[] result = new float[6];
        Object[] operands = {new float[] {1, 2, 3, 4, 5, 6}, new float[] {10, 100}};
        JavaRenderer.compile(spec).fresh(List.of()).run(operands, result, 2, 3);
        assertThat(result).containsExactly(11, 22, 33, 404, 505, 606);
    }

    @Test
    void narrowNumbersAreWidenedAndNarrowedByCalls() {
        Expr bytes = input(DType.UINT8, 4);
        assertThat(render(apply("add", bytes, bytes)))
                .contains("Casts.uint8ToInt32((byte[]) in[0], t0, n);")
                .contains("int v2 = ((v1 + v1)) & 0xff;")
                .contains("Casts.int32ToInt8(t1, (byte[]) result, n);");
        assertThat(render(apply("div", Expr.cast(bytes, DType.FLOAT32), 255)))
                .contains("Casts.uint8ToFloat32((byte[]) in[0], t0, n);")
                .doesNotContain("uint8ToInt32");
    }

    @Test
    void halvesAreRoundedAfterEveryOperationButOnceOnTheWayToTheResult() {
        Expr halves = input(DType.FLOAT16, 4);
        Expr product = apply("mul", halves, halves);
        assertThat(render(product))
                .contains("Casts.float16ToFloat32((short[]) in[0]", "Casts.float32ToFloat16(t1, (short[]) result, n);")
                .doesNotContain("round");
        assertThat(render(apply("add", product, halves))).containsOnlyOnce("Casts.roundToFloat16(");
        Expr choice = apply("where", input(DType.BOOL, 4), product, apply("neg", apply("sub", halves, product)));
        assertThat(render(choice)).containsOnlyOnce("Casts.roundToFloat16(").contains("Simd.where(");
        assertThat(render(apply("maximum", halves, 0))).doesNotContain("round");
    }

    @Test
    void whatARowRepeatsIsComputedOncePerRow() {
        Expr x = input(DType.FLOAT32, 2, 3);
        Expr row = input(DType.FLOAT32, 2, 1);
        Expr expr = apply("mul", x, apply("exp", apply("neg", row)));
        KernelSpec spec = PointwiseProgram.of(expr).spec().over(List.of(Access.VARYING, Access.ROW));
        assertThat(JavaRenderer.render(spec)).contains("Simd.exp(t0, t0, rows);");
        float[] result = new float[6];
        JavaRenderer.compile(spec)
                .fresh(List.of())
                .run(new Object[] {new float[] {1, 2, 3, 4, 5, 6}, new float[] {0, -1}}, result, 2, 3);
        float e = (float) Math.E;
        assertThat(result).containsExactly(1, 2, 3, 4 * e, 5 * e, 6 * e);
    }

    @Test
    void equalValuesAreComputedOnce() {
        Expr x = input(DType.FLOAT32, 4);
        Expr expr = apply("add", apply("exp", x), apply("exp", x));
        assertThat(render(expr)).containsOnlyOnce("Simd.exp");
    }

    @Test
    void aLongProgramIsCutIntoLoopsWithTilesBetweenThem() {
        Expr x = input(DType.FLOAT32, 4);
        Expr expr = x;
        for (int i = 0; i < 2 * Schedule.STEPS_PER_LOOP + 1; i++) {
            expr = apply("sqrt", expr);
        }
        assertThat(render(expr))
                .contains("private final float[] t1 = new float[CAPACITY];", "part0(in, result, rows, columns);")
                .contains("private void part2(", "float v64 = w64[i];")
                .doesNotContain("part3");
    }

    @Test
    void tilesAreUsedAgain() {
        Expr expr = input(DType.FLOAT32, 4);
        for (int i = 0; i < 20; i++) {
            expr = apply("exp", apply("neg", expr));
        }
        assertThat(render(expr)).contains("float[] t1 =").doesNotContain("float[] t2 =");
    }

    @Test
    void aSpecificationIsEqualWhereDtypesAndProgramAre() {
        Expr one = apply("add", input(DType.FLOAT32, 4), 1);
        Expr other = apply("add", input(DType.FLOAT32, 5, 6), 1);
        Expr wider = apply("add", input(DType.FLOAT64, 4), 1);
        KernelSpec spec = PointwiseProgram.of(one).spec();
        assertThat(PointwiseProgram.of(other).spec()).isEqualTo(spec).hasSameHashCodeAs(spec);
        assertThat(PointwiseProgram.of(wider).spec()).isNotEqualTo(spec);
    }
}
