package io.github.broadloom.bench;

import io.github.broadloom.spark.Broadloom;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;

/**
 * Selects an expression of SQL from a table in memory, and has each row of the result once.
 *
 * @param who whose expressions it selects
 * @param use what is done with the rows
 */
record TableContender(String who, String version, Table table, Consumer<Dataset<Row>> use) implements TurnTaker {
    private static final String VALUE = "value";

    /** Reads the rows to their end and writes them nowhere. */
    static void read(Dataset<Row> column) {
        column.write().format("noop").mode("overwrite").save();
    }

    /** Makes the rows the chunks of a tensor, which Spark keeps. */
    static void stack(Dataset<Row> column) {
        Broadloom.on(column.sparkSession())
                .fromDataFrame(column, VALUE)
                .materialize()
                .unpersist();
    }

    /** Makes each row an array of Java, which Spark keeps. */
    static void keep(Dataset<Row> column) {
        JavaRDD<float[]> arrays = column.select(VALUE)
                .queryExecution()
                .toRdd()
                .toJavaRDD()
                .map(row -> row.getArray(0).toFloatArray())
                .persist(StorageLevel.MEMORY_ONLY());
        arrays.count();
        arrays.unpersist();
    }

    @Override
    public boolean takes(Workload workload) {
        return workload.queries().containsKey(who);
    }

    @Override
    public Turn prepare(Workload workload, Rounds rounds) {
        table.warmUp(workload, rounds);
        Dataset<Row> selected = table.of(workload).selectExpr(workload.queries().get(who) + " AS " + VALUE);
        return new Turn() {
            @Override
            public void call() {
                use.accept(selected);
            }

            /** The rows have no order: the moments tell. */
            @Override
            public Outcome outcome(Seconds seconds) {
                Broadloom broadloom = Broadloom.on(selected.sparkSession());
                return Outcome.measured(
                        seconds, version, ContenderAnswer.moments(broadloom.fromDataFrame(selected, VALUE)));
            }
        };
    }
}
