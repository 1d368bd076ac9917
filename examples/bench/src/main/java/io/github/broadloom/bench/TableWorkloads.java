package io.github.broadloom.bench;

import io.github.broadloom.bench.Workload.Operand;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.Map;

/**
 * Workloads over the columns {@code a} and {@code b} of a table, arrays of {@value #WIDTH} floats: Broadloom's functions of SQL beside those that Spark has.
 */
public record TableWorkloads(long rows) {
    public static final long ROWS = 200_000;

    private static final long WIDTH = 128;

    /** {@code S1} to {@code S9}, over a table of so many elements in each column, at least one row. */
    public static List<Workload> of(long elements) {
        return new TableWorkloads(Math.max(1, elements / WIDTH)).all();
    }

    public static long elements() {
        return ROWS * WIDTH;
    }

    private List<Workload> all() {
        return List.of(
                workload("S1", "two arrays added", "a + b", "tensor_add(a, b)", "zip_with(a, b, (x, y) -> x + y)"),
                workload(
                        "S2",
                        "ten operations in one text",
                        chain("a", "b"),
                        "tensor_eval('" + chain("a", "b") + "', a, b)",
                        "zip_with(a, b, (x, y) -> " + chain("x", "y").replaceAll("(\\d\\.\\d+)", "float($1)") + ")"),
                workload(
                        "S3",
                        "nested functions",
                        "(a - b) / (b + 1)",
                        "tensor_div(tensor_sub(a, b), tensor_add(b, 1))",
                        "zip_with(zip_with(a, b, (x, y) -> x - y), transform(b, y -> y + float(1)), (x, y) -> float(x / y))"),
                workload(
                        "S4",
                        "inner products",
                        "sum(a * b, 1)",
                        "tensor_eval('(a * b).sum()', a, b)",
                        "vector_inner_product(a, b)"),
                workload(
                        "S5",
                        "distances",
                        "sqrt(sum((a - b) ** 2, 1))",
                        "tensor_eval('sqrt(sum((a - b) ** 2))', a, b)",
                        "vector_l2_distance(a, b)"),
                workload(
                        "S6",
                        "cosines",
                        "sum(a * b, 1) / sqrt(sum(a * a, 1) * sum(b * b, 1))",
                        "tensor_eval('sum(a * b) / sqrt(sum(a * a) * sum(b * b))', a, b)",
                        "vector_cosine_similarity(a, b)"),
                workload(
                        "S7",
                        "arrays of length one",
                        "a / sqrt(sum(a * a, 1, keepdim=True))",
                        "tensor_eval('a / sqrt(sum(a * a))', a)",
                        "vector_normalize(a, float(2))"),
                workload("S8", "the mean over the rows", "mean(a, 0, keepdim=True)", "tensor_mean(a)", "vector_avg(a)"),
                workload(
                        "S9",
                        "a column becomes a tensor",
                        "a",
                        Map.of(Measurement.FRAME, "a", Measurement.SPARK_RDD, "a", Measurement.SPARK_COPY, "a")));
    }

    private Workload workload(String name, String title, String text, String ours, String sparks) {
        return workload(name, title, text, Map.of(Measurement.SQL, ours, Measurement.SPARK_SQL, sparks));
    }

    private Workload workload(String name, String title, String text, Map<String, String> queries) {
        return new Workload(name, title, text, columns(text), Workload.Place.THERE, queries);
    }

    private List<Operand> columns(String text) {
        return text.matches(".*\\bb\\b.*") ? List.of(column("a"), column("b")) : List.of(column("a"));
    }

    private Operand column(String name) {
        return new Operand(name, DType.FLOAT32, Shape.of(rows, WIDTH), false);
    }

    /** Ten operations that both languages spell alike. */
    private static String chain(String x, String y) {
        return "((((" + x + " * 0.5 + " + y + ") * 0.25 - " + x + ") * 0.75 + " + y + ") * 0.5 - " + x + ") * 0.25 + "
                + y;
    }
}
