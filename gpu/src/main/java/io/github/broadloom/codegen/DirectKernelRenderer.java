package io.github.broadloom.codegen;

import io.github.broadloom.codegen.KernelSpec.Access;
import io.github.broadloom.codegen.KernelSpec.Constant;
import io.github.broadloom.codegen.KernelSpec.Convert;
import io.github.broadloom.codegen.KernelSpec.Load;
import io.github.broadloom.codegen.KernelSpec.Operation;
import io.github.broadloom.codegen.KernelSpec.Step;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Op;
import io.github.broadloom.lanes.Lanes;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a {@link KernelSpec} as a {@link DirectKernel} on the Vector API: short programs of float32, whose operands may be
 * integers. They cost less than to copy their operands into tiles and the result out of one.
 */
public final class DirectKernelRenderer {
    /** The name of every rendered class; each has a class loader of its own. */
    public static final String CLASS_NAME = "io.github.broadloom.kernel.DirectKernelOfRows";

    /** What C2 surely inlines; it boxes the vectors of calls that it does not. */
    private static final int MOST_STEPS = 16;

    private static final String CLASS = """
            package io.github.broadloom.kernel;

            import io.github.broadloom.codegen.DirectKernel;
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
                    int whole = columns & -8;
                    for (int r = 0; r < rows; r++) {
            ROW
                        for (int c = 0; c < whole; c += 8) {
            VECTORS
                        }
                        for (int c = whole; c < columns; c++) {
            REST
                        }
                    }
                }
            }
            """;

    private final KernelSpec spec;
    private final List<Access> extents = new ArrayList<>();

