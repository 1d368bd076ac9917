package io.github.broadloom.codegen;

import io.github.broadloom.dtype.DType;

/** Values in Java. */
final class JavaValues extends ValueText {
    static final JavaValues TEXT = new JavaValues();

    private JavaValues() {}

    @Override
    public String read(DType dtype, String element) {
        return switch (dtype) {
            case BOOL -> element + " != 0";
            case UINT8 -> element + " & 0xff";
            case FLOAT16 -> "Float16.toFloat(" + element + ")";
            default -> element;
        };
    }

    @Override
    public String write(DType dtype, String value) {
        return switch (dtype) {
            case BOOL -> "(byte) (" + value + " ? 1 : 0)";
            case UINT8, INT8 -> "(byte) " + value;
            case INT16 -> "(short) " + value;
            case FLOAT16 -> "Float16.fromFloat(" + value + ")";
            default -> value;
        };
    }

    @Override
    protected String operand(String text) {
        return "(" + text + ")";
    }

    @Override
    protected String int8Type() {
        return "byte";
    }

    @Override
    protected String int64Type() {
        return "long";
    }

    @Override
    protected String truncated(DType integer, String value) {
        return (integer == DType.INT64 ? "Truncation.toInt64(" : "Truncation.toInt32(") + value + ")";
    }

    @Override
    protected String halfOfInteger(DType from, String value) {
        return "(float) (double) " + value;
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
