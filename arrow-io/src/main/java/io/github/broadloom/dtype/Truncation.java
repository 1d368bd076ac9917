package io.github.broadloom.dtype;

/**
 * How a floating number becomes an integer: it loses its fraction, as in C compiled for x86. What the processor's conversion
 * cannot represent, NaN too, becomes the smallest integer; Java's own cast would saturate.
 */
public final class Truncation {

    private Truncation() {}

    /** To int64; also, of its low eight bits, to uint8. */
    public static long toInt64(double value) {
        return value >= -0x1p63 && value < 0x1p63 ? (long) value : Long.MIN_VALUE;
    }

    /** To int32; also, of its low bits, to int16 and int8. */
    public static int toInt32(double value) {
        return value > -0x1p31 - 1 && value < 0x1p31 ? (int) value : Integer.MIN_VALUE;
    }
}
