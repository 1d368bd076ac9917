package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;

/** Elements of a line by their places. */
public final class RankedValues {
    private RankedValues() {}

    /** The places behind the first {@code skipped}. */
    public static void places(int[] places, int skipped, int count, long[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = places[skipped + i];
        }
    }

    /** The elements at the places behind the first {@code skipped}, as they are stored; one NaN stands for all. */
    public static void values(DType dtype, Object elements, int[] places, int skipped, int count, Object into) {
        switch (dtype.primitive()) {
            case DOUBLE -> doubles((double[]) elements, places, skipped, count, (double[]) into);
            case FLOAT -> floats((float[]) elements, places, skipped, count, (float[]) into);
            case LONG -> longs((long[]) elements, places, skipped, count, (long[]) into);
            case INT -> ints((int[]) elements, places, skipped, count, (int[]) into);
            case SHORT -> {
                shorts((short[]) elements, places, skipped, count, (short[]) into);
                if (dtype.isFloatingPoint()) {
                    keepOneNaN(dtype, (short[]) into, count);
                }
            }
            case BYTE -> bytes((byte[]) elements, places, skipped, count, (byte[]) into);
        }
    }

    private static void doubles(double[] from, int[] places, int skipped, int count, double[] into) {
        for (int i = 0; i < count; i++) {
            double value = from[places[skipped + i]];
            into[i] = Double.isNaN(value) ? Double.NaN : value;
        }
    }

    private static void floats(float[] from, int[] places, int skipped, int count, float[] into) {
        for (int i = 0; i < count; i++) {
            float value = from[places[skipped + i]];
            into[i] = Float.isNaN(value) ? Float.NaN : value;
        }
    }

    static void longs(long[] from, int[] places, int skipped, int count, long[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = from[places[skipped + i]];
        }
    }

    private static void ints(int[] from, int[] places, int skipped, int count, int[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = from[places[skipped + i]];
        }
    }

    private static void shorts(short[] from, int[] places, int skipped, int count, short[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = from[places[skipped + i]];
        }
    }

    private static void bytes(byte[] from, int[] places, int skipped, int count, byte[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = from[places[skipped + i]];
        }
    }

    private static void keepOneNaN(DType dtype, short[] values, int count) {
        short one = dtype.reduced().fromDouble(Double.NaN);
        int infinity = dtype.reduced().fromDouble(Double.POSITIVE_INFINITY);
        for (int i = 0; i < count; i++) {
            values[i] = (values[i] & 0x7fff) > infinity ? one : values[i];
        }
    }
}