    private DirectKernelRenderer(KernelSpec spec) {
        this.spec = spec;
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

    /** Whether there is such a kernel: of few steps that are operations on vectors, and a JVM that has these. */
    public static boolean supports(KernelSpec spec) {
        return Lanes.readsMemory()
                && spec.steps().size() <= MOST_STEPS
                && spec.dtype() == DType.FLOAT32
                && !spec.isCopy()
                && spec.steps().stream().allMatch(step -> isVector(spec, step));
    }

    private static boolean isVector(KernelSpec spec, Step step) {
        if (step instanceof Operation operation) {
            return operation.op().hasVector() && operation.compute() == DType.FLOAT32;
        }
        if (step instanceof Convert convert) {
            return spec.steps().get(convert.arg()) instanceof Load && convert.dtype() == DType.FLOAT32;
        }
        return step instanceof Load load ? isReadable(load.dtype()) : step.dtype() == DType.FLOAT32;
    }

    private static boolean isReadable(DType dtype) {
        return switch (dtype) {
            case FLOAT32, UINT8, INT8, INT16, INT32 -> true;
            default -> false;
        };
    }

    /** The source of the class {@link #CLASS_NAME}. */
    public static String render(KernelSpec spec) {
        return new DirectKernelRenderer(spec).source();
    }

    private String source() {
        return CLASS.replace("PLACES\n", places())
                .replace("ROW\n", row())
                .replace("VECTORS\n", vectors())
                .replace("REST\n", rest());
    }

    private int result() {
        return spec.steps().size() - 1;
    }

    /** The number of the result's place. */
    private int target() {
        return spec.operands().size();
    }

    private String places() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i <= target(); i++) {
            String type = i < target() && isColumn(i) ? "float[]" : "ByteBuffer";
            text.append("        %1$s p%2$d = (%1$s) in[%2$d];\n".formatted(type, i));
        }
        return text.toString();
    }

    /** Where the row begins, and what is the same in all of it. */
    private String row() {
        String indent = "            ";
        StringBuilder text = new StringBuilder();
        for (int i = 0; i <= target(); i++) {
            text.append("%sint a%2$d = at[%2$d] + r * steps[%2$d];\n".formatted(indent, i));
        }
        for (int step = 0; step <= result(); step++) {
            if (isSingle(step)) {
                text.append(declareScalar(indent, step));
                if (spec.steps().get(step).dtype() == DType.FLOAT32) {
                    text.append(
                            "%sFloatVector v%2$d = FloatVector.broadcast(FLOATS, s%2$d);\n".formatted(indent, step));
                }
            } else if (extents.get(step) == Access.PERIOD) {
                text.append(declareVector(indent, step));
            }
        }
        return text.toString();
    }

    private String vectors() {
        String indent = "                ";
        StringBuilder text = new StringBuilder();
        for (int step = 0; step <= result(); step++) {
            if (extents.get(step) == Access.VARYING || extents.get(step) == Access.COLUMN) {
                text.append(declareVector(indent, step));
            }
        }
        text.append("%sv%d.intoByteBuffer(p%d, a%d + 4 * c, ORDER);\n".formatted(indent, result(), target(), target()));
        return text.toString();
    }

    private boolean isColumn(int operand) {
        return spec.operands().get(operand).access() == Access.COLUMN;
    }

    private boolean isSingle(int step) {
        return extents.get(step).compareTo(Access.ROW) <= 0;
    }

    /** A vector of a step; of integers there is none, their conversion reads them. */
    private String declareVector(String indent, int step) {
        boolean isReadByItsConversion = spec.steps().get(step) instanceof Load load && load.dtype() != DType.FLOAT32;
        return isReadByItsConversion ? "" : "%sFloatVector v%d = %s;\n".formatted(indent, step, vector(step));
    }

    private String vector(int step) {
        Step value = spec.steps().get(step);
        if (value instanceof Operation operation) {
            return operation
                    .op()
                    .vector(operation.args().stream().map(arg -> "v" + arg).toList());
        }
        Load load = (Load) (value instanceof Convert convert ? spec.steps().get(convert.arg()) : value);
        if (isColumn(load.operand())) {
            return "FloatVector.fromArray(FLOATS, p%d, c)".formatted(load.operand());
        }
        return load(load.dtype(), "p%d, %s".formatted(load.operand(), position(load, "0")));
    }

    /**
     * Eight elements as floats. Nothing but calls of the API: C2 may decide not to inline a method that gives a vector, and boxes
     * what it gives.
     */
    private static String load(DType dtype, String from) {
        String bytes =
                "((IntVector) ByteVector.fromByteBuffer(BYTES, %s, ORDER).convertShape(VectorOperators.B2I, INTS, 0))";
        String shorts = "ShortVector.fromByteBuffer(SHORTS, %s, ORDER).convertShape(VectorOperators.S2I, INTS, 0)";
        return switch (dtype) {
            case UINT8 -> floats(bytes.formatted(from) + ".and(255)");
            case INT8 -> floats(bytes.formatted(from));
            case INT16 -> floats(shorts.formatted(from));
            case INT32 -> floats("IntVector.fromByteBuffer(INTS, %s, ORDER)".formatted(from));
            default -> "FloatVector.fromByteBuffer(FLOATS, %s, ORDER)".formatted(from);
        };
    }

    private static String floats(String ints) {
        return "(FloatVector) %s.convertShape(VectorOperators.I2F, FLOATS, 0)".formatted(ints);
    }

    /** Where the element of a column is. */
    private String position(Load load, String columnOfPeriod) {
        String column = switch (spec.operands().get(load.operand()).access()) {
            case CONSTANT, ROW -> "0";
            case PERIOD -> columnOfPeriod;
            default -> "c";
        };
        return "a%d + %d * %s".formatted(load.operand(), load.dtype().bytes(), column);
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
        text.append("%sp%d.putFloat(a%d + 4 * c, s%d);\n".formatted(indent, target(), target(), result()));
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
        Load load = (Load) value;
        if (isColumn(load.operand())) {
            return "p%d[c]".formatted(load.operand());
        }
        String get = switch (load.dtype()) {
            case FLOAT32 -> "getFloat";
            case INT16 -> "getShort";
            case INT32 -> "getInt";
            default -> "get";
        };
        return JavaValues.read(load.dtype(), "p%d.%s(%s)".formatted(load.operand(), get, position(load, "(c % 8)")));
    }
}
