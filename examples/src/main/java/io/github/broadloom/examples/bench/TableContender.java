package io.github.broadloom.examples.bench;

import io.github.broadloom.spark.Broadloom;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Selects an expression of SQL from a table in memory. The result is read to its end and written nowhere, or becomes a tensor's chunks.
 *
 * @param who whose expressions it selects
 * @param version of those
 */
public record TableContender(String who, String version, Table table) implements Contender {
    private static final String VALUE = "value";

    @Override
    public boolean takes(Workload workload) {
        return workload.queries().containsKey(who);
    }

    @Override
    public Outcome run(Workload workload, Rounds rounds) {
        try {
            Dataset<Row> selected =
                    table.of(workload).selectExpr(workload.queries().get(who) + " AS " + VALUE);
            Broadloom broadloom = Broadloom.on(selected.sparkSession());
            Seconds seconds = rounds.time(
                    who.equals(Measurement.FRAME)
                            ? () -> broadloom
                                    .fromDataFrame(selected, VALUE)
                                    .materialize()
                                    .unpersist()
                            : () -> selected.write()
                                    .format("noop")
                                    .mode("overwrite")
                                    .save());
            // the rows have no order: the moments tell
            return Outcome.measured(seconds, version, Answer.moments(broadloom.fromDataFrame(selected, VALUE)));
        } catch (Exception e) {
            if (e instanceof AnalysisException) { // undeclared, as it comes from Scala
                return Outcome.absent(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }
}
