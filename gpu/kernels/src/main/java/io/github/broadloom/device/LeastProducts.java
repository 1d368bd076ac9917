package io.github.broadloom.device;

import io.github.broadloom.tensor.Tensor;
import java.util.Optional;

/**
 * The least elements of each row of a product of matrices, found where it is computed, so that the product as a whole is nowhere. Each element is a sum of fused multiply-adds along the places, of any
 * order. Safe for use by several threads at once.
 */
@FunctionalInterface
public interface LeastProducts {
    /** So many of a row are found at most: what the shared memory of every GPU holds. */
    int MOST = 3072;

    /**
     * The least of each row, the least first, and of equal ones that of the least column; NaN is before all others.
     *
     * @param rows {@code [n, places]}, float32, of this JVM
     * @param columns {@code [m, places]}, as well, and m less than 2³¹; they stay as they are while their storage lives, and many calls share a copy on the device
     * @param count how many of each row: at most m, and {@value #MOST}
     * @return of each row so many, of which {@link #product} and {@link #column} tell; empty where the device has no memory or no kernel for them
     */
    Optional<long[]> of(Tensor rows, Tensor columns, int count);

    /** A product as it is found: of the order of floats, of which 0.0 and -0.0 are the same, then of columns. */
    static long found(float product, int column) {
        int bits = Float.floatToRawIntBits(product + 0.0f);
        int order = Float.isNaN(product) ? Integer.MIN_VALUE : bits ^ bits >> 31 & Integer.MAX_VALUE;
        return (long) order << Integer.SIZE | Integer.toUnsignedLong(column);
    }

    static float product(long found) {
        int order = (int) (found >> Integer.SIZE);
        return Float.intBitsToFloat(order ^ order >> 31 & Integer.MAX_VALUE);
    }

    static int column(long found) {
        return (int) found;
    }
}
