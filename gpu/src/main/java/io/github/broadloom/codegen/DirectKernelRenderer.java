package io.github.broadloom.codegen;

import io.github.broadloom.codegen.DirectKernel.Reach;
import io.github.broadloom.codegen.KernelSpec.Access;
import io.github.broadloom.codegen.KernelSpec.Constant;
import io.github.broadloom.codegen.KernelSpec.Convert;
import io.github.broadloom.codegen.KernelSpec.Load;
import io.github.broadloom.codegen.KernelSpec.Operation;
import io.github.broadloom.codegen.KernelSpec.Step;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Op;
import io.github.broadloom.lanes.Lanes;
import io.github.broadloom.lanes.RowPieces;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes a {@link KernelSpec} as a {@link DirectKernel} on the Vector API: short programs of float32 and float16, whose operands may
 * be integers, and bools that choose. They cost less than to copy their operands into tiles and the result out of one. Halves are
 * converted in loops of their own, piece by piece of a row; other dtypes go this way where that is faster, or the only one.
 */
public final class DirectKernelRenderer {
    /** The name of every rendered class; each has a class loader of its own. */
    public static final String CLASS_NAME = "io.github.broadloom.kernel.DirectKernelOfRows";

    private static final String CLASS = """
            package io.github.broadloom.kernel;

            import io.github.broadloom.codegen.DirectKernel;
            import io.github.broadloom.dtype.Float16;
            import io.github.broadloom.lanes.RowPieces;
            import java.nio.ByteBuffer;
            import java.nio.ByteOrder;
            import jdk.incubator.vector.ByteVector;
            import jdk.incubator.vector.FloatVector;
            import jdk.incubator.vector.IntVector;
            import jdk.incubator.vector.ShortVector;
            import jdk.incubator.vector.VectorOperators;
            import jdk.incubator.vector.VectorSpecies;

            public final class DirectKernelOfRows implements DirectKernel {
                private static final ByteOrder ORDER = ByteOrder.nativeOrder();
                private static final VectorSpecies FLOATS = FloatVector.SPECIES_256;
                private static final VectorSpecies INTS = IntVector.SPECIES_256;
                private static final VectorSpecies SHORTS = ShortVector.SPECIES_128;
                private static final VectorSpecies BYTES = ByteVector.SPECIES_64;

                public void run(Object[] in, int[] at, int[] steps, int rows, int columns) {
            PLACES
                    for (int r = 0; r < rows; r++) {
            ROW
            PIECE
                        int whole = n & -8;
                        for (int c = 0; c < whole; c += 8) {
            VECTORS
                        }
                        for (int c = whole; c < n; c++) {
            REST
                        }
            END
                    }
                }
            }
            """;

    private final KernelSpec spec;
    private final Reach reach;
    private final List<DirectOperand> operands;
    private final boolean inPieces;
    private final List<Access> extents = new ArrayList<>();

    private DirectKernelRenderer(KernelSpec spec, Reach reach) {
        this.spec = spec;
        this.reach = reach;
        this.inPieces = reach.isStaged(spec.dtype())
                || spec.operands().stream().anyMatch(operand -> reach.isStaged(operand.dtype()));
        this.operands = IntStream.range(0, spec.operands().size())
                .mapToObj(i -> DirectOperand.of(i, spec.operands().get(i), inPieces, reach))
                .toList();
        for (Step step : spec.steps()) {
            Access extent = step instanceof Load load
                    ? spec.operands().get(load.operand()).access()
                    : Access.CONSTANT;
            for (int arg : step.args()) {
                extent = extent.compareTo(extents.get(arg)) < 0 ? extents.get(arg) : extent;
            }
            boolean ofColumns = step.args().stream().anyMatch(arg -> extents.get(arg) == Access.COLUMN);
            extents.add(ofColumns ? Access.VARYING : extent);
        }
    }

    /** Whether there is such a kernel: of a program that {@link DirectPrograms} takes, on a JVM that has vectors. */
    public static boolean supports(KernelSpec spec) {
        return Lanes.haveEights() && DirectPrograms.fits(spec);
    }

    /** The source of the class {@link #CLASS_NAME}. */
    public static String render(KernelSpec spec, Reach reach) {
        return new DirectKernelRenderer(spec, reach).source();
    }

    private String source() {
        return CLASS.replace("PLACES\n", places())
                .replace("ROW\n", row())
                .replace("PIECE\n", piece())
                .replace("VECTORS\n", vectors())
                .replace("REST\n", rest())
                .replace("END\n", end());
    }

    private int result() {
        return spec.steps().size() - 1;
    }

    /** The number of the result's place. */
    private int target() {
        return spec.operands().size();
    }

    private boolean stagesResult() {
        return reach.isStaged(spec.dtype());
    }

    private String places() {
        String indent = "        ";
        StringBuilder text = new StringBuilder();
        if (inPieces) {
            text.append("%sRowPieces pieces = RowPieces.ofThread();\n".formatted(indent));
        }
        operands.forEach(operand -> text.append(operand.declaration()));
        text.append("%1$sByteBuffer p%2$d = (ByteBuffer) in[%2$d];\n".formatted(indent, target()));
        if (stagesResult()) {
            text.append("%1$sfloat[] h%2$d = pieces.floats(%2$d);\n".formatted(indent, target()));
        }
        return text.toString();
    }

