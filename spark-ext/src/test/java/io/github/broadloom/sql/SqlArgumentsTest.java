package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.spark.LocalSpark;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people write between the parentheses of a function: decimals, NULL, names, elements of arrays. */
class SqlArgumentsTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        LocalSpark.stop();
        spark = LocalSpark.session("spark.sql.extensions", BroadloomExtensions.class.getName());
        spark.sql(
                        "select cast(2.5 as decimal(10, 2)) as d, array(1f, 2f) as x, array(array(1d, 3d), array(2d, 2d)) as y, 'x' as t")
                .createOrReplaceTempView("cells");
    }

    @AfterAll
    static void stop() {
        LocalSpark.stop();
    }

    /** Decimals are doubles, as for Spark's own functions; one that stands in the query is a number of Python's; NULL has the type of what it meets. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tensor_mul(x, array(0.5, 0.25)) | [0.5,0.5] | array<double>",
                "tensor_add(x, 0.5) | [1.5,2.5] | array<float>",
                "tensor_add(x, d) | [3.5,4.5] | array<float>",
                "tensor_add(d, 1) | 3.5 | double",
                "tensor_mean(d) | 2.5 | double",
                "tensor_dtype(array(0.5)) | float64 | string",
                "tensor_fill_null(array(0.5, NULL), 0.25) | [0.5,0.25] | array<double>",
                "tensor_add(x, NULL) |  | array<float>",
                "tensor_add(NULL, NULL) |  | double",
                "tensor_sum(NULL) |  | double",
                "tensor_add(array(), x[0]) | [] | array<float>",
                "tensor_fill_null(array(NULL), 0) | [0] | array<int>",
                "tensor_fill_null(array(1f, NULL), float('nan')) | [1.0,NaN] | array<float>",
                "tensor_fill_null(array(2d, NULL), -sqrt(4)) | [2.0,-2.0] | array<double>",
                "tensor_fill_null(array(true, NULL), 0) | [true,false] | array<boolean>",
                "tensor_softplus(array(100f), 1 + 1) | [100.0] | array<float>",
                "tensor_dtype(1.5) | float64 | string",
                "tensor_max(1.5) | 1.5 | double",
                "transform(y, r -> tensor_eval('r / r.sum()', r)) | [[0.25,0.75],[0.5,0.5]] | array<array<double>>",
                "transform(x, e -> tensor_add(e, d)) | [3.5,4.5] | array<double>",
                "filter(y, r -> tensor_eval('r.std(correction=0)', r) > 0) | [[1.0,3.0]] | array<array<double>>",
                "tensor_clamp(input => x, MAX => 1.5, min => 0) | [1.0,1.5] | array<float>",
                "tensor_eval('(x - m) / s', s => 2, m => 1, x => x) | [0.0,0.5] | array<float>",
                "tensor_eval('X - x', x => 1, X => 3) | 2 | int",
                "tensor_shape(input => x) | [2] | array<bigint>",
                "tensor_std(d, correction => 0) | 0.0 | double"
            })
    void isUnderstood(String call, String value, String type) {
        Dataset<Row> rows = spark.sql("select " + call + " as value from cells");
        String json = rows.toJSON().collectAsList().get(0);
        assertThat(json.replaceAll("^\\{(\"value\":)?|}$|\"", "")).isEqualTo(value == null ? "" : value);
        assertThat(rows.schema().fields()[0].dataType().simpleString()).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tensor_eval(t, x) | tensor_eval: argument 1 must be a text, written in quotes where the call is",
                "tensor_eval() | tensor_eval: argument 1 must be a text, written in quotes where the call is",
                "tensor_slice(x, t) | tensor_slice: argument 2 must be a text, written in quotes where the call is",
                "tensor_slice(x) | tensor_slice: argument 2 must be a text, written in quotes where the call is",
                "tensor_lerp(x, weight => 3) | tensor_lerp: end is missing",
                "tensor_clamp(x, 1, low => 3) | tensor_clamp: it has no argument low; it takes input, min, max",
                "tensor_clamp(x, 1, min => 3) | tensor_clamp: min is given twice",
                "tensor_clamp(input => x, 1, 3) | tensor_clamp: an argument without a name stands behind one with a name",
                "tensor_shape(cell => x) | tensor_shape: it has no argument cell; it takes input",
                "tensor_std(x, NULL) | tensor_std: correction must be a plain number",
                "tensor_std(x, d) | tensor_std: correction must be a plain number",
                "tensor_softplus(x, d) | tensor_softplus: beta must be a plain number, not a column",
                "tensor_fill_null(array(1, NULL), 1.5) | tensor_fill_null: value is 1.5BD; give a number that INT holds",
                "tensor_fill_null(array(1, NULL), float('nan')) | tensor_fill_null: value is CAST('nan' AS FLOAT); give a number that INT holds",
                "tensor_fill_null(array(1f, NULL), 1e300) | tensor_fill_null: value is 1.0E300D; give a number that FLOAT holds",
                "tensor_fill_null(array(true, NULL), 2) | tensor_fill_null: value is 2; give a number that BOOLEAN holds",
                "tensor_fill_null(x, d) | tensor_fill_null: value is CAST(cells.d AS DOUBLE); give a number that FLOAT holds",
                "tensor_add(x, date'2020-01-01') | tensor_add: other is DATE; give numbers or arrays of numbers. ",
                "tensor_add(x, timestamp'2020-01-01 00:00:00') | tensor_add: other is TIMESTAMP; give numbers or arrays of numbers. ",
                "tensor_add(x, interval 1 day) | tensor_add: other is INTERVAL DAY; give numbers or arrays of numbers. ",
                "tensor_eval('x * t', x, time'12:00:00') | tensor_eval: t is TIME(6); give numbers or arrays of numbers. ",
                "tensor_sum(current_date()) | tensor_sum: input is DATE; give numbers or arrays of numbers. ",
                "tensor_std(x, date'2020-01-01') | tensor_std: correction must be a plain number",
                "tensor_add(x, array('1', '2')) | tensor_add: other is ARRAY<STRING>; give numbers or arrays of numbers, such as cast(array('1', '2') as array<double>). ",
                "tensor_add(x, named_struct('a', 1)) | tensor_add: other is STRUCT<a: INT NOT NULL>; give numbers or arrays of numbers. "
            })
    void isRefusedWhenTheQueryIsAnalysed(String call, String why) {
        if (call.contains("time'1")) {
            LocalSpark.assumeSince("4.1", "times of the day");
        }
        assertThatThrownBy(() -> spark.sql("select " + call + " from cells"))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("Cannot call " + why);
    }

    /** A lambda's function is computed where its elements are, and not in a batch below. */
    @Test
    void batchesLeaveLambdasAlone() {
        Dataset<Row> rows = spark.sql("select tensor_add(x, 1) a, transform(y, r -> tensor_add(r, 1)) b from cells");
        String plan = rows.queryExecution().executedPlan().toString();
        assertThat(plan.lines().filter(line -> line.contains("TensorBatch")))
                .noneMatch(line -> line.contains("lambda"));
    }
}
