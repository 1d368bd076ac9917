package io.github.broadloom.source;

import io.github.broadloom.exec.compute.PlanRunner;
import io.github.broadloom.exec.formats.FileFormat;
import io.github.broadloom.exec.jobs.SessionSettings;
import io.github.broadloom.exec.read.TableSource;
import io.github.broadloom.exec.write.Sink;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
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
        Source source = TableSource.ofPlaces(table, options.value(), options.index());
        Expr value = Input.of(source, source.dtype(), source.shape());
        Expr cast = options.dtype().map(dtype -> Expr.cast(value, dtype)).orElse(value);
        Planner planner = new Planner(options.over(SessionSettings.of(table.sparkSession())));
        FileFormat written = format.written(options);
        SparkContext context = table.sparkSession().sparkContext();
        Plan plan = written.plan(planner, cast, options.path(), context);
        Sink sink = written.sink(options.path(), mode, plan.result(), context);
        new PlanRunner(context).write(plan, sink, "broadloom: write " + options.path());
    }
}
