package io.github.broadloom.dtype;

/** Conversions of bfloat16, the upper half of a float32, to nearest with ties to even. */
public final class BFloat16 {
    private static final short NAN = 0x7FC0;

    /** These conversions, for code that serves any such dtype. */
    public static final ReducedFloat FORMAT =
            new ReducedFloat(BFloat16.class, "bfloat16", BFloat16::toFloat, BFloat16::fromFloat);

    private BFloat16() {}

    /** The value of these bits; exact. */
    public static float toFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /** The bits of the nearest bfloat16; one NaN stands for all. */
    public static short fromFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        int rounded =
                bits + 0x7FFF + (bits >>> 16 & 1) >>> 16; // a carry goes on into the exponent, at last to infinity
        return Float.isNaN(value) ? NAN : (short) rounded;
    }

    public static float round(float value) {
        return toFloat(fromFloat(value));
    }
}
