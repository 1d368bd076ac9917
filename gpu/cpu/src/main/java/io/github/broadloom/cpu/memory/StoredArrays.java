package io.github.broadloom.cpu.memory;

import java.util.Arrays;

/** Arrays of a dtype's stored elements. */
public final class StoredArrays {
    private StoredArrays() {}

    /** Repeats the first {@code length} elements from {@code at} on until there are {@code times} as many. */
    public static void repeat(Object array, int at, int length, int times) {
        if (length == 1) {
            fill(array, at, at + times);
            return;
        }
        int end = length * times;
        for (int filled = length; filled < end; filled *= 2) {
            System.arraycopy(array, at, array, at + filled, Math.min(filled, end - filled));
        }
    }

    private static void fill(Object array, int at, int end) {
        if (array instanceof float[] floats) {
            Arrays.fill(floats, at, end, floats[at]);
        } else if (array instanceof double[] doubles) {
            Arrays.fill(doubles, at, end, doubles[at]);
        } else if (array instanceof byte[] bytes) {
            Arrays.fill(bytes, at, end, bytes[at]);
        } else if (array instanceof int[] ints) {
            Arrays.fill(ints, at, end, ints[at]);
        } else if (array instanceof long[] longs) {
            Arrays.fill(longs, at, end, longs[at]);
        } else {
            short[] shorts = (short[]) array;
            Arrays.fill(shorts, at, end, shorts[at]);
        }
    }
}
