package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.KernelSpec.Constant;
import io.github.broadloom.kernels.KernelSpec.Convert;
import io.github.broadloom.kernels.KernelSpec.Load;
import io.github.broadloom.kernels.KernelSpec.Operation;
import io.github.broadloom.kernels.KernelSpec.Step;
import java.util.List;

/**
 * Writes a {@link KernelSpec} and a reduction as a {@link FoldKernel} on the Vector API. C2 does not vectorise a fold, nor
 * the widening of float32 to float64 on JDK 17.
 *
 * <p>C2 shares the profile of the API's methods between all their callers. Where they have seen vectors of floats of several sizes,
 * it boxes vectors: a kernel then takes two to ten times as long. So all vectors of floats have the size of those of
 * {@link io.github.broadloom.cpu.simd}. Where they are widened and one of doubles has fewer lanes, only so many of theirs count.
 *
 * <p>Sums are added as {@code x * 1 + y}, which is {@code x + y} to the last bit: additions wait for the units that subtract and
 * convert, fused ones do not, so it takes a fifth less time.
 */
public final class FoldKernelRenderer {
    private static final String CLASS_NAME = "io.github.broadloom.kernel.FoldedKernel";

    /** The group is written out in full, and C2 inlines only so much. */
    private static final int MOST_STEPS = 12;

    private static final String CLASS = """
            package io.github.broadloom.kernel;

            import io.github.broadloom.cpu.code.FoldKernel;
            import java.util.List;
            import jdk.incubator.vector.DoubleVector;
            import jdk.incubator.vector.FloatVector;
            import jdk.incubator.vector.VectorOperators;
            import jdk.incubator.vector.VectorSpecies;

            public final class FoldedKernel implements FoldKernel {
                private static final VectorSpecies D = DoubleVector.SPECIES_PREFERRED;
                private static final VectorSpecies F = D.length() > 4 ? FloatVector.SPECIES_256 : FloatVector.SPECIES_PREFERRED;
                private static final int LANES = COUNTING.length();
            NUMBERS

                public void fold(Object[] in, int rows, int columns, Object result) {
            ARRAYS
            RESULT
                    int r = 0;
                    for (; r + 8 <= rows; r += 8) {
            ROWS
                        for (int c = 0; c < columns; c += LANES) {
                            int at = r * columns + c * 8;
            GROUP
                        }
                    }
            REST
                }

                public int lanes() {
                    return LANES;
                }

                public void row(Object[] in, int r, int columns, float[] out) {
            ARRAYS
            ROW
                    for (int c = 0; c < columns; c += LANES) {
                        int at = (r & -8) * columns + c * 8 + (r & 7) * LANES;
            VALUE
                        v.intoArray(out, c);
                    }
                }

            WITH
            }
            """;

    private static final String SUMS = """
                    double[] out = (double[]) result;
                    DoubleVector one = DoubleVector.broadcast(D, 1.0);
            """;

    /** As many trees end with a group as its number has ones at the end. */
    private static final String JOINS = """
                        int joins = Integer.numberOfTrailingZeros(~(r / 8));
            """;

    private static final String JOINED = """
            for (int level = 0; level < joins; level++) {
                s0 = DoubleVector.fromArray(D, out, level * columns + c).fma(one, s0);
            }
            s0.intoArray(out, joins * columns + c);
            """;

    private final KernelSpec spec;
    private final boolean sums;
    private final String join;

    private FoldKernelRenderer(KernelSpec spec, Reduction reduction) {
        this.spec = spec;
        this.sums = reduction.isSum();
        this.join = sums ? "fma" : reduction == Reduction.AMAX ? "max" : "min";
    }

    /** Whether there is such a kernel: of float32 alone, of few steps that are operations on vectors. */
    public static boolean supports(KernelSpec spec, Reduction reduction) {
        boolean folds = reduction.isSum() || reduction == Reduction.AMAX || reduction == Reduction.AMIN;
        return folds
                && spec.steps().size() <= MOST_STEPS
                && spec.operands().stream().allMatch(operand -> operand.dtype() == DType.FLOAT32)
                && spec.steps().stream().allMatch(FoldKernelRenderer::isVector);
    }

    private static boolean isVector(Step step) {
        if (step instanceof Operation operation) {
            return operation.op().hasVector() && operation.compute() == DType.FLOAT32;
        }
        return step.dtype() == DType.FLOAT32 && !(step instanceof Convert);
    }

    public static String render(KernelSpec spec, Reduction reduction) {
        return new FoldKernelRenderer(spec, reduction).source();
    }

    /** The kernel of what {@link #supports} takes. */
    public static FoldKernel compile(KernelSpec spec, Reduction reduction) {
        return SourceCompiler.compile(CLASS_NAME, render(spec, reduction), FoldKernel.class);
    }

