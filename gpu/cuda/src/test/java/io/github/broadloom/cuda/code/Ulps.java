package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;

/** How far two numbers of a dtype lie apart, counted in the numbers of that dtype between them. */
final class Ulps {
    private Ulps() {}

    /** The distance; 0 of two NaNs, and the greatest long where one is NaN. */
    static long between(double a, double b, DType dtype) {
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Double.isNaN(a) && Double.isNaN(b) ? 0 : Long.MAX_VALUE;
        }
        return Math.abs(ordinal(a, dtype) - ordinal(b, dtype));
    }

    /** The number of a value among the values of its dtype, in their order; -0.0 is behind the negatives, one before 0.0. */
    private static long ordinal(double value, DType dtype) {
        if (dtype.isReducedFloatingPoint()) {
            return signed(dtype.reduced().fromDouble(value), Short.MIN_VALUE);
        }
        return dtype == DType.FLOAT32
                ? signed(Float.floatToIntBits((float) value), Integer.MIN_VALUE)
                : signed(Double.doubleToLongBits(value), Long.MIN_VALUE) / 2;
    }

    private static long signed(long bits, long smallest) {
        return bits < 0 ? smallest - bits - 1 : bits;
    }
}
