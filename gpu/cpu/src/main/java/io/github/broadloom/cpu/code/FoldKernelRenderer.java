package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.KernelSpec.Constant;
import io.github.broadloom.kernels.KernelSpec.Convert;
import io.github.broadloom.kernels.KernelSpec.Load;
import io.github.broadloom.kernels.KernelSpec.Operation;
import io.github.broadloom.kernels.KernelSpec.Step;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

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

    /**
     * What a loop may cost, by {@link #cost(int)}. With somewhat more C2 comes to the end of what it inlines before the end of the loop, and boxes the vectors from there on: of 650 in some runs, of 850 in most,
     * which depends on what else has run. So a group of rows is folded in two loops, or in as many as it takes. JDK 25 was not seen to box, and there one loop is faster.
     */
    private static final int MOST_COST = Runtime.version().feature() < 25 ? 600 : 1000;

    private static final int CALL_COST = 21;
    private static final int READ_COST = 17;
    private static final int BROADCAST_COST = 8;
    private static final Pattern CALL = Pattern.compile("\\.\\w+\\(");
    private static final Map<Op, Integer> OPERATION_COSTS = new ConcurrentHashMap<>();

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
                private static final int LANES = COUNTED.length();
            NUMBERS

                public void fold(Object[] in, int rows, int columns, Object result) {
                    int r = 0;
                    for (; r + STEP <= rows; r += STEP) {
            CALLS
                    }
            REST
                }
            PARTS

                public int lanes() {
                    return LANES;
                }

                public void row(Object[] in, int r, int columns, float[] out) {
            ARRAYS
            ROW
                    int row = (r & -8) * columns + (r & 7) * LANES;
                    for (int c = 0; c < columns; c += LANES) {
                        int at = row + c * 8;
            VALUE
                        v.intoArray(out, c);
                    }
                }

            WITH
            }
            """;

    /** Folds some rows from {@code r} on. */
    private static final String PART = """

                private void NAME(Object[] in, int r, int columns, Object result) {
            ARRAYS
            RESULT
            ROWS
                    int row = (r & -8) * columns + (r & 7) * LANES;
                    for (int c = 0; c < columns; c += LANES) {
                        int at = row + c * 8;
            FOLD
                    }
                }
            """;

    private static final String SUMS = """
                    double[] out = (double[]) result;
                    DoubleVector one = DoubleVector.broadcast(D, 1.0);
            """;

    private static final String BESTS = "        float[] out = (float[]) result;\n";

    /** As many trees end with some rows as their number has ones at the end. */
    private static final String JOINS = "        int joins = BASE + Integer.numberOfTrailingZeros(~(r / STEP));\n";

    private static final String JOINED = """
            for (int level = BASE; level < joins; level++) {
                SUM = DoubleVector.fromArray(D, out, level * columns + c).fma(one, SUM);
            }
            SUM.intoArray(out, joins * columns + c);
            """;

    private final KernelSpec spec;
    private final boolean sums;
    private final String join;
    /** How many rows a loop folds, a power of two, and how many are folded before the next ones are: those of one loop, or of two for a sum of a group, whose halves need no counter. */
    private final int count;

    private final int step;

    private FoldKernelRenderer(KernelSpec spec, Reduction reduction) {
        this.spec = spec;
        this.sums = reduction.isSum();
        this.join = sums ? "fma" : reduction == Reduction.AMAX ? "max" : "min";
        int most = FoldKernel.GROUP;
        while (most > 1 && cost(most) > MOST_COST) {
            most /= 2;
        }
        this.count = most;
        this.step = sums && 2 * most == FoldKernel.GROUP ? FoldKernel.GROUP : most;
    }

    /** How many methods C2 inlines for a loop over so many rows, as its log counts them. */
    private int cost(int rows) {
        int cost = (rows - 1) * CALL_COST;
        for (int step = 0; step < spec.steps().size(); step++) {
            int times = isShared(step) ? 1 : rows;
            if (spec.steps().get(step) instanceof Operation operation) {
                cost += times * OPERATION_COSTS.computeIfAbsent(operation.op(), op -> cost(operation));
            } else if (!isConstant(step)) {
                cost += times * (access(step) == Access.ROW ? BROADCAST_COST : READ_COST);
            }
        }
        return sums ? cost + rows * CALL_COST : cost;
    }

    private static int cost(Operation operation) {
        List<String> args = operation.args().stream().map(arg -> "v" + arg).toList();
        return (int) CALL.matcher(operation.op().vector(args)).results().count() * CALL_COST;
    }

    /** Whether there is such a kernel: of float32 alone, of steps that are operations on vectors, and not of too many for a loop over one row. */
    public static boolean supports(KernelSpec spec, Reduction reduction) {
        boolean folds = reduction.isSum() || reduction == Reduction.AMAX || reduction == Reduction.AMIN;
        return folds
                && spec.operands().stream().allMatch(operand -> operand.dtype() == DType.FLOAT32)
                && spec.steps().stream().allMatch(FoldKernelRenderer::isVector)
                && new FoldKernelRenderer(spec, reduction).cost(1) <= MOST_COST;
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
        StringBuilder calls = new StringBuilder();
        StringBuilder parts = new StringBuilder();
        for (int first = 0; first < step; first += count) {
            calls.append("            part%d(in, r, columns, result);\n".formatted(first));
            parts.append(part("part" + first, first, count));
        }
        String rest = "";
        if (!sums) { // of a sum there are whole groups alone
            rest = "        for (; r < rows; r++) {\n            rest(in, r, columns, result);\n        }\n";
            parts.append(part("rest", 0, 1));
        }
        return CLASS.replace("COUNTED", sums ? "D" : "F")
                .replace("NUMBERS\n", numbers.declarations())
                .replace(
                        "WITH\n", NumberFields.setter("FoldKernel with", "FoldedKernel", "this", numbers.assignments()))
                .replace("CALLS\n", calls)
                .replace("PARTS\n", parts)
                .replace("REST\n", rest)
                .replace("STEP", String.valueOf(step))
                .replace("ARRAYS\n", arrays())
                .replace("ROW\n", rows("        ", 0, 1))
                .replace(
                        "VALUE\n",
                        columns("            ") + value("            ", 0) + "            FloatVector v = "
                                + name(result(), 0) + ";\n");
    }

    private String part(String name, int first, int count) {
        boolean last = first + count == step;
        int base = Integer.numberOfTrailingZeros(step); // the level of so many rows
        String sum = "s" + first;
        String join = first == 0
                ? ""
                : "            %1$s = DoubleVector.fromArray(D, out, %2$d * columns + c).fma(one, %1$s);\n"
                        .formatted(sum, base - 1);
        String stored = last
                ? join + JOINED.indent(12)
                : "            SUM.intoArray(out, %d * columns + c);\n".formatted(base - 1);
        return PART.replace("NAME", name)
                .replace("RESULT\n", sums ? SUMS : BESTS)
                .replace("ROWS\n", rows("        ", first, count) + (sums && last ? JOINS : ""))
                .replace(
                        "FOLD\n",
                        fold(first, count) + (sums ? stored.replace("SUM", sum) : joined("            ", sum)))
                .replace("BASE", String.valueOf(base));
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
    private String rows(String indent, int first, int count) {
        StringBuilder text = new StringBuilder();
        for (int step = 0; step < spec.steps().size(); step++) {
            if (access(step) == Access.ROW) {
                int operand = ((Load) spec.steps().get(step)).operand();
                for (int k = first; k < first + count; k++) {
                    text.append("%sfloat r%d_%d = in%d[r + %d];\n".formatted(indent, step, k, operand, k));
                }
            }
        }
        return text.toString();
    }

    /** What is the same along a column. */
    private String columns(String indent) {
        StringBuilder text = new StringBuilder();
        for (int step = 0; step < spec.steps().size(); step++) {
            if (access(step) == Access.COLUMN) {
                int operand = ((Load) spec.steps().get(step)).operand();
                text.append(
                        "%sFloatVector v%d = FloatVector.fromArray(F, in%d, c);\n".formatted(indent, step, operand));
            }
        }
        return text.toString();
    }

    /** The values of the k-th row from {@code r} on. */
    private String value(String indent, int k) {
        StringBuilder text = new StringBuilder();
        for (int step = 0; step < spec.steps().size(); step++) {
            if (!isShared(step)) {
                text.append("%sFloatVector %s = %s;\n".formatted(indent, name(step, k), expression(step, k)));
            }
        }
        return text.toString();
    }

    private String expression(int step, int k) {
        if (spec.steps().get(step) instanceof Load load) {
            return access(step) == Access.ROW
                    ? "FloatVector.broadcast(F, r%d_%d)".formatted(step, k)
                    : "FloatVector.fromArray(F, in%d, at + %d * LANES)".formatted(load.operand(), k);
        }
        Operation operation = (Operation) spec.steps().get(step);
        return operation
                .op()
                .vector(operation.args().stream().map(arg -> name(arg, k)).toList());
    }

    private String name(int step, int k) {
        return isShared(step) ? "v" + step : "v" + step + "_" + k;
    }

    /** Whether all rows have it in common. */
    private boolean isShared(int step) {
        return isConstant(step) || access(step) == Access.COLUMN;
    }

    private int result() {
        return spec.steps().size() - 1;
    }

    /** The values of some rows, joined: the sum, or the best, of the first of them is that of all. */
    private String fold(int first, int count) {
        String indent = "            ";
        StringBuilder text = new StringBuilder(columns(indent));
        String type = sums ? "DoubleVector" : "FloatVector";
        for (int k = first; k < first + count; k++) {
            text.append(value(indent, k));
            String value = name(result(), k);
            text.append("%s%s s%d = %s;\n"
                    .formatted(
                            indent,
                            type,
                            k,
                            sums ? "(DoubleVector) " + value + ".convertShape(VectorOperators.F2D, D, 0)" : value));
        }
        for (int step = 1; step < count; step *= 2) {
            for (int k = first; k < first + count; k += 2 * step) {
                text.append("%1$ss%2$d = (%3$s) s%2$d.%4$s(%5$ss%6$d);\n"
                        .formatted(indent, k, type, join, sums ? "one, " : "", k + step));
            }
        }
        return text.toString();
    }

    private String joined(String indent, String value) {
        return "%1$sFloatVector best = FloatVector.fromArray(F, out, c);\n%1$sbest = (FloatVector) best.%2$s(%3$s);\n%1$sbest.intoArray(out, c);\n"
                .formatted(indent, join, value);
    }
}
