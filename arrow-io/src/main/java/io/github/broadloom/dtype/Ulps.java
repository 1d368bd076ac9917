package io.github.broadloom.dtype;

/** Distances in units of the last place: how many steps of a floating dtype lie between two of its values. */
public final class Ulps {
    private Ulps() {}

    /**
     * The distance between two values of the dtype; both zeros are one value. Neither may be NaN.
     *
     * @return the number of steps, {@code Long.MAX_VALUE} when a long cannot hold it
     */
    public static long between(double a, double b, DType dtype) {
        long from = position(a, dtype);
        long to = position(b, dtype);
        long distance = from - to;
        boolean overflow = ((from ^ to) & (from ^ distance)) < 0;
        return overflow || distance == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(distance);
    }

    /** Where the value stands among all values of the dtype in ascending order, counted from zero. */
    private static long position(double value, DType dtype) {
        if (!dtype.isFloatingPoint()) {
            throw new IllegalArgumentException("Cannot count units in the last place: " + dtype + " has none");
        }
        long bits = bits(value, dtype);
        return bits >= 0 ? bits : -(bits & -1L >>> Long.SIZE - dtype.bytes() * Byte.SIZE + 1);
    }

    /** The bits of the nearest value of the dtype, the sign in all bits above them. */
    private static long bits(double value, DType dtype) {
        if (dtype.isReducedFloatingPoint()) {
            return dtype.reduced().fromDouble(value);
        }
        return dtype == DType.FLOAT64 ? Double.doubleToLongBits(value) : Float.floatToIntBits((float) value);
    }
}
