package io.github.broadloom.tools.commands;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.least;
import static org.apache.spark.sql.functions.min;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;
import org.apache.spark.storage.StorageLevel;

/**
 * The connected components of a graph of pairs: by large stars and small stars in turn (Kiveris and others, Connected Components in MapReduce and Beyond, 2014), which pull the neighbours of
 * each row to the least of them until every group is a star around its least row. The rounds are at most of the order of log² of the rows, and three or four as a rule.
 */
final class DuplicateGroups {
    private static final String ROW = "row";
    private static final String OTHER = "other";
    private static final WindowSpec OF_ROW = Window.partitionBy(col(ROW));

    /** What tells two sets of pairs apart. */
    private record Pairs(long count, long hash) {
        static Pairs of(Dataset<Row> pairs) {
            Row found = pairs.selectExpr("count(*)", "bit_xor(xxhash64(row, other))")
                    .head();
            return new Pairs(found.getLong(0), found.isNullAt(1) ? 0 : found.getLong(1));
        }
    }

    private int rounds;

    /**
     * The groups of pairs.
     *
     * @param pairs columns {@code row} and {@code other}, longs that differ; in either order, any number of times
     * @return {@code row} and {@code other}: each row of a group but the least, and the least; kept until it is unpersisted
     */
    Dataset<Row> of(Dataset<Row> pairs) {
        Dataset<Row> stars = kept(pairs);
        Pairs known = Pairs.of(stars);
        while (true) {
            rounds++;
            Dataset<Row> next = kept(smallStars(largeStars(stars)));
            stars.unpersist();
            stars = next;
            Pairs now = Pairs.of(stars);
            if (now.equals(known)) {
                return stars;
            }
            known = now;
        }
    }

    /** How many rounds that took. */
    int rounds() {
        return rounds;
    }

    /** Computed, and without a memory of how: else each round would plan all before it. */
    private static Dataset<Row> kept(Dataset<Row> pairs) {
        return pairs.localCheckpoint(true, StorageLevel.MEMORY_AND_DISK());
    }

    /** Ties the greater neighbours of each row to the least of all, or to the row. */
    private static Dataset<Row> largeStars(Dataset<Row> pairs) {
        Dataset<Row> both = pairs.select(ROW, OTHER).union(pairs.select(col(OTHER), col(ROW)));
        Column nearest = least(col(ROW), min(OTHER).over(OF_ROW));
        return both.select(col(ROW), col(OTHER), nearest.as("least"))
                .where("other > row")
                .select(col(OTHER).as(ROW), col("least").as(OTHER))
                .distinct();
    }

    /** Ties the lesser neighbours of each row, and the row, to the least of them. */
    private static Dataset<Row> smallStars(Dataset<Row> pairs) {
        Dataset<Row> down = pairs.selectExpr("greatest(row, other) AS row", "least(row, other) AS other");
        Dataset<Row> tied =
                down.select(col(ROW), col(OTHER), min(OTHER).over(OF_ROW).as("least"));
        return tied.where("other != least")
                .select(col(OTHER).as(ROW), col("least").as(OTHER))
                .union(tied.select(col(ROW), col("least").as(OTHER)))
                .distinct();
    }
}