    private String source() {
        NumberFields numbers = new NumberFields(spec);
        return CLASS.replace("COUNTING", sums ? "D" : "F")
                .replace("NUMBERS\n", numbers.declarations())
                .replace(
                        "WITH\n", NumberFields.setter("FoldKernel with", "FoldedKernel", "this", numbers.assignments()))
                .replace("ARRAYS\n", arrays())
                .replace("RESULT\n", sums ? SUMS : "        float[] out = (float[]) result;\n")
                .replace("ROWS\n", rows("            ", FoldKernel.GROUP) + (sums ? JOINS : ""))
                .replace("GROUP\n", group())
                .replace("REST\n", sums ? "" : rest())
                .replace("ROW\n", rows("        ", 1))
                .replace(
                        "VALUE\n",
                        value("            ", 0) + "            FloatVector v = " + name(result(), 0) + ";\n");
    }

    private String arrays() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < spec.operands().size(); i++) {
            text.append("        float[] in%1$d = (float[]) in[%1$d];\n".formatted(i));
        }
        for (int step = 0; step < spec.steps().size(); step++) {
            if (isConstant(step)) {
                text.append(
                        "        FloatVector v%d = FloatVector.broadcast(F, %s);\n".formatted(step, constant(step)));
            }
        }
        return text.toString();
    }

    private boolean isConstant(int step) {
        Step value = spec.steps().get(step);
        return value instanceof Constant || value instanceof KernelSpec.Number || access(step) == Access.CONSTANT;
    }

    private String constant(int step) {
        Step value = spec.steps().get(step);
        if (value instanceof Constant constant) {
            return JavaValues.TEXT.constant(constant.value(), DType.FLOAT32);
        }
        return value instanceof KernelSpec.Number number
                ? NumberFields.name(number)
                : "in" + ((Load) value).operand() + "[0]";
    }

    private Access access(int step) {
        return spec.steps().get(step) instanceof Load load
                ? spec.operands().get(load.operand()).access()
                : Access.VARYING;
    }

    /** What is the same along a row, for each of some rows. */
    private String rows(String indent, int count) {
        StringBuilder text = new StringBuilder();
        for (int step = 0; step < spec.steps().size(); step++) {
            if (access(step) == Access.ROW) {
                int operand = ((Load) spec.steps().get(step)).operand();
                for (int k = 0; k < count; k++) {
                    text.append("%sfloat %s = in%d[r + %d];\n".formatted(indent, name(step, k), operand, k));
                }
            }
        }
        return text.toString();
    }

    /** The values of the k-th row from {@code r} on. */
    private String value(String indent, int k) {
        StringBuilder text = new StringBuilder();
        for (int step = 0; step < spec.steps().size(); step++) {
            if (!isConstant(step) && access(step) != Access.ROW) {
                text.append("%sFloatVector %s = %s;\n".formatted(indent, name(step, k), expression(step, k)));
            }
        }
        return text.toString();
    }

    private String expression(int step, int k) {
        if (spec.steps().get(step) instanceof Load load) {
            String index = access(step) == Access.COLUMN ? "c" : "at + " + k + " * LANES";
            return "FloatVector.fromArray(F, in%d, %s)".formatted(load.operand(), index);
        }
        Operation operation = (Operation) spec.steps().get(step);
        List<String> args = operation.args().stream().map(arg -> vector(arg, k)).toList();
        return operation.op().vector(args);
    }

    /** A value as a vector. */
    private String vector(int step, int k) {
        return access(step) == Access.ROW ? "FloatVector.broadcast(F, " + name(step, k) + ")" : name(step, k);
    }

    private String name(int step, int k) {
        return isConstant(step) ? "v" + step : "v" + step + "_" + k;
    }

    private int result() {
        return spec.steps().size() - 1;
    }

    private String group() {
        String indent = "                ";
        StringBuilder text = new StringBuilder();
        String type = sums ? "DoubleVector" : "FloatVector";
        for (int k = 0; k < FoldKernel.GROUP; k++) {
            text.append(value(indent, k));
            String value = vector(result(), k);
            text.append("%s%s s%d = %s;\n"
                    .formatted(
                            indent,
                            type,
                            k,
                            sums ? "(DoubleVector) " + value + ".convertShape(VectorOperators.F2D, D, 0)" : value));
        }
        for (int step = 1; step < FoldKernel.GROUP; step *= 2) {
            for (int k = 0; k < FoldKernel.GROUP; k += 2 * step) {
                text.append("%1$ss%2$d = (%3$s) s%2$d.%4$s(%5$ss%6$d);\n"
                        .formatted(indent, k, type, join, sums ? "one, " : "", k + step));
            }
        }
        return text.append(sums ? JOINED.indent(indent.length()) : joined(indent, "s0"))
                .toString();
    }

    private String joined(String indent, String value) {
        return "%1$sFloatVector best = FloatVector.fromArray(F, out, c);\n%1$sbest = (FloatVector) best.%2$s(%3$s);\n%1$sbest.intoArray(out, c);\n"
                .formatted(indent, join, value);
    }

    /** The rows behind the last group. */
    private String rest() {
        return "        for (; r < rows; r++) {\n" + rows("            ", 1)
                + "            for (int c = 0; c < columns; c += LANES) {\n"
                + "                int at = (r & -8) * columns + c * 8 + (r & 7) * LANES;\n"
                + value("                ", 0)
                + joined("                ", vector(result(), 0))
                + "            }\n        }\n";
    }
}
