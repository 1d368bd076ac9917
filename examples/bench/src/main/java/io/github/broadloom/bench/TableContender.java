package io.github.broadloom.bench;

import io.github.broadloom.spark.Broadloom;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;

/**
 * Selects an expression of SQL from a table in memory, and has each row of the result once.
 *
 * @param who whose expressions it selects
 * @param version of those
 * @param use what is done with the rows
 */
public record TableContender(String who, String version, Table table, Use use) implements TurnTaker {
    private static final String VALUE = "value";

    /** What is done with a column of the name that it is called by. */
    @FunctionalInterface
    public interface Use {
        void of(Dataset<Row> column);
    }

    /** Reads the rows to their end and writes them nowhere. */
    public static void read(Dataset<Row> column) {
        column.write().format("noop").mode("overwrite").save();
    }

    /** Makes the rows the chunks of a tensor, which Spark keeps. */
    public static void stack(Dataset<Row> column) {
        Broadloom.on(column.sparkSession())
                .fromDataFrame(column, VALUE)
                .materialize()
                .unpersist();
    }

    /** Makes each row an array of Java, which Spark keeps. */
    public static void keep(Dataset<Row> column) {
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
    public Turn prepare(Workload workload, Rounds rounds) throws Absence {
        table.warmUp(workload, rounds);
        try {
            return new Selection(
                    table.of(workload).selectExpr(workload.queries().get(who) + " AS " + VALUE));
        } catch (Exception e) {
            if (e instanceof AnalysisException) { // undeclared, as it comes from Scala
                throw new Absence(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    private final class Selection implements Turn {
        private final Dataset<Row> selected;

        private Selection(Dataset<Row> selected) {
            this.selected = selected;
        }

        @Override
        public void call() {
            use.of(selected);
        }

        /** The rows have no order: the moments tell. */
        @Override
        public Outcome outcome(Seconds seconds) {
            Broadloom broadloom = Broadloom.on(selected.sparkSession());
            return Outcome.measured(
                    seconds, version, ContenderAnswer.moments(broadloom.fromDataFrame(selected, VALUE)));
        }
    }
}
