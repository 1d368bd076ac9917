package io.github.broadloom.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.codegen.KernelSpec.Access;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Op;
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
        Expr centred = apply("sub", x, m);
        Expr expr = apply("where", apply("gt", x, m), apply("div", centred, s), apply("mul", x, 0.1));
        assertThat(render(expr)).isEqualTo("""
                package io.github.broadloom.kernel;

                import io.github.broadloom.codegen.TileKernel;

                public final class Kernel implements TileKernel {
                    public void run(Object[] in, Object result, int rows, int columns) {
                        float[] in0 = (float[]) in[0];
                        float[] in1 = (float[]) in[1];
                        double v4 = ((double[]) in[2])[0];
                        float[] out = (float[]) result;
                        int n = rows * columns;
                        for (int i = 0; i < n; i++) {
                            float v0 = in0[i];
                            float v1 = in1[i];
                            boolean v2 = (v0 > v1);
                            float v3 = (v0 - v1);
                            float v5 = (float) v4;
                            float v6 = (v3 / v5);
                            float v8 = (v0 * 0.1f);
                            float v9 = (v2 ? v6 : v8);
                            out[i] = v9;
                        }
                    }

                    public TileKernel fresh() {
                        return new Kernel();
                    }
                }
                """);
    }

    @Test
    void whatARowOrAColumnRepeatsIsReadWhereItChanges() {
        Expr x = input(DType.FLOAT32, 2, 3);
        Expr expr = apply("add", apply("mul", x, input(DType.FLOAT32, 2, 1)), input(DType.FLOAT32, 3));
        KernelSpec spec = PointwiseProgram.of(expr).spec().over(List.of(Access.VARYING, Access.ROW, Access.COLUMN));
        assertThat(JavaRenderer.render(spec)).contains("""
                        for (int r = 0; r < rows; r++) {
                            float v1 = in1[r];
                            int start = r * columns;
                            for (int c = 0; c < columns; c++) {
                                int i = start + c;
                                float v0 = in0[i];
                                float v2 = (v0 * v1);
                                float v3 = in2[c];
                """);
        float[] result = new float[6];
        Object[] operands = {new float[] {1, 2, 3, 4, 5, 6}, new float[] {10, 100}, new float[] {.1f, .2f, .3f}};
        KernelCompiler.pointwise(spec).run(operands, result, 2, 3);
        assertThat(result).containsExactly(10.1f, 20.2f, 30.3f, 400.1f, 500.2f, 600.3f);
    }

    @Test
    void narrowResultsWrapAndHalvesAreRounded() {
        Expr bytes = input(DType.UINT8, 4);
        Expr halves = input(DType.FLOAT16, 4);
        assertThat(render(apply("add", bytes, bytes)))
                .contains("int v0 = in0[i] & 0xff;", "int v1 = ((v0 + v0)) & 0xff;", "out[i] = (byte) v1;");
        assertThat(render(apply("mul", halves, halves)))
                .contains("Float16.toFloat(in0[i])", "Conversions.roundToHalf(", "out[i] = Float16.fromFloat(");
    }

    @Test
    void equalValuesAreComputedOnce() {
        Expr x = input(DType.FLOAT32, 4);
        Expr expr = apply("add", apply("exp", x), apply("exp", x));
        assertThat(render(expr)).containsOnlyOnce("Math.exp");
    }

    @Test
    void aLongProgramIsCutIntoLoopsWithTilesBetweenThem() {
        Expr x = input(DType.FLOAT32, 4);
        Expr expr = x;
        for (int i = 0; i < 2 * JavaRenderer.STEPS_PER_LOOP; i++) {
            expr = apply("sin", expr);
        }
        assertThat(render(expr))
                .contains(
                        "private final float[] t63 = new float[CAPACITY];",
                        "part0(in, result, rows, columns);",
                        "float v64 = ")
                .contains("private void part2(", "w63[i]");
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
