package io.github.broadloom.codegen.cuda;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Op;
import java.util.Locale;

/**
 * The CUDA C text that reads, converts, writes and spells values inside a kernel; see {@link Op}. Line by line the twin of the
 * Java that the CPU's kernels use, so that the bits are the same.
 */
final class CudaValues {

    private CudaValues() {}

    /** The type of a stored element. A bool is a byte, for what is stored may be another number than 0 and 1. */
    static String storedType(DType dtype) {
        return switch (dtype) {
            case BOOL, UINT8 -> "u8";
            case FLOAT16 -> "u16";
            default -> dtype.cudaName();
        };
    }

    /** The value of a stored element. */
    static String read(DType dtype, String element) {
        return switch (dtype) {
            case BOOL -> element + " != 0";
            case FLOAT16 -> "bl_half_to_float(" + element + ")";
            default -> element;
        };
    }

    /** The stored element of a value, any expression; the narrow integers already are in their range. */
    static String write(DType dtype, String value) {
        return switch (dtype) {
            case FLOAT16 -> "bl_float_to_half(" + value + ")";
            case BOOL, UINT8, INT8, INT16 ->
                "(" + storedType(dtype) + ") " + (isName(value) ? value : "(" + value + ")");
            default -> value;
        };
    }

    private static boolean isName(String text) {
        return text.chars().allMatch(Character::isJavaIdentifierPart);
    }

    /** What an operation's text needs afterwards, so that the result has exactly its dtype, or will have once it is rounded. */
    static String narrow(DType dtype, String value) {
        return switch (dtype) {
            case UINT8 -> value + " & 0xff";
            case INT8 -> "(signed char) " + value;
            case INT16 -> "(short) " + value;
            default -> value;
        };
    }

    /** What an operation computed in one dtype, as exactly a value of its result's dtype, but not rounded to float16. */
    static String result(DType compute, DType dtype, String text) {
        if (compute == DType.FLOAT64 && (dtype == DType.FLOAT32 || dtype == DType.FLOAT16)) {
            return "(float) " + text;
        }
        return narrow(dtype, text);
    }

    /** A conversion of a named value; one to float16 is not rounded yet. */
    static String convert(DType from, DType to, String value) {
        if (to == DType.BOOL) {
            return value + " != 0";
        }
        if (from == DType.BOOL) {
            return value + " ? " + number(1, to) + " : " + number(0, to);
        }
        return from.isFloatingPoint() ? fromFloating(to, value) : fromInteger(from, to, value);
    }

    /** Whether a conversion leaves the value as it is, but for rounding to float16: the type in the kernel is the same. */
    static boolean isSameValue(DType from, DType to) {
        return from == to
                || Op.cudaType(from).equals("float") && Op.cudaType(to).equals("float")
                || to == DType.INT32 && Op.cudaType(from).equals("int")
                || to == DType.INT16 && (from == DType.INT8 || from == DType.UINT8);
    }

    private static String number(long value, DType dtype) {
        return constant(dtype.isFloatingPoint() ? (Object) (double) value : (Object) value, dtype);
    }

    private static String fromFloating(DType to, String value) {
        return switch (to) {
            case FLOAT16, FLOAT32 -> "(float) " + value;
            case FLOAT64 -> "(double) " + value;
            case INT64 -> "bl_to_int64(" + value + ")";
            case UINT8 -> "(int) bl_to_int64(" + value + ") & 0xff";
            default -> narrow(to, "bl_to_int32(" + value + ")");
        };
    }

    private static String fromInteger(DType from, DType to, String value) {
        return switch (to) {
            case FLOAT16 -> from == DType.INT64 ? "(float) (double) " + value : "(float) " + value;
            case FLOAT32 -> "(float) " + value;
            case FLOAT64 -> "(double) " + value;
            case INT64 -> "(long long) " + value;
            case UINT8 -> "(int) " + value + " & 0xff";
            case INT32 -> "(int) " + value;
            default -> narrow(to, value);
        };
    }

    /** A number as a primary expression. */
    static String constant(Object value, DType dtype) {
        if (value instanceof Boolean bool) {
            return bool.toString();
        }
        if (dtype.isFloatingPoint()) {
            double number = ((Number) value).doubleValue();
            return dtype == DType.FLOAT64 ? doubleText(number) : floatText((float) number);
        }
        long number = ((Number) value).longValue();
        if (dtype == DType.INT64) { // C has no negative literals: the smallest numbers are differences
            return number == Long.MIN_VALUE ? "(-9223372036854775807ll - 1)" : signed(number + "ll");
        }
        return number == Integer.MIN_VALUE ? "(-2147483647 - 1)" : signed(Long.toString(number));
    }

    private static String doubleText(double value) {
        if (Double.isNaN(value)) {
            return "BL_NAN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "BL_INFINITY" : "(-BL_INFINITY)";
        }
        return signed(Double.toString(value).toLowerCase(Locale.ROOT));
    }

    private static String floatText(float value) {
        if (Float.isNaN(value)) {
            return "BL_NAN_F";
        }
        if (Float.isInfinite(value)) {
            return value > 0 ? "BL_INFINITY_F" : "(-BL_INFINITY_F)";
        }
        return signed(Float.toString(value).toLowerCase(Locale.ROOT) + "f");
    }

    private static String signed(String number) {
        return number.startsWith("-") ? "(" + number + ")" : number;
    }
}
