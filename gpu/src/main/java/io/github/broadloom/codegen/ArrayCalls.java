package io.github.broadloom.codegen;

import io.github.broadloom.dtype.DType;
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

    /** Whether values of both dtypes are the same numbers of the same type. */
    static boolean isSameValue(DType from, DType to) {
        return from == to || isFloat(from) && isFloat(to) || isInt(from) && to == DType.INT32;
    }

    private static String name(DType from, DType to) {
        String target = to.torchName();
        return "Casts." + from.torchName() + "To" + Character.toUpperCase(target.charAt(0)) + target.substring(1);
    }
}
