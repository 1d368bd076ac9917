package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.session.TableInput;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Pairs of rows of a matrix that are no farther from each other than a threshold.
 *
 * @param console is told how far the search is
 */
record NearPairs(Broadloom broadloom, TableInput x, VectorMetric metric, double threshold, Console console) {
    /**
     * The groups of the pairs.
     *
     * @param k how many nearest rows of each are looked for at first
     * @param most how many at most, of those that may have more
     */
    Duplicates grouped(int k, int most) {
        DuplicateGroups search = new DuplicateGroups();
        return Duplicates.of(search.of(pairs(k, most)), search.rounds());
    }

    /** The pairs of different rows that are near enough: columns {@code row} and {@code other}. */
    private Dataset<Row> pairs(int k, int most) {
        int limit = (int) Math.min(most, x.count());
        int wanted = Math.min(k, limit);
        Dataset<Row> rows = x.values().toDataFrame("row", "vector");
        Near near = near(rows, x.values(), wanted);
        Dataset<Row> pairs = near.pairs();
        while (true) {
            long full = near.full().count();
            console.say(
                    "looked for the %d nearest: %s have as many within the threshold",
                    wanted, Figures.count(full, "row"));
            if (full == 0 || wanted == x.count()) {
                return pairs;
            }
            if (wanted == limit) {
                console.say(
                        "note: of %s only the %d nearest are taken, so that a large group may come as several; raise --most",
                        Figures.count(full, "row"), wanted);
                return pairs;
            }
            wanted = Math.min(2 * wanted, limit);
            Dataset<Row> some = rows.join(near.full(), "row", "leftsemi").localCheckpoint();
            near = near(some, broadloom.fromDataFrame(some, "vector", "row"), wanted);
            pairs = pairs.union(near.pairs());
        }
    }

    /**
     * What a search found.
     *
     * @param pairs of different rows that are near enough
     * @param full the rows that may have more
     */
    private record Near(Dataset<Row> pairs, Dataset<Row> full) {}

    /** @param vectors of these rows, in their order */
    private Near near(Dataset<Row> rows, DistributedTensor vectors, int wanted) {
        ValuesAndIndices<DistributedTensor> found = vectors.nearest(x.values(), wanted, metric);
        DistributedTensor numbers =
                broadloom.fromDataFrame(rows, "row", "row").unsqueeze(1).to(DType.FLOAT64);
        Dataset<Row> table = numbers.concat(1, found.values(), found.indices().to(DType.FLOAT64))
                .toDataFrame("found")
                .selectExpr("cast(found[0] AS BIGINT) AS row", "found");
        String isNear = " <= " + threshold + "D";
        Dataset<Row> pairs = table.selectExpr(
                        "row", "found", "posexplode(slice(found, 2, " + wanted + ")) AS (place, distance)")
                .where("distance" + isNear)
                .selectExpr("row", "cast(found[" + (wanted + 1) + " + place] AS BIGINT) AS other")
                .where("row != other");
        return new Near(pairs, table.where("found[" + wanted + "]" + isNear).select("row"));
    }
}