    /** Where the row begins, and what is the same in all of it. */
    private String row() {
        String indent = "            ";
        StringBuilder text = new StringBuilder();
        operands.forEach(operand -> text.append(operand.row()));
        text.append("%1$sint a%2$d = at[%2$d] + r * steps[%2$d];\n".formatted(indent, target()));
        for (int step = 0; step <= result(); step++) {
            if (isSingle(step)) {
                text.append(declareScalar(indent, step)).append(broadcast(indent, step));
            } else if (extents.get(step) == Access.PERIOD) {
                text.append(declareVector(indent, step));
            }
        }
        return text.toString();
    }

    private String broadcast(String indent, int step) {
        DType dtype = spec.steps().get(step).dtype();
        if (dtype == DType.BOOL) {
            return "%1$sIntVector v%2$d = IntVector.broadcast(INTS, s%2$d ? 1 : 0);\n".formatted(indent, step);
        }
        return DirectPrograms.isFloats(dtype)
                ? "%1$sFloatVector v%2$d = FloatVector.broadcast(FLOATS, s%2$d);\n".formatted(indent, step)
                : "";
    }

    /** The beginning of a piece of the row; it ends in {@link #end}. */
    private String piece() {
        String indent = "            ";
        if (!inPieces) {
            return indent + "int n = columns;\n";
        }
        StringBuilder text = new StringBuilder(indent)
                .append("for (int first = 0; first < columns; first += %d) {\n".formatted(RowPieces.LENGTH))
                .append(indent)
                .append("int n = Math.min(columns - first, %d);\n".formatted(RowPieces.LENGTH));
        operands.forEach(operand -> text.append(operand.piece()));
        return text.append("%1$sint b%2$d = a%2$d + %3$d * first;\n"
                        .formatted(indent, target(), spec.dtype().bytes()))
                .toString();
    }

    private String end() {
        String indent = "            ";
        String method = spec.dtype() == DType.FLOAT16 ? "writeHalves" : "write";
        String write =
                stagesResult() ? "%1$spieces.%3$s(h%2$d, p%2$d, b%2$d, n);\n".formatted(indent, target(), method) : "";
        return inPieces ? write + indent + "}\n" : "";
    }

    private String vectors() {
        String indent = "                ";
        StringBuilder text = new StringBuilder();
        for (int step = 0; step <= result(); step++) {
            if (extents.get(step) == Access.VARYING || extents.get(step) == Access.COLUMN) {
                text.append(declareVector(indent, step));
            }
        }
        text.append(indent).append("v%d.".formatted(result()));
        text.append(
                stagesResult()
                        ? "intoArray(h%d, c);\n".formatted(target())
                        : "intoByteBuffer(p%d, %s, ORDER);\n".formatted(target(), written()));
        return text.toString();
    }

    /** Where a float of the result goes. */
    private String written() {
        return "%s%d + 4 * c".formatted(inPieces ? "b" : "a", target());
    }

    private boolean isSingle(int step) {
        return extents.get(step).compareTo(Access.ROW) <= 0;
    }

    /** A vector of a step; of integers there is none, their conversion reads them. */
    private String declareVector(String indent, int step) {
        DType dtype = spec.steps().get(step).dtype();
        if (!DirectPrograms.isFloats(dtype) && dtype != DType.BOOL) {
            return "";
        }
        String type = dtype == DType.BOOL ? "IntVector" : "FloatVector";
        return "%s%s v%d = %s;\n".formatted(indent, type, step, vector(step));
    }

    private String vector(int step) {
        Step value = spec.steps().get(step);
        if (value instanceof Operation operation) {
            List<String> args = operation.args().stream().map(arg -> "v" + arg).toList();
            return DirectPrograms.isChoice(value)
                    ? chosen(args)
                    : operation.op().vector(args);
        }
        if (value instanceof Convert convert && DirectPrograms.isFloats(convert.from())) {
            return "v" + convert.arg();
        }
        Load load = (Load) (value instanceof Convert convert ? spec.steps().get(convert.arg()) : value);
        return operands.get(load.operand()).vector();
    }

    private static String chosen(List<String> args) {
        return "((IntVector) %3$s.reinterpretAsInts().blend(%2$s.reinterpretAsInts(), %1$s.compare(VectorOperators.NE, 0)))"
                        .formatted(args.toArray())
                + ".reinterpretAsFloats()";
    }

    /** The elements that fill no vector. */
    private String rest() {
        String indent = "                ";
        StringBuilder text = new StringBuilder();
        for (int step = 0; step <= result(); step++) {
            if (!isSingle(step)) {
                text.append(declareScalar(indent, step));
            }
        }
        text.append(
                stagesResult()
                        ? "%sh%d[c] = s%d;\n".formatted(indent, target(), result())
                        : "%sp%d.putFloat(%s, s%d);\n".formatted(indent, target(), written(), result()));
        return text.toString();
    }

    private String declareScalar(String indent, int step) {
        String type = Op.javaType(spec.steps().get(step).dtype());
        return "%s%s s%d = %s;\n".formatted(indent, type, step, scalar(step));
    }

    private String scalar(int step) {
        Step value = spec.steps().get(step);
        if (value instanceof Operation operation) {
            List<String> args = operation.args().stream().map(arg -> "s" + arg).toList();
            return JavaValues.result(
                    operation.compute(), operation.dtype(), operation.op().java(operation.compute(), args));
        }
        if (value instanceof Convert convert) {
            return JavaValues.convert(convert.from(), convert.dtype(), "s" + convert.arg());
        }
        if (value instanceof Constant constant) {
            return JavaValues.constant(constant.value(), constant.dtype());
        }
        return operands.get(((Load) value).operand()).scalar();
    }
}
