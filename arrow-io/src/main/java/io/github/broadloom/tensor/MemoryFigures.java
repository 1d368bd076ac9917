package io.github.broadloom.tensor;

import java.io.Serializable;
import java.util.Locale;

/**
 * What Broadloom's off-heap memory comes to in one JVM, or in several together. Bytes are those of the size classes in which memory is
 * taken; counts run since the JVM started.
 *
 * @param heldBytes what tensors, Spark's cached chunks and Arrow vectors hold now
 * @param peakBytes the most that was ever held at once
 * @param pooledBytes freed and waiting for the next taker
 * @param limitBytes the most that may be held and pooled together
 * @param poolLimitBytes the most that may be pooled
 * @param hits large buffers that were taken from the pool
 * @param misses large buffers that took fresh pages
 * @param freshBytes what those pages came to; each of their pages costs several times the arithmetic done on it
 * @param collections how often garbage was collected to find results that had been dropped
 */
public record MemoryFigures(
        long heldBytes,
        long peakBytes,
        long pooledBytes,
        long limitBytes,
        long poolLimitBytes,
        long hits,
        long misses,
        long freshBytes,
        long collections)
        implements Serializable {
    private static final double MEBIBYTE = 1 << 20;

    public static final MemoryFigures NONE = new MemoryFigures(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The sums; that of the peaks is no more than an upper bound. */
    public MemoryFigures plus(MemoryFigures other) {
        return new MemoryFigures(
                heldBytes + other.heldBytes,
                peakBytes + other.peakBytes,
                pooledBytes + other.pooledBytes,
                limitBytes + other.limitBytes,
                poolLimitBytes + other.poolLimitBytes,
                hits + other.hits,
                misses + other.misses,
                freshBytes + other.freshBytes,
                collections + other.collections);
    }

    /** One sentence, sizes in MiB. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s held (at most %s) and %s pooled, of %s; pool of %s: %d hits, %d misses (%s of fresh pages), %d"
                        + " collections",
                mebibytes(heldBytes),
                mebibytes(peakBytes),
                mebibytes(pooledBytes),
                mebibytes(limitBytes),
                mebibytes(poolLimitBytes),
                hits,
                misses,
                mebibytes(freshBytes),
                collections);
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEBIBYTE);
    }
}
