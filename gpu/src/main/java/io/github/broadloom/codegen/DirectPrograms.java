package io.github.broadloom.codegen;

import io.github.broadloom.codegen.KernelSpec.Convert;
import io.github.broadloom.codegen.KernelSpec.Load;
import io.github.broadloom.codegen.KernelSpec.Operation;
import io.github.broadloom.codegen.KernelSpec.Step;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Ops;
import java.util.stream.IntStream;

/** Which programs have a {@link DirectKernel}. */
final class DirectPrograms {
    /** What C2 surely inlines, in steps of a call or two; it boxes the vectors of calls that it does not. */
    private static final int MOST_WORK = 16;

    /** A choice in such steps. */
    private static final int WORK_OF_CHOICE = 3;

    private DirectPrograms() {}

    /** Whether a program has few steps, all of them operations on vectors, and rounds no value to float16 but its result. */
    static boolean fits(KernelSpec spec) {
        return isFloats(spec.dtype())
                && !spec.isCopy()
                && spec.steps().stream().mapToInt(DirectPrograms::work).sum() <= MOST_WORK
                && spec.steps().stream().allMatch(step -> isVector(spec, step))
                && !new HalfRounding(spec.steps()).isAnyRounded();
    }

    private static int work(Step step) {
        return isChoice(step) ? WORK_OF_CHOICE : 1;
    }

    private static boolean isBool(KernelSpec spec, int step) {
        return spec.steps().get(step).dtype() == DType.BOOL;
    }

    /** Whether a step chooses by a bool. */
    static boolean isChoice(Step step) {
        return step instanceof Operation operation && operation.op() == Ops.WHERE;
    }

    private static boolean isVector(KernelSpec spec, Step step) {
        if (step instanceof Operation operation) {
            return (isChoice(step) || operation.op().hasVector())
                    && isFloats(operation.compute())
                    && isFloats(operation.dtype())
                    && IntStream.range(0, step.args().size())
                            .allMatch(i -> isBool(spec, step.args().get(i)) == (i == 0 && isChoice(step)));
        }
        if (step instanceof Convert convert) {
            boolean isOfElement = convert.from() != DType.BOOL && spec.steps().get(convert.arg()) instanceof Load;
            return isFloats(convert.dtype()) && (isFloats(convert.from()) || isOfElement);
        }
        return step instanceof Load load ? isReadable(load.dtype()) : isFloats(step.dtype());
    }

    /** Dtypes whose values are floats. */
    static boolean isFloats(DType dtype) {
        return dtype == DType.FLOAT32 || dtype == DType.FLOAT16;
    }

    private static boolean isReadable(DType dtype) {
        return switch (dtype) {
            case FLOAT32, FLOAT16, BOOL, UINT8, INT8, INT16, INT32 -> true;
            default -> false;
        };
    }
}
