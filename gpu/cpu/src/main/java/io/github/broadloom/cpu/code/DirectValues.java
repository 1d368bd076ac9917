package io.github.broadloom.cpu.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Constant;
import io.github.broadloom.kernels.KernelSpec.Convert;
import io.github.broadloom.kernels.KernelSpec.Load;
import io.github.broadloom.kernels.KernelSpec.Operation;
import io.github.broadloom.kernels.KernelSpec.Step;
import java.util.List;

/**
 * The Java text of the values of a {@link DirectKernel}: the vector {@code v5} of step 5, and its scalar {@code s5} for the elements
 * that fill no vector.
 */
record DirectValues(KernelSpec spec, List<DirectOperand> operands, DirectStages stages) {
    /** A vector of what is one number in a row. */
    String broadcast(String indent, int step) {
        DType dtype = spec.steps().get(step).dtype();
        if (dtype == DType.BOOL) {
            return "%1$sIntVector v%2$d = IntVector.broadcast(INTS, s%2$d ? 1 : 0);\n".formatted(indent, step);
        }
        return DirectPrograms.isFloats(dtype)
                ? "%1$sFloatVector v%2$d = FloatVector.broadcast(FLOATS, s%2$d);\n".formatted(indent, step)
                : "";
    }

    /** A vector of a step; of integers there is none, their conversion reads them. */
    String declareVector(String indent, int step) {
        DType dtype = spec.steps().get(step).dtype();
        if (!DirectPrograms.isFloats(dtype) && dtype != DType.BOOL) {
            return "";
        }
        String type = dtype != DType.BOOL ? "FloatVector" : isMask(step) ? "VectorMask" : "IntVector";
        return "%s%s v%d = %s;\n".formatted(indent, type, step, vector(step));
    }

    /** Whether a condition is a mask: one that is computed in a loop. Others are ints, of which 0 is false. */
    private boolean isMask(int step) {
        return DirectPrograms.isComparison(spec.steps().get(step)) && !stages.isSingle(step);
    }

    private String vector(int step) {
        Step value = spec.steps().get(step);
        if (value instanceof Operation operation) {
            List<String> args = operation.args().stream().map(arg -> "v" + arg).toList();
            if (DirectPrograms.isChoice(value)) {
                return chosen(isMask(operation.args().get(0)), args);
            }
            return DirectPrograms.isComparison(value)
                    ? "%s.compare(VectorOperators.%s, %s)"
                            .formatted(args.get(0), DirectPrograms.comparison(operation), args.get(1))
                    : operation.op().vector(args);
        }
        if (value instanceof Convert convert && DirectPrograms.isFloats(convert.from())) {
            return "v" + convert.arg();
        }
        Load load = (Load) (value instanceof Convert convert ? spec.steps().get(convert.arg()) : value);
        return operands.get(load.operand()).vector();
    }

    private static String chosen(boolean byMask, List<String> args) {
        String text = byMask
                ? "(FloatVector) %3$s.blend(%2$s, %1$s)"
                : "((IntVector) %3$s.reinterpretAsInts().blend(%2$s.reinterpretAsInts(),"
                        + " %1$s.compare(VectorOperators.NE, 0))).reinterpretAsFloats()";
        return text.formatted(args.toArray());
    }

    String declareScalar(String indent, int step) {
        String type = spec.steps().get(step).dtype().valueType().javaName();
        return "%s%s s%d = %s;\n".formatted(indent, type, step, scalar(step));
    }

    private String scalar(int step) {
        Step value = spec.steps().get(step);
        if (value instanceof Operation operation) {
            List<String> args = operation.args().stream().map(arg -> "s" + arg).toList();
            return JavaValues.TEXT.result(
                    operation.compute(), operation.dtype(), operation.op().java(operation.compute(), args));
        }
        if (value instanceof Convert convert) {
            return JavaValues.TEXT.convert(convert.from(), convert.dtype(), "s" + convert.arg());
        }
        if (value instanceof Constant constant) {
            return JavaValues.TEXT.constant(constant.value(), constant.dtype());
        }
        if (value instanceof KernelSpec.Number number) {
            return NumberFields.name(number);
        }
        return operands.get(((Load) value).operand()).scalar();
    }
}
