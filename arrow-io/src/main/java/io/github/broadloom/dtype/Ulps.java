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
        switch (dtype) {
            case FLOAT64:
                long bits = Double.doubleToLongBits(value);
                return bits >= 0 ? bits : -(bits & Long.MAX_VALUE);
            case FLOAT32:
                int single = Float.floatToIntBits((float) value);
                return single >= 0 ? single : -(long) (single & Integer.MAX_VALUE);
            case FLOAT16:
                short half = Float16.fromDouble(value);
                return half >= 0 ? half : -(long) (half & Short.MAX_VALUE);
            default:
                throw new IllegalArgumentException("Cannot count units in the last place: " + dtype + " has none");
        }
    }
}
