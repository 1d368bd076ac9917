package io.github.broadloom.kernels;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.ValueType;

/**
 * The text that reads, converts, writes and spells values inside a kernel, in the kernel's language; see {@link io.github.broadloom.expr.ops.Op}. Conversions are the
 * same in all of them, so that the bits are.
 */
public abstract class ValueText {
    /** The value of a stored element. */
    public abstract String read(DType dtype, String element);

    /** The stored element of a value. */
    public abstract String write(DType dtype, String value);

    /** The text of an operation as an operand of another. */
    protected abstract String operand(String text);

    protected abstract String storedType(DType dtype);

    /** A floating value without its fraction, as an int32 or an int64. */
    protected abstract String truncated(DType integer, String value);

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
        if (!isNarrow(dtype)) {
            return value;
        }
        return dtype.isSigned() ? "(" + storedType(dtype) + ") " + value : value + " & 0xff";
    }

    private static boolean isNarrow(DType dtype) {
        return dtype.valueType() == ValueType.INT && dtype != dtype.widened();
    }

    /** What an operation computed in one dtype, as exactly a value of its result's dtype, but not rounded to a reduced floating one. */
    public final String result(DType compute, DType dtype, String text) {
        if (compute == DType.FLOAT64 && dtype.valueType() == ValueType.FLOAT) {
            return "(float) " + text;
        }
        return isNarrow(dtype) ? narrow(dtype, operand(text)) : text;
    }

    /** A conversion of a named value to another dtype; one to a reduced floating dtype is not rounded yet. */
    public final String convert(DType from, DType to, String value) {
        if (from == to) {
            return value;
        }
        if (from == DType.BOOL) {
            return value + " ? " + number(1, to) + " : " + number(0, to);
        }
        return from.isFloatingPoint() ? fromFloating(to, value) : fromInteger(to, value);
    }

    private String number(long value, DType dtype) {
        return constant(dtype.isFloatingPoint() ? (Object) (double) value : (Object) value, dtype);
    }

    private String fromFloating(DType to, String value) {
        return switch (to.valueType()) {
            case BOOL -> value + " != 0";
            case INT ->
                to.isSigned()
                        ? narrow(to, truncated(DType.INT32, value))
                        : narrow(to, "(int) " + truncated(DType.INT64, value));
            case LONG -> truncated(DType.INT64, value);
            case FLOAT -> "(float) " + value;
            case DOUBLE -> "(double) " + value;
        };
    }

    private String fromInteger(DType to, String value) {
        return switch (to.valueType()) {
            case BOOL -> value + " != 0";
            case INT -> narrow(to, isNarrow(to) && to.isSigned() ? value : "(int) " + value);
            case LONG -> "(" + storedType(DType.INT64) + ") " + value;
            case FLOAT -> "(float) " + value;
            case DOUBLE -> "(double) " + value;
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
