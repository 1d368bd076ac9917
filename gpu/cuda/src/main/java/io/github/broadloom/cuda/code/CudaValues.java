package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.ValueType;
import io.github.broadloom.kernels.ValueText;
import java.util.Locale;

/** Values in CUDA C. */
final class CudaValues extends ValueText {
    static final CudaValues TEXT = new CudaValues();

    private CudaValues() {}

    @Override
    protected String storedType(DType dtype) {
        return dtype.cudaName();
    }

    /** Whether a conversion leaves the value as it is, but for rounding: the type in the kernel is the same. */
    static boolean isSameValue(DType from, DType to) {
        return switch (to.valueType()) {
            case INT -> from.valueType() == ValueType.INT && to.holds(from);
            case FLOAT -> from.valueType() == ValueType.FLOAT;
            case BOOL, LONG, DOUBLE -> from == to;
        };
    }

    @Override
    public String read(DType dtype, String element) {
        if (dtype.isReducedFloatingPoint()) {
            return "bl_" + dtype.reduced().cudaName() + "_to_float(" + element + ")";
        }
        return dtype == DType.BOOL ? element + " != 0" : element;
    }

    /** Of any expression; the narrow integers already are in their range. */
    @Override
    public String write(DType dtype, String value) {
        if (dtype.isReducedFloatingPoint()) {
            return "bl_float_to_" + dtype.reduced().cudaName() + "(" + value + ")";
        }
        boolean isWide = dtype.cudaName().equals(dtype.valueType().cudaName());
        return isWide ? value : "(" + storedType(dtype) + ") " + (isName(value) ? value : "(" + value + ")");
    }

    static String rounded(DType dtype, String value) {
        return "bl_round_" + dtype.reduced().cudaName() + "(" + value + ")";
    }

    /** The element of a reduction's result: one NaN stands for all. */
    static String reduced(DType dtype, String value) {
        String name = dtype.isReducedFloatingPoint() ? "bl_" + dtype.reduced().cudaName() + "_result" : "bl_result";
        return dtype.isFloatingPoint() ? name + "(" + value + ")" : value;
    }

    private static boolean isName(String text) {
        return text.chars().allMatch(Character::isJavaIdentifierPart);
    }

    @Override
    protected String operand(String text) {
        return text;
    }

    @Override
    protected String truncated(DType integer, String value) {
        return (integer == DType.INT64 ? "bl_to_int64(" : "bl_to_int32(") + value + ")";
    }

    @Override
    protected String nan(DType dtype) {
        return dtype == DType.FLOAT64 ? "BL_NAN" : "BL_NAN_F";
    }

    @Override
    protected String infinity(DType dtype, boolean negative) {
        String infinity = dtype == DType.FLOAT64 ? "BL_INFINITY" : "BL_INFINITY_F";
        return negative ? "(-" + infinity + ")" : infinity;
    }

    @Override
    protected String decimal(String number) {
        return number.toLowerCase(Locale.ROOT);
    }

    /** C has no negative literals: the smallest numbers are differences. */
    @Override
    protected String smallest(DType integer) {
        return integer == DType.INT64 ? "(-9223372036854775807ll - 1)" : "(-2147483647 - 1)";
    }

    @Override
    protected String int64Suffix() {
        return "ll";
    }
}
