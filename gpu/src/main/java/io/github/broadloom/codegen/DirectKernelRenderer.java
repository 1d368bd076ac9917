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
            import io.github.broadloom.lanes.VectorPlaces;
            import java.nio.ByteBuffer;
            import jdk.incubator.vector.FloatVector;

            public final class DirectKernelOfRows implements DirectKernel {
                public void run(ByteBuffer[] in, int[] at, int[] steps, int rows, int columns) {
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
            extents.add(extent);
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
            text.append("        ByteBuffer p%1$d = in[%1$d];\n".formatted(i));
        }
        return text.toString();
    }

    /** Where the row begins, and what is the same in all of it. */
    private String row() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i <= target(); i++) {
            text.append("            int a%1$d = at[%1$d] + r * steps[%1$d];\n".formatted(i));
        }
        for (int step = 0; step <= result(); step++) {
            if (extents.get(step) != Access.VARYING) {
                text.append(declareScalar("            ", step, "0"));
                if (spec.steps().get(step).dtype() == DType.FLOAT32) {
                    text.append("            FloatVector v%1$d = VectorPlaces.all(s%1$d);\n".formatted(step));
                }
            }
        }
        return text.toString();
    }

    private String vectors() {
        String indent = "                ";
        StringBuilder text = new StringBuilder();
        for (int step = 0; step <= result(); step++) {
            if (extents.get(step) == Access.VARYING && !isReadByItsConversion(step)) {
                text.append("%sFloatVector v%d = %s;\n".formatted(indent, step, vector(step)));
            }
        }
        text.append("%sVectorPlaces.put(v%d, p%d, a%d + 4 * c);\n".formatted(indent, result(), target(), target()));
        return text.toString();
    }

    private boolean isReadByItsConversion(int step) {
        return spec.steps().get(step) instanceof Load load && load.dtype() != DType.FLOAT32;
    }

    private String vector(int step) {
        Step value = spec.steps().get(step);
        if (value instanceof Operation operation) {
            return operation
                    .op()
                    .vector(operation.args().stream().map(arg -> "v" + arg).toList());
        }
        Load load = (Load) (value instanceof Convert convert ? spec.steps().get(convert.arg()) : value);
        String dtype = load.dtype().torchName();
        return "VectorPlaces.of%s(p%d, %s)"
                .formatted(
                        Character.toUpperCase(dtype.charAt(0)) + dtype.substring(1),
                        load.operand(),
                        position(load, "c"));
    }

    private static String position(Load load, String column) {
        return "a%d + %d * %s".formatted(load.operand(), load.dtype().bytes(), column);
    }

    /** The elements that fill no vector. */
    private String rest() {
        String indent = "                ";
        StringBuilder text = new StringBuilder();
        for (int step = 0; step <= result(); step++) {
            if (extents.get(step) == Access.VARYING) {
                text.append(declareScalar(indent, step, "c"));
            }
        }
        text.append("%sp%d.putFloat(a%d + 4 * c, s%d);\n".formatted(indent, target(), target(), result()));
        return text.toString();
    }

    private String declareScalar(String indent, int step, String column) {
        String type = Op.javaType(spec.steps().get(step).dtype());
        return "%s%s s%d = %s;\n".formatted(indent, type, step, scalar(step, column));
    }

    private String scalar(int step, String column) {
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
        String get = switch (load.dtype()) {
            case FLOAT32 -> "getFloat";
            case INT16 -> "getShort";
            case INT32 -> "getInt";
            default -> "get";
        };
        return JavaValues.read(load.dtype(), "p%d.%s(%s)".formatted(load.operand(), get, position(load, column)));
    }
}
