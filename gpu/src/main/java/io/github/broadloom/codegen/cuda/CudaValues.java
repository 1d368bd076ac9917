package io.github.broadloom.codegen.cuda;

import io.github.broadloom.codegen.ValueText;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Op;
import java.util.Locale;

/** Values in CUDA C. */
final class CudaValues extends ValueText {
    static final CudaValues TEXT = new CudaValues();

    private CudaValues() {}

    /** The type of a stored element. A bool is a byte, for what is stored may be another number than 0 and 1. */
    static String storedType(DType dtype) {
        return switch (dtype) {
            case BOOL, UINT8 -> "u8";
            case FLOAT16 -> "u16";
            default -> dtype.cudaName();
        };
    }

    /** Whether a conversion leaves the value as it is, but for rounding to float16: the type in the kernel is the same. */
    static boolean isSameValue(DType from, DType to) {
        return from == to
                || Op.cudaType(from).equals("float") && Op.cudaType(to).equals("float")
                || to == DType.INT32 && Op.cudaType(from).equals("int")
                || to == DType.INT16 && (from == DType.INT8 || from == DType.UINT8);
    }

    @Override
    public String read(DType dtype, String element) {
        return switch (dtype) {
            case BOOL -> element + " != 0";
            case FLOAT16 -> "bl_half_to_float(" + element + ")";
            default -> element;
        };
    }

    /** Of any expression; the narrow integers already are in their range. */
    @Override
    public String write(DType dtype, String value) {
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

    @Override
    protected String operand(String text) {
        return text;
    }

    @Override
    protected String int8Type() {
        return "signed char";
    }

    @Override
    protected String int64Type() {
        return "long long";
    }

    @Override
    protected String truncated(DType integer, String value) {
        return (integer == DType.INT64 ? "bl_to_int64(" : "bl_to_int32(") + value + ")";
    }

    @Override
    protected String halfOfInteger(DType from, String value) {
        return from == DType.INT64 ? "(float) (double) " + value : "(float) " + value;
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
