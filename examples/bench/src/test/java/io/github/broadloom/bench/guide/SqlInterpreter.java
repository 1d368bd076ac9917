package io.github.broadloom.bench.guide;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.HiveResult;
import scala.jdk.javaapi.CollectionConverters;

/** Runs SQL in the session of the page. A row is shown as {@code spark-sql} prints it, where two spaces or more stand for the tab. */
final class SqlInterpreter implements Interpreter {
    private static final Statements STATEMENTS =
            new Statements("--", source -> source.strip().endsWith(";"));

    private final SparkSession spark;

    SqlInterpreter(SparkSession spark) {
        this.spark = spark;
    }

    @Override
    public List<Step> steps(Block block) {
        List<Step> steps = new ArrayList<>();
        for (Step step : STATEMENTS.of(block)) {
            List<String> expected = step.expected().stream()
                    .map(line -> line.replaceAll(" {2,}", "\t"))
                    .toList();
            steps.add(new Step(step.line(), step.source(), expected));
        }
        return steps;
    }

    @Override
    public Answer run(Step step) {
        String source = step.source().strip();
        try {
            Dataset<Row> table = spark.sql(source.substring(0, source.length() - 1));
            List<String> rows = CollectionConverters.asJava(
                    HiveResult.hiveResultString(table.queryExecution().executedPlan()));
            return Answer.printed(String.join("\n", rows));
        } catch (Exception e) {
            return Answer.failure(String.valueOf(e.getMessage()));
        }
    }
}
