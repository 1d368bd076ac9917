package io.github.broadloom.codegen;

import io.github.broadloom.codegen.KernelSpec.Operation;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Ops;
import java.util.List;
import java.util.Optional;

/** Which functions of {@link io.github.broadloom.lanes.Casts} convert arrays, by dtypes. */
final class ArrayCalls {

    private ArrayCalls() {}

    private static boolean isInt(DType dtype) {
        return switch (dtype) {
            case UINT8, INT8, INT16, INT32 -> true;
            default -> false;
        };
    }

    private static boolean isFloat(DType dtype) {
        return dtype == DType.FLOAT16 || dtype == DType.FLOAT32;
    }

    /** From stored elements to values, where those are another type. */
    static Optional<String> load(DType stored) {
        return switch (stored) {
            case UINT8, INT8, INT16 -> Optional.of(name(stored, DType.INT32));
            case FLOAT16 -> Optional.of(name(stored, DType.FLOAT32));
            default -> Optional.empty();
        };
    }

    /** From stored elements to values of another dtype at once. */
    static Optional<String> loadAs(DType stored, DType to) {
        boolean narrow = stored == DType.UINT8 || stored == DType.INT8 || stored == DType.INT16;
        return narrow && isFloat(to) ? Optional.of(name(stored, DType.FLOAT32)) : Optional.empty();
    }

    /** From values to stored elements, where those are another type. */
    static Optional<String> store(DType stored) {
        return switch (stored) {
            case UINT8, INT8 -> Optional.of(name(DType.INT32, DType.INT8));
            case INT16 -> Optional.of(name(DType.INT32, stored));
            case FLOAT16 -> Optional.of(name(DType.FLOAT32, stored));
            default -> Optional.empty();
        };
    }

    /** From values of one dtype to those of another of another type; to float16 it is not rounded yet. */
    static Optional<String> convert(DType from, DType to) {
        if (from == DType.BOOL && (isFloat(to) || isInt(to))) {
            return Optional.of(name(from, isInt(to) ? DType.INT32 : DType.FLOAT32));
        }
        if (isInt(from) && (isFloat(to) || to == DType.FLOAT64 || to == DType.INT64)) {
            return Optional.of(name(DType.INT32, isFloat(to) ? DType.FLOAT32 : to));
        }
        if (isFloat(from) && to == DType.FLOAT64) {
            return Optional.of(name(DType.FLOAT32, to));
        }
        return from == DType.FLOAT64 && isFloat(to) ? Optional.of(name(from, DType.FLOAT32)) : Optional.empty();
    }

    /** A function of arrays and the steps that it takes. */
    record Choice(String function, List<Integer> args) {}

    /** A choice by a comparison of float32, where there is a function for both. */
    static Optional<Choice> choice(Operation condition, Operation where) {
        if (condition.compute() != DType.FLOAT32 || where.compute() != DType.FLOAT32) {
            return Optional.empty();
        }
        boolean less = condition.op() == Ops.LT || condition.op() == Ops.GT;
        boolean swapped = condition.op() == Ops.GT || condition.op() == Ops.GE;
        if (!less && !swapped && condition.op() != Ops.LE) {
            return Optional.empty();
        }
        List<Integer> compared = condition.args();
        return Optional.of(new Choice(
                less ? "Lanes.whereLt" : "Lanes.whereLe",
                List.of(
                        compared.get(swapped ? 1 : 0),
                        compared.get(swapped ? 0 : 1),
                        where.args().get(1),
                        where.args().get(2))));
    }

    /** Whether values of both dtypes are the same numbers of the same type. */
    static boolean isSameValue(DType from, DType to) {
        return from == to || isFloat(from) && isFloat(to) || isInt(from) && to == DType.INT32;
    }

    private static String name(DType from, DType to) {
        String target = to.torchName();
        return "Casts." + from.torchName() + "To" + Character.toUpperCase(target.charAt(0)) + target.substring(1);
    }
}
