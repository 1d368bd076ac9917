package io.github.broadloom.sql.nearest;

import io.github.broadloom.tensor.Device;
import java.io.Serializable;
import java.util.Locale;

/**
 * Which rows are the nearest.
 *
 * @param k how many at most
 * @param order whether the least or the greatest ranks are the nearest
 * @param unmatched what becomes of a row that has none
 * @param device of the scores
 * @param bytes {@code spark.broadloom.sql.nearestBytes}
 */
public record NearestSpec(int k, Order order, Unmatched unmatched, Device device, long bytes) implements Serializable {
    /** What {@code spark.broadloom.sql.nearestBytes} is where nobody sets it. */
    public static final long DEFAULT_BYTES = 256L << 20;

    /** Which ranks come first. */
    public enum Order {
        /** The least: {@code BY DISTANCE}. */
        DISTANCE,
        /** The greatest: {@code BY SIMILARITY}. */
        SIMILARITY
    }

    /** A row without any other. */
    public enum Unmatched {
        /** It is left out, as of an inner join. */
        DROP,
        /** It is kept, as of a left outer join. */
        KEEP
    }

    @Override
    public String toString() {
        return k + " by " + order.name().toLowerCase(Locale.ROOT) + (unmatched == Unmatched.KEEP ? ", outer" : "");
    }
}
