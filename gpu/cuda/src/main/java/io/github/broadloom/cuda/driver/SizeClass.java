package io.github.broadloom.cuda.driver;

/**
 * Sizes of device memory. Rounding up makes blocks of nearly equal sizes exchangeable: up to 1 MiB to a quarter of the power of two below, beyond that to
 * 2 MiB, the unit in which the driver takes memory from the device.
 */
final class SizeClass {
    /** Nothing is smaller: every address that the driver gives is a multiple of this. */
    private static final long UNIT = 512;

    private static final long SMALL = 1 << 20;
    private static final long LARGE_UNIT = 2 << 20;

    private SizeClass() {}

    static long of(long bytes) {
        if (bytes <= UNIT) {
            return UNIT;
        }
        long step = bytes <= SMALL ? Math.max(UNIT, Long.highestOneBit(bytes - 1) / 4) : LARGE_UNIT;
        return (bytes + step - 1) / step * step;
    }

    /** Whether a block may be lent where a smaller one would do: it wastes a quarter at most. */
    static boolean fits(long size, long block) {
        return block <= size + size / 4;
    }
}
