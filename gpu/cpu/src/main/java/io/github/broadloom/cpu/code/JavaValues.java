package io.github.broadloom.cpu.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.ValueText;

/** Values in Java. */
final class JavaValues extends ValueText {
    static final JavaValues TEXT = new JavaValues();

    private JavaValues() {}

    @Override
    public String read(DType dtype, String element) {
        if (dtype == DType.BOOL) {
            return element + " != 0";
        }
        if (dtype.isReducedFloatingPoint()) {
            return call(dtype, "toFloat", element);
        }
        return dtype.isSigned() ? element : element + " & 0xff";
    }

    @Override
    public String write(DType dtype, String value) {
        if (dtype == DType.BOOL) {
            return "(byte) (" + value + " ? 1 : 0)";
        }
        if (dtype.isReducedFloatingPoint()) {
            return call(dtype, "fromFloat", value);
        }
        return dtype == dtype.widened() ? value : "(" + storedType(dtype) + ") " + value;
    }

    /** The nearest value of a reduced floating dtype. */
    static String rounded(DType dtype, String value) {
        return call(dtype, "round", value);
    }

    private static String call(DType dtype, String method, String value) {
        return dtype.reduced().methods().getSimpleName() + "." + method + "(" + value + ")";
    }

    @Override
    protected String operand(String text) {
        return "(" + text + ")";
    }

    @Override
    protected String storedType(DType dtype) {
        return dtype.primitive().javaName();
    }

    @Override
    protected String truncated(DType integer, String value) {
        return (integer == DType.INT64 ? "Truncation.toInt64(" : "Truncation.toInt32(") + value + ")";
    }

    @Override
    protected String nan(DType dtype) {
        return box(dtype) + ".NaN";
    }

    @Override
    protected String infinity(DType dtype, boolean negative) {
        return box(dtype) + (negative ? ".NEGATIVE_INFINITY" : ".POSITIVE_INFINITY");
    }

    private static String box(DType dtype) {
        return dtype == DType.FLOAT64 ? "Double" : "Float";
    }

    @Override
    protected String decimal(String number) {
        return number;
    }

    @Override
    protected String smallest(DType integer) {
        return integer == DType.INT64 ? "Long.MIN_VALUE" : "Integer.MIN_VALUE";
    }

    @Override
    protected String int64Suffix() {
        return "L";
    }
}
