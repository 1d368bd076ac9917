package io.github.broadloom.sql;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.expr.parse.ExprSyntaxException;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.table.TensorColumn;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions as functions of columns, in a session that knows no extension. */
class TensorUdfTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        LocalSpark.stop();
        spark = LocalSpark.session();
        assertThat(spark.sql("show functions like 'tensor_*'").count()).isZero();
    }

    private static Dataset<Row> table(int partitions) {
        return spark.range(0, 3, 1, partitions)
                .selectExpr("id", "array(float(id), 4f) as x", "double(id) as m", "if(id = 1, null, array(id)) as n");
    }

    private static String values(Dataset<Row> table, String column) {
        return table.orderBy("id")
                .select(col(column).cast("string"))
                .collectAsList()
                .toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void namesStandForTheArgumentsInOrder(int partitions) {
        TensorUdf udf = TensorUdf.of("(x - m) / s");
        assertThat(udf.arguments()).containsExactly("x", "m", "s");
        Dataset<Row> table = table(partitions).withColumn("y", udf.apply(col("x"), col("m"), lit(2)));
        assertThat(table.schema().apply("y").dataType().simpleString()).isEqualTo("array<float>");
        assertThat(values(table, "y")).isEqualTo("[[[0.0, 2.0]], [[0.0, 1.5]], [[0.0, 1.0]]]");
        assertThat(table.filter(TensorUdf.of("y[1] > 1.2").apply(col("y"))).count())
                .isEqualTo(2);
    }

    @Test
    void argumentsAreAnyColumns() {
        Dataset<Row> table = table(2);
        TensorUdf outer = TensorUdf.of("a[:, None] * b");
        Dataset<Row> products = table.select(
                table.col("id"),
                outer.apply(table.col("x"), expr("array(1, 10)")).as("p"));
        assertThat(values(products, "p"))
                .isEqualTo("[[[[0.0, 0.0], [4.0, 40.0]]], [[[1.0, 10.0], [4.0, 40.0]]], [[[2.0, 20.0], [4.0, 40.0]]]]");
        Dataset<Row> nested = table.withColumn(
                "y", TensorUdf.of("s + 1").apply(TensorUdf.of("x.sum()").apply(col("x"))));
        assertThat(values(nested, "y")).isEqualTo("[[5.0], [6.0], [7.0]]");
    }

    @Test
    void nullInNullOut() {
        assertThat(values(table(2).withColumn("y", TensorUdf.of("n * 2").apply(col("n"))), "y"))
                .isEqualTo("[[[0]], [null], [[4]]]");
    }

    @Test
    void aDeclaredShapeIsThatOfTheCells() {
        Dataset<Row> images = TensorColumn.declare(
                spark.range(2).selectExpr("id", "array(id, 1L, 2L, 3L, 4L, 5L) as pixels"), "pixels", 2, 3);
        assertThat(values(images.withColumn("y", TensorUdf.of("p.sum(1)").apply(col("pixels"))), "y"))
                .isEqualTo("[[[3, 12]], [[4, 12]]]");
        Dataset<Row> tensor =
                Broadloom.on(spark).tensor(Tensors.arange(12).view(2, 2, 3), 2).toDataFrame("id", "value");
        assertThat(values(tensor.withColumn("y", TensorUdf.of("v[1]").apply(col("value"))), "y"))
                .isEqualTo("[[[3, 4, 5]], [[9, 10, 11]]]");
    }

    @Test
    void aRegisteredOneIsAFunctionOfSql() {
        TensorUdf.of("(x - m) / s").register(spark, "standardize");
        table(2).createOrReplaceTempView("t");
        assertThat(spark.sql("select standardize(x, m, 2) as y from t order by id")
                        .collectAsList()
                        .toString())
                .isEqualTo("[[ArraySeq(0.0, 2.0)], [ArraySeq(0.0, 1.5)], [ArraySeq(0.0, 1.0)]]");
        assertThat(values(table(1).withColumn("y", expr("standardize(x, 1, 1)[1]")), "y"))
                .isEqualTo("[[3.0], [3.0], [3.0]]");
        assertThatThrownBy(() -> spark.sql("select standardize(x) from t"))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("Cannot call standardize with 1 argument; it takes 3 (x, m, s)");
        TensorUdf.of("-x").register(spark, "standardize");
        assertThat(spark.sql("select standardize(x)[1] from t limit 1").head().getFloat(0))
                .isEqualTo(-4f);
    }

    @Test
    void whatDoesNotFitIsSaidWhenTheQueryIsAnalysed() {
        Dataset<Row> table = table(1);
        for (String text : List.of("x +", "f(x)", "x.sum(3)", "x + y")) {
            assertThatThrownBy(() -> table.select(TensorUdf.of(text).apply(col("x"))))
                    .isInstanceOf(AnalysisException.class)
                    .hasMessageContaining("tensor_eval");
        }
        assertThatThrownBy(() -> table.select(TensorUdf.of("x + 1").apply(lit("a"))))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("Cannot call tensor_eval: x is STRING");
        assertThatThrownBy(() -> TensorUdf.of("x § y")).isInstanceOf(ExprSyntaxException.class);
    }
}
