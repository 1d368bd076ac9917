package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Order;

/**
 * Keys of stored elements, which compare as signed numbers as the elements do in an order. Both zeros have one key, all NaN have one, above that of infinity. Keys of dtypes of fewer than 64
 * bits are not negative, and have as many bits as an element.
 */
public final class SortKeys {
    private static final int SIGN_AND_MAGNITUDE = 0x7fff;

    private SortKeys() {}

    static int bits(DType dtype) {
        return dtype.bytes() * Byte.SIZE;
    }

    /** That of every NaN of a floating dtype, in ascending order. */
    public static long ofNaN(DType dtype) {
        Object nan = dtype.primitive().newArray(1);
        switch (dtype.primitive()) {
            case DOUBLE -> ((double[]) nan)[0] = Double.NaN;
            case FLOAT -> ((float[]) nan)[0] = Float.NaN;
            case SHORT -> ((short[]) nan)[0] = dtype.reduced().fromDouble(Double.NaN);
            case BYTE, INT, LONG -> throw new IllegalStateException(dtype + " is no floating dtype");
        }
        long[] key = new long[1];
        of(dtype, Order.ASCENDING, nan, 0, 1, key, 0);
        return key[0];
    }

    /**
     * Makes the keys of {@code count} elements.
     *
     * @param from where they begin in {@code elements}
     * @param at where the keys begin
     */
    public static void of(DType dtype, Order order, Object elements, int from, int count, long[] keys, int at) {
        int bits = bits(dtype);
        long turned = order == Order.ASCENDING ? 0 : bits == Long.SIZE ? -1 : (1L << bits) - 1;
        switch (dtype.primitive()) {
            case DOUBLE -> doubles((double[]) elements, from, count, turned, keys, at);
            case FLOAT -> floats((float[]) elements, from, count, turned, keys, at);
            case LONG -> longs((long[]) elements, from, count, turned, keys, at);
            case INT -> ints((int[]) elements, from, count, turned, keys, at);
            case SHORT -> {
                if (dtype.isFloatingPoint()) {
                    int infinity = dtype.reduced().fromDouble(Double.POSITIVE_INFINITY);
                    halves((short[]) elements, from, count, infinity, (int) turned, keys, at);
                } else {
                    shorts((short[]) elements, from, count, turned, keys, at);
                }
            }
            case BYTE -> bytes((byte[]) elements, from, count, dtype.isSigned() ? 0x80 : 0, (int) turned, keys, at);
        }
    }

    private static void doubles(double[] elements, int from, int count, long turned, long[] keys, int at) {
        for (int i = 0; i < count; i++) {
            long bits = Double.doubleToLongBits(elements[from + i] + 0.0); // -0.0 becomes 0.0
            keys[at + i] = bits ^ ((bits >> 63) >>> 1) ^ turned;
        }
    }

    private static void floats(float[] elements, int from, int count, long turned, long[] keys, int at) {
        for (int i = 0; i < count; i++) {
            int bits = Float.floatToIntBits(elements[from + i] + 0.0f);
            keys[at + i] = (bits ^ ((bits >> 31) >>> 1) ^ Integer.MIN_VALUE) & 0xffffffffL ^ turned;
        }
    }

    private static void halves(short[] elements, int from, int count, int infinity, int turned, long[] keys, int at) {
        for (int i = 0; i < count; i++) {
            int magnitude = elements[from + i] & SIGN_AND_MAGNITUDE;
            int value = elements[from + i] < 0 ? -magnitude : magnitude;
            value = magnitude > infinity ? SIGN_AND_MAGNITUDE : value;
            keys[at + i] = (value + 0x8000L) ^ turned;
        }
    }

    private static void longs(long[] elements, int from, int count, long turned, long[] keys, int at) {
        for (int i = 0; i < count; i++) {
            keys[at + i] = elements[from + i] ^ turned;
        }
    }

    private static void ints(int[] elements, int from, int count, long turned, long[] keys, int at) {
        for (int i = 0; i < count; i++) {
            keys[at + i] = (elements[from + i] ^ Integer.MIN_VALUE) & 0xffffffffL ^ turned;
        }
    }

    private static void shorts(short[] elements, int from, int count, long turned, long[] keys, int at) {
        for (int i = 0; i < count; i++) {
            keys[at + i] = (elements[from + i] + 0x8000L) ^ turned;
        }
    }

    private static void bytes(byte[] elements, int from, int count, int sign, int turned, long[] keys, int at) {
        for (int i = 0; i < count; i++) {
            keys[at + i] = (elements[from + i] & 0xff) ^ sign ^ turned;
        }
    }

    /** The element of a key in ascending order; both zeros are the positive one. A Double of floating dtypes, a Long of others. */
    static Number value(DType dtype, long key) {
        return switch (dtype.primitive()) {
            case DOUBLE -> Double.longBitsToDouble(key ^ ((key >> 63) >>> 1));
            case FLOAT -> {
                int turned = (int) key ^ Integer.MIN_VALUE;
                yield (double) Float.intBitsToFloat(turned ^ ((turned >> 31) >>> 1));
            }
            case LONG -> key;
            case INT -> (long) ((int) key ^ Integer.MIN_VALUE);
            case SHORT -> shortValue(dtype, (int) key - 0x8000);
            case BYTE -> dtype.isSigned() ? (long) (byte) (key ^ 0x80) : key;
        };
    }

    private static Number shortValue(DType dtype, int value) {
        if (!dtype.isFloatingPoint()) {
            return (long) value;
        }
        return (double) dtype.reduced().toFloat((short) (value < 0 ? 0x8000 | -value : value));
    }
}
