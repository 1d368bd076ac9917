package io.github.broadloom.dtype;

/** Whether a dtype can hold a number: the check of PyTorch's {@code c10::overflows} before a plain number is converted. */
public final class Fitting {

    private Fitting() {}

    /**
     * Refuses a number that the dtype cannot hold: infinities and NaN fit every floating dtype, uint8 takes integers down
     * to -255 but floating numbers only from 0, a fraction past the largest integer does not fit, and bool takes anything.
     *
     * @param value a Boolean or a Number
     * @throws IllegalArgumentException with PyTorch's text
     */
    public static void check(DType dtype, Object value) {
        if (!(value instanceof Number number) || dtype == DType.BOOL) {
            return;
        }
        boolean fits = dtype.isFloatingPoint() ? fitsFloating(dtype, number) : fitsInteger(dtype, number);
        if (!fits) {
            throw new IllegalArgumentException(
                    "value cannot be converted to type " + cName(dtype) + " without overflow");
        }
    }

    private static boolean fitsFloating(DType dtype, Number number) {
        double magnitude = Math.abs(number.doubleValue());
        return !(magnitude > FloatInfo.of(dtype).max()) || Double.isInfinite(magnitude);
    }

    private static boolean fitsInteger(DType dtype, Number number) {
        IntInfo limits = IntInfo.of(dtype);
        if (number instanceof Double || number instanceof Float) { // as doubles: 2^63 passes for the largest int64
            return number.doubleValue() >= limits.min() && number.doubleValue() <= limits.max();
        }
        long min = dtype.isSigned() ? limits.min() : -limits.max();
        return number.longValue() >= min && number.longValue() <= limits.max();
    }

    private static String cName(DType dtype) {
        boolean isNamedByWidth = dtype.kind() == DType.Kind.INTEGER && dtype != DType.INT32;
        return isNamedByWidth ? dtype.torchName() + "_t" : dtype.cxxName();
    }
}
