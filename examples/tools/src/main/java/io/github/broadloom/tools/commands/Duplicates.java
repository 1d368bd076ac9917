package io.github.broadloom.tools.commands;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.functions;

/**
 * Groups of rows that are nearly the same.
 *
 * @param stars {@code row} and {@code other}: each row of a group but the first, and the first
 * @param of the first row of each group, and how many rows it has
 * @param sizes how many groups there are of each size
 * @param rounds that it took to find them
 */
record Duplicates(Dataset<Row> stars, Dataset<Row> of, Map<Long, Long> sizes, int rounds) implements AutoCloseable {
    static Duplicates of(Dataset<Row> stars, int rounds) {
        Dataset<Row> groups = stars.groupBy("other")
                .count()
                .coalesce(stars.rdd().getNumPartitions()) // a table that is kept has all partitions of a shuffle
                .selectExpr("other AS first", "count + 1 AS size")
                .persist();
        Map<Long, Long> sizes = new TreeMap<>();
        for (Row row : groups.groupBy("size").count().collectAsList()) {
            sizes.put(row.getLong(0), row.getLong(1));
        }
        return new Duplicates(stars, groups, sizes, rounds);
    }

    long groups() {
        return sizes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many rows are in a group. */
    long grouped() {
        return sizes.entrySet().stream()
                .mapToLong(entry -> entry.getKey() * entry.getValue())
                .sum();
    }

    /** The sizes of the largest groups by their first rows, the largest first. */
    Map<Long, Long> largest(int most) {
        Map<Long, Long> largest = new LinkedHashMap<>();
        Dataset<Row> ordered = of.orderBy(functions.desc("size"), functions.col("first"));
        for (Row row : ordered.limit(most).collectAsList()) {
            largest.put(row.getLong(0), row.getLong(1));
        }
        return largest;
    }

    /** Writes a table of all rows, and of the first row of the group that each is in. */
    void write(long rows, String address) {
        stars.sparkSession()
                .range(rows)
                .toDF("row")
                .join(stars.withColumnRenamed("other", "first"), "row", "left")
                .selectExpr("row", "coalesce(first, row) AS group")
                .sort("row")
                .write()
                .mode(SaveMode.Overwrite)
                .parquet(address);
    }

    @Override
    public void close() {
        of.unpersist();
        stars.unpersist();
    }
}
