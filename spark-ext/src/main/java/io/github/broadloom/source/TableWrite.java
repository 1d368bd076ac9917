package io.github.broadloom.source;

import io.github.broadloom.exec.compute.PlanRunner;
import io.github.broadloom.exec.jobs.SessionSettings;
import io.github.broadloom.exec.read.TableSource;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Source;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A table that becomes a file: its rows in the order of their index, which numbers them, and all of them or none. */
record TableWrite(TensorDataSource format, Dataset<Row> table, TableOptions options) {

    void run(WriteMode mode) throws IOException {
        List<String> others = Arrays.stream(table.columns())
                .filter(column -> !column.equals(options.index()) && !column.equals(options.value()))
                .toList();
        if (!others.isEmpty()) {
            throw new IllegalArgumentException("Cannot write " + options.path() + ": a tensor has no place for "
                    + String.join(", ", others) + "; select " + options.index() + " and " + options.value()
                    + ", or name other columns by the options index and value");
        }
        Source rows = TableSource.ofPlaces(table, options.value(), options.index());
        Expr value = Input.of(rows, rows.dtype(), rows.shape());
        Expr cast = options.dtype().map(dtype -> Expr.cast(value, dtype)).orElse(value);
        Plan plan = new Planner(options.over(SessionSettings.of(table.sparkSession()))).plan(cast, Want.ROWS);
        SparkContext context = table.sparkSession().sparkContext();
        new PlanRunner(context)
                .write(plan, format.sink(options, mode, plan, context), "broadloom: write " + options.path());
    }
}
