package io.github.broadloom.cpu.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.ValueType;
import io.github.broadloom.expr.ops.Op.Trait;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.kernels.HalfRounding;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Convert;
import io.github.broadloom.kernels.KernelSpec.Load;
import io.github.broadloom.kernels.KernelSpec.Operation;
import io.github.broadloom.kernels.KernelSpec.Step;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Which programs have a {@link DirectKernel}. */
final class DirectPrograms {
    /** What C2 surely inlines, in steps of a call or two; it boxes the vectors of calls that it does not. */
    private static final int MOST_WORK = 16;

    /** A choice in such steps. */
    private static final int WORK_OF_CHOICE = 3;

    /** Each has two arrays or more, which are to stay in the first-level cache. */
    private static final int MOST_CALLS = 4;

    private DirectPrograms() {}

    /**
     * Whether a program has few steps, all of them operations on vectors or functions of arrays, and rounds no value to a reduced floating dtype but
     * its result.
     */
    static boolean fits(KernelSpec spec) {
        return isFloats(spec.dtype())
                && !spec.isCopy()
                && spec.steps().stream().mapToInt(DirectPrograms::work).sum() <= MOST_WORK
                && calls(spec) <= MOST_CALLS
                && IntStream.range(0, spec.steps().size()).allMatch(step -> isVector(spec, step))
                && !new HalfRounding(spec.steps()).isAnyRounded();
    }

    private static int work(Step step) {
        return isChoice(step) ? WORK_OF_CHOICE : 1;
    }

    static int calls(KernelSpec spec) {
        return (int) spec.steps().stream().filter(DirectPrograms::isCall).count();
    }

    private static boolean isBool(KernelSpec spec, int step) {
        return spec.steps().get(step).dtype() == DType.BOOL;
    }

    static boolean isChoice(Step step) {
        return step instanceof Operation operation && operation.op() == Ops.WHERE;
    }

    static boolean isComparison(Step step) {
        return step instanceof Operation operation
                && operation.op().is(Trait.COMPARISON)
                && operation.compute() == DType.FLOAT32;
    }

    /** The name that the Vector API has for a comparison. */
    static String comparison(Operation operation) {
        return operation.op().name().toUpperCase(Locale.ROOT);
    }

    static boolean isCall(Step step) {
        return step instanceof Operation operation
                && !isChoice(step)
                && !operation.op().hasVector()
                && isFloats(operation.compute())
                && isFloats(operation.dtype())
                && operation.op().hasArrayFunction(operation.compute());
    }

    /** The arguments of a call that are arrays; the others are numbers. */
    static List<Integer> arrays(KernelSpec spec, int call) {
        Operation operation = (Operation) spec.steps().get(call);
        return operation.args().subList(0, operation.op().arity());
    }

    private static boolean isVector(KernelSpec spec, int index) {
        Step step = spec.steps().get(index);
        if (isComparison(step)) {
            return isOnlyCondition(spec, index) && hasNoBools(spec, step.args());
        }
        if (isCall(step)) {
            return hasNoBools(spec, arrays(spec, index)) && !isOfRows(spec, index);
        }
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

    private static boolean hasNoBools(KernelSpec spec, List<Integer> steps) {
        return steps.stream().noneMatch(step -> isBool(spec, step));
    }

    /** Whether every user of a step is a choice by it. */
    private static boolean isOnlyCondition(KernelSpec spec, int condition) {
        return spec.steps().stream()
                .filter(user -> user.args().contains(condition))
                .allMatch(user -> isChoice(user) && user.args().lastIndexOf(condition) == 0);
    }

    /** Whether a function is of one value for each row, or fewer: to compute it for each element would be a waste. */
    private static boolean isOfRows(KernelSpec spec, int call) {
        DirectStages stages = new DirectStages(spec);
        return arrays(spec, call).stream().allMatch(stages::isSingle);
    }

    static boolean isFloats(DType dtype) {
        return dtype.valueType() == ValueType.FLOAT;
    }

    private static boolean isReadable(DType dtype) {
        return dtype.bytes() <= Float.BYTES;
    }
}
