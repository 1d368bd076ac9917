package io.github.broadloom.codegen;

import io.github.broadloom.dtype.DType;

/** The Java text that reads, converts, writes and spells values inside a kernel; see {@link io.github.broadloom.expr.Op}. */
final class JavaValues {

    private JavaValues() {}

    /** The value of a stored element. */
    static String read(DType dtype, String element) {
        return switch (dtype) {
            case BOOL -> element + " != 0";
            case UINT8 -> element + " & 0xff";
            case FLOAT16 -> "Float16.toFloat(" + element + ")";
            default -> element;
        };
    }

    /** The stored element of a value. */
    static String write(DType dtype, String value) {
        return switch (dtype) {
            case BOOL -> "(byte) (" + value + " ? 1 : 0)";
            case UINT8, INT8 -> "(byte) " + value;
            case INT16 -> "(short) " + value;
            case FLOAT16 -> "Float16.fromFloat(" + value + ")";
            default -> value;
        };
    }

    /** What an operation's text needs afterwards, so that the result has exactly its dtype, or will have once it is rounded. */
    static String narrow(DType dtype, String value) {
        return switch (dtype) {
            case UINT8 -> value + " & 0xff";
            case INT8 -> "(byte) " + value;
            case INT16 -> "(short) " + value;
            default -> value;
        };
    }

    /** What an operation computed in one dtype, as exactly a value of its result's dtype, but not rounded to float16. */
    static String result(DType compute, DType dtype, String text) {
        if (compute == DType.FLOAT64 && (dtype == DType.FLOAT32 || dtype == DType.FLOAT16)) {
            return "(float) " + text;
        }
        return narrow(dtype, "").isEmpty() ? text : narrow(dtype, "(" + text + ")");
    }

    /** A conversion of a named value; one to float16 is by way of float, and not rounded yet. */
    static String convert(DType from, DType to, String value) {
        if (from == to) {
            return value;
        }
        if (to == DType.BOOL) {
            return value + " != 0";
        }
        if (from == DType.BOOL) {
            return value + " ? " + number(1, to) + " : " + number(0, to);
        }
        return from.isFloatingPoint() ? fromFloating(to, value) : fromInteger(to, value);
    }

    private static String number(long value, DType dtype) {
        return constant(dtype.isFloatingPoint() ? (Object) (double) value : (Object) value, dtype);
    }

    private static String fromFloating(DType to, String value) {
        return switch (to) {
            case FLOAT16, FLOAT32 -> "(float) " + value;
            case FLOAT64 -> "(double) " + value;
            case INT64 -> "Truncation.toInt64(" + value + ")";
            case UINT8 -> "(int) Truncation.toInt64(" + value + ") & 0xff";
            case INT32 -> "Truncation.toInt32(" + value + ")";
            default -> narrow(to, "Truncation.toInt32(" + value + ")");
        };
    }

    private static String fromInteger(DType to, String value) {
        return switch (to) {
            case FLOAT16 -> "(float) (double) " + value;
            case FLOAT32 -> "(float) " + value;
            case FLOAT64 -> "(double) " + value;
            case INT64 -> "(long) " + value;
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
        if (dtype == DType.INT64) {
            return number == Long.MIN_VALUE ? "Long.MIN_VALUE" : signed(number + "L");
        }
        return number == Integer.MIN_VALUE ? "Integer.MIN_VALUE" : signed(Long.toString(number));
    }

    private static String doubleText(double value) {
        if (Double.isNaN(value)) {
            return "Double.NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "Double.POSITIVE_INFINITY" : "Double.NEGATIVE_INFINITY";
        }
        return signed(Double.toString(value));
    }

    private static String floatText(float value) {
        if (Float.isNaN(value)) {
            return "Float.NaN";
        }
        if (Float.isInfinite(value)) {
            return value > 0 ? "Float.POSITIVE_INFINITY" : "Float.NEGATIVE_INFINITY";
        }
        return signed(Float.toString(value) + "f");
    }

    private static String signed(String number) {
        return number.startsWith("-") ? "(" + number + ")" : number;
    }
}
