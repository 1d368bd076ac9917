package io.github.broadloom.tensor;

/** The sizes in which memory is taken, so that buffers of about the same size use each other's pages. */
final class SizeClasses {
    /** From here on buffers have pages of their own. */
    static final long LARGE_BYTES = 1 << 20;

    private static final int CLASSES_PER_DOUBLING = 8;
    /** More than any machine has; further up, rounding could overflow. */
    private static final long MOST_BYTES = 1L << 60;

    private SizeClasses() {}

    /**
     * The size of the smallest class with room for {@code bytes}: small ones are whole cache lines. (Arrow would round up to a power of two, which could double a chunk.)
     * What a larger class wastes, an eighth at most, is never touched, so it is an address and no memory.
     */
    static long rounded(long bytes) {
        if (bytes < LARGE_BYTES) {
            return RawMemory.cacheLine(bytes);
        }
        long step = Long.highestOneBit(bytes) / CLASSES_PER_DOUBLING;
        return bytes > MOST_BYTES ? bytes : (bytes + step - 1) & -step;
    }
}
