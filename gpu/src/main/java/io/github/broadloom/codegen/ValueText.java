package io.github.broadloom.codegen;

import io.github.broadloom.dtype.DType;

/**
 * The text that reads, converts, writes and spells values inside a kernel, in the kernel's language; see {@link io.github.broadloom.expr.Op}. Conversions are the
 * same in all of them, so that the bits are.
 */
public abstract class ValueText {
    /** The value of a stored element. */
    public abstract String read(DType dtype, String element);

    /** The stored element of a value. */
    public abstract String write(DType dtype, String value);

    /** The text of an operation as an operand of another. */
    protected abstract String operand(String text);

    /** The type of an int8. */
    protected abstract String int8Type();

    /** The type of an int64. */
    protected abstract String int64Type();

    /** A floating value without its fraction, as an int32 or an int64. */
    protected abstract String truncated(DType integer, String value);

    /** An integer on its way to float16, not rounded yet. */
    protected abstract String halfOfInteger(DType from, String value);

    /** Not a number, of float32 or float64. */
    protected abstract String nan(DType dtype);

    /** Positive or negative infinity, of float32 or float64. */
    protected abstract String infinity(DType dtype, boolean negative);

    /** A decimal number as Java writes it, in this language. */
    protected abstract String decimal(String number);

    /** The smallest int32 or int64, a primary expression. */
    protected abstract String smallest(DType integer);

    /** What follows the digits of an int64. */
    protected abstract String int64Suffix();

    /** What an operation's text needs afterwards, so that the result has exactly its dtype, or will have once it is rounded. */
    private String narrow(DType dtype, String value) {
        return switch (dtype) {
            case UINT8 -> value + " & 0xff";
            case INT8 -> "(" + int8Type() + ") " + value;
            case INT16 -> "(short) " + value;
            default -> value;
        };
    }

    /** What an operation computed in one dtype, as exactly a value of its result's dtype, but not rounded to float16. */
    public final String result(DType compute, DType dtype, String text) {
        if (compute == DType.FLOAT64 && (dtype == DType.FLOAT32 || dtype == DType.FLOAT16)) {
            return "(float) " + text;
        }
        return narrow(dtype, "").isEmpty() ? text : narrow(dtype, operand(text));
    }

    /** A conversion of a named value to another dtype; one to float16 is not rounded yet. */
    public final String convert(DType from, DType to, String value) {
        if (from == to) {
            return value;
        }
        if (to == DType.BOOL) {
            return value + " != 0";
        }
        if (from == DType.BOOL) {
            return value + " ? " + number(1, to) + " : " + number(0, to);
        }
        return from.isFloatingPoint() ? fromFloating(to, value) : fromInteger(from, to, value);
    }

    private String number(long value, DType dtype) {
        return constant(dtype.isFloatingPoint() ? (Object) (double) value : (Object) value, dtype);
    }

    private String fromFloating(DType to, String value) {
        return switch (to) {
            case FLOAT16, FLOAT32 -> "(float) " + value;
            case FLOAT64 -> "(double) " + value;
            case INT64 -> truncated(DType.INT64, value);
            case UINT8 -> "(int) " + truncated(DType.INT64, value) + " & 0xff";
            default -> narrow(to, truncated(DType.INT32, value));
        };
    }

    private String fromInteger(DType from, DType to, String value) {
        return switch (to) {
            case FLOAT16 -> halfOfInteger(from, value);
            case FLOAT32 -> "(float) " + value;
            case FLOAT64 -> "(double) " + value;
            case INT64 -> "(" + int64Type() + ") " + value;
            case UINT8 -> "(int) " + value + " & 0xff";
            case INT32 -> "(int) " + value;
            default -> narrow(to, value);
        };
    }

    /** A number as a primary expression. */
    public final String constant(Object value, DType dtype) {
        if (value instanceof Boolean bool) {
            return bool.toString();
        }
        if (dtype.isFloatingPoint()) {
            double number = ((Number) value).doubleValue();
            return dtype == DType.FLOAT64
                    ? floating(number, Double.toString(number), DType.FLOAT64)
                    : floating((float) number, Float.toString((float) number), DType.FLOAT32);
        }
        long number = ((Number) value).longValue();
        if (dtype == DType.INT64) {
            return number == Long.MIN_VALUE ? smallest(DType.INT64) : signed(number + int64Suffix());
        }
        return number == Integer.MIN_VALUE ? smallest(DType.INT32) : signed(Long.toString(number));
    }

    private String floating(double value, String digits, DType dtype) {
        if (Double.isNaN(value)) {
            return nan(dtype);
        }
        if (Double.isInfinite(value)) {
            return infinity(dtype, value < 0);
        }
        return signed(decimal(digits) + (dtype == DType.FLOAT32 ? "f" : ""));
    }

    private static String signed(String number) {
        return number.startsWith("-") ? "(" + number + ")" : number;
    }
}
