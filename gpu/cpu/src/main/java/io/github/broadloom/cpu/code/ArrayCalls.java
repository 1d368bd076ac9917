package io.github.broadloom.cpu.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.ValueType;
import java.util.Optional;

/** Which functions of {@link io.github.broadloom.cpu.simd.Casts} convert arrays, by dtypes. */
final class ArrayCalls {

    private ArrayCalls() {}

    private static boolean isInt(DType dtype) {
        return dtype.valueType() == ValueType.INT;
    }

    private static boolean isFloat(DType dtype) {
        return dtype.valueType() == ValueType.FLOAT;
    }

    /** From stored elements to values, where those are another type. */
    static Optional<String> load(DType stored) {
        return stored == stored.widened() ? Optional.empty() : Optional.of(name(stored, stored.widened()));
    }

    /** From stored elements to values of another dtype at once. */
    static Optional<String> loadAs(DType stored, DType to) {
        boolean isNarrow = isInt(stored) && stored != stored.widened();
        return isNarrow && isFloat(to) ? Optional.of(name(stored, to.widened())) : Optional.empty();
    }

    /** From values to stored elements, where those are another type; the low bits of an integer have no sign. */
    static Optional<String> store(DType stored) {
        DType signed = isInt(stored) && stored.bytes() == 1 ? DType.INT8 : stored;
        return stored == stored.widened() ? Optional.empty() : Optional.of(name(stored.widened(), signed));
    }

    /** From values of one dtype to those of another of another type; to a reduced floating one it is not rounded yet. */
    static Optional<String> convert(DType from, DType to) {
        boolean isKnown = switch (from.valueType()) {
            case BOOL -> isInt(to) || isFloat(to);
            case INT -> isFloat(to) || to.bytes() == Long.BYTES;
            case FLOAT -> to == DType.FLOAT64;
            case DOUBLE -> isFloat(to);
            case LONG -> false;
        };
        return isKnown ? Optional.of(name(from.widened(), to.widened())) : Optional.empty();
    }

    /** The nearest values of a reduced floating dtype, as floats. */
    static String round(DType dtype) {
        return "Casts.roundTo" + capitalised(dtype.torchName());
    }

    /** Whether values of both dtypes are the same numbers of the same type. */
    static boolean isSameValue(DType from, DType to) {
        return from == to || isFloat(from) && isFloat(to) || isInt(from) && to == DType.INT32;
    }

    private static String name(DType from, DType to) {
        return "Casts." + from.torchName() + "To" + capitalised(to.torchName());
    }

    static String capitalised(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
