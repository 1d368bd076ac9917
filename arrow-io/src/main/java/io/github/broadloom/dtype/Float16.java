package io.github.broadloom.dtype;

/**
 * IEEE 754 binary16 conversions, to nearest with ties to even. {@code Float.floatToFloat16} came only with Java 20.
 */
public final class Float16 {
    private static final int INFINITY = 0x7C00;
    private static final int NAN = 0x7E00;
    /** Halfway between 65504, the largest float16, and the next step; the tie goes to infinity. */
    private static final double OVERFLOW = 65520.0;

    private static final double MIN_NORMAL = 0x1p-14;

    /** These conversions, for code that serves any such dtype. */
    public static final ReducedFloat FORMAT =
            new ReducedFloat(Float16.class, "half", Float16::toFloat, Float16::fromFloat);

    private Float16() {}

    /** The value of these bits; exact. */
    public static float toFloat(short bits) {
        int magnitude = bits & 0x7FFF;
        int sign = (bits & 0x8000) << 16;
        if (magnitude >= INFINITY) {
            return Float.intBitsToFloat(sign | 0x7F800000 | (magnitude & 0x3FF) << 13);
        }
        if (magnitude < 0x0400) {
            return Float.intBitsToFloat(sign | Float.floatToRawIntBits(magnitude * 0x1p-24f));
        }
        return Float.intBitsToFloat(sign | (magnitude << 13) + ((127 - 15) << 23));
    }

    /** The bits of the nearest float16. */
    public static short fromFloat(float number) {
        double value = number; // exact, and leaves room for the scaling below
        int sign = (int) (Double.doubleToRawLongBits(value) >>> 48) & 0x8000;
        double magnitude = Math.abs(value);
        if (!(magnitude < OVERFLOW)) {
            return (short) (sign | (Double.isNaN(value) ? NAN : INFINITY));
        }
        if (magnitude < MIN_NORMAL) {
            return (short) (sign | (int) Math.rint(magnitude * 0x1p24));
        }
        int exponent = Math.getExponent(magnitude);
        double toInteger = Double.longBitsToDouble((long) (1023 + 10 - exponent) << 52);
        int significand = (int) Math.rint(magnitude * toInteger); // 1024 … 2048; 2048 carries into the exponent
        return (short) (sign | ((exponent + 15) << 10) + significand - 1024);
    }

    public static float round(float value) {
        return toFloat(fromFloat(value));
    }
}
