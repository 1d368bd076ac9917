package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.TensorColumn;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A function of functions is computed at once, and has the values that one after the other would give. */
class SqlNestTest extends SqlTest {
    /** 200 rows: vectors x of 1 to 3 floats, some of them null, matrices m of two rows of as many, numbers s, some of them null, and bytes u. */
    private static Dataset<Row> cells(int partitions) {
        return spark.range(0, 200, 1, partitions)
                .selectExpr(
                        "id",
                        "if(id % 11 = 0, null, transform(sequence(0, id % 3), i -> float(id + i / 3))) as x",
                        "array(transform(sequence(0, id % 3), i -> double(id - i) / 7), transform(sequence(0, id % 3), i -> i / 5)) as m",
                        "if(id % 13 = 0, null, float(id) / 7) as s",
                        "transform(sequence(0, id % 3), i -> tinyint((id + i) % 100)) as u");
    }

    private static List<Row> rows(Dataset<Row> table, String batches, String column) {
        spark.conf().set("spark.broadloom.sql.batches", batches);
        return sorted(table.selectExpr("id", column + " as y"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tensor_div(tensor_sub(x, s), 3) | tensor_sub(x, s) | tensor_div(inner, 3)",
                "tensor_eval('(a * a).sum()', tensor_sub(x, s)) | tensor_sub(x, s) | tensor_eval('(a * a).sum()', inner)",
                "tensor_sub(m, tensor_eval('a.mean()', m)) | tensor_eval('a.mean()', m) | tensor_sub(m, inner)",
                "tensor_add(x, tensor_mul(s, 0.1d)) | tensor_mul(s, 0.1d) | tensor_add(x, inner)",
                "tensor_exp(tensor_reshape(m, -1)) | tensor_reshape(m, -1) | tensor_exp(inner)",
                "tensor_mul(tensor_slice(m, '1, :'), x) | tensor_slice(m, '1, :') | tensor_mul(inner, x)",
                "tensor_div(tensor_eval('a.to(uint8)', u), 7) | tensor_eval('a.to(uint8)', u) | tensor_div(inner, 7)",
                "tensor_add(tensor_eval('a.to(float16) / 3', x), 1) | tensor_eval('a.to(float16) / 3', x) | tensor_add(inner, 1)",
                "tensor_where(tensor_gt(x, s), x, 0) | tensor_gt(x, s) | tensor_where(inner, x, 0)",
                "tensor_mul(tensor_add(u, 1), tensor_add(u, 1)) | tensor_add(u, 1) | tensor_mul(inner, inner)",
                "tensor_add(tensor_add(1, 2), x) | tensor_add(1, 2) | tensor_add(inner, x)",
            })
    void valuesAreThoseOfOneFunctionAfterTheOther(String nested, String inner, String outer) {
        Dataset<Row> table = cells(7);
        List<Row> expected = rows(steps(table, inner), "always", outer);
        assertThat(rows(table, "always", nested)).isEqualTo(expected);
        assertThat(rows(table, "never", nested)).isEqualTo(expected);
        spark.conf().set("spark.broadloom.sql.batchBytes", "100");
        assertThat(rows(table, "always", nested)).isEqualTo(expected);
    }

    /** With the value of a function as a column, which is there before another one reads it. */
    private static Dataset<Row> steps(Dataset<Row> table, String inner) {
        return table.selectExpr("*", inner + " as inner").localCheckpoint();
    }

    /** A table of one vector a row, by a function that counts its calls. */
    private static Dataset<Row> counted(LongAccumulator calls) {
        UDF1<Long, List<Float>> vector = id -> {
            calls.add(1);
            return List.of(id / 3f, id + 1f);
        };
        spark.udf().register("vector", vector, DataTypes.createArrayType(DataTypes.FloatType, false));
        return spark.range(0, 100, 1, 2).toDF();
    }

    @ParameterizedTest
    @ValueSource(strings = {"always", "never"})
    void whatSeveralFunctionsReadIsReadOnce(String batches) {
        spark.conf().set("spark.broadloom.sql.batches", batches);
        LongAccumulator calls = spark.sparkContext().longAccumulator();
        List<Row> rows = counted(calls)
                .selectExpr(
                        "tensor_add(vector(id), tensor_mul(vector(id), 2)) as thrice",
                        "tensor_eval('v.sum()', vector(id)) as sum",
                        "tensor_neg(tensor_exp(vector(id))) as other")
                .collectAsList();
        assertThat(rows.get(3).getList(0)).isEqualTo(List.of(3f, 12f));
        assertThat(rows.get(3).getFloat(1)).isEqualTo(5f);
        assertThat(calls.value()).isEqualTo(100);
    }

    @Test
    void aNullConcernsTheFunctionsThatReadIt() {
        List<Row> rows = sorted(
                cells(2).selectExpr("id", "tensor_neg(x) as n", "tensor_neg(u) as u", "tensor_add(x, s) as sum"));
        assertThat(rows.get(11).isNullAt(1)).isTrue();
        assertThat(rows.get(11).isNullAt(3)).isTrue();
        assertThat(rows.get(11).<Object>getList(2)).isEqualTo(List.of((byte) -11, (byte) -12, (byte) -13));
        assertThat(rows.get(13).isNullAt(3)).isTrue();
        assertThat(rows.get(13).<Object>getList(1)).isEqualTo(List.of(-13f, -(13 + 1 / 3f)));
        assertThat(rows.stream().filter(row -> row.isNullAt(3)).count()).isEqualTo(19 + 16 - 2);
    }

    @Test
    void theFunctionThatCannotBeIsNamed() {
        Dataset<Row> table = spark.range(3)
                .selectExpr(
                        "array(id, id) as a", "transform(sequence(0, id + 1), i -> i) as b", "array(id, null) as n");
        for (String batches : List.of("always", "never")) {
            spark.conf().set("spark.broadloom.sql.batches", batches);
            assertThatThrownBy(table.selectExpr("tensor_neg(tensor_mul(tensor_add(a, b), 2)) as y")::collectAsList)
                    .hasStackTraceContaining(
                            "Cannot call tensor_add with input[2], other[3]: The size of tensor a (2)");
            assertThatThrownBy(table.selectExpr("tensor_mul(tensor_neg(a), b) as y")::collectAsList)
                    .hasStackTraceContaining("Cannot call tensor_mul with input[2], other[3]: The size of tensor a");
            assertThatThrownBy(table.selectExpr("tensor_mul(2, tensor_add(a, n)) as y")::collectAsList)
                    .hasStackTraceContaining("Cannot call tensor_add: other is null at [1]; fill it");
        }
    }

    @Test
    void aDeclaredShapeIsSeenByTheFunctionAbove() {
        Dataset<Row> rows = spark.range(2)
                .selectExpr("tensor_mul(array(id, 1, 2, 3, 4, 5), 2) as y")
                .select(org.apache
                        .spark
                        .sql
                        .functions
                        .col("y")
                        .as("m", TensorColumn.declaring(Shape.of(2, 3), Metadata.empty())))
                .selectExpr("tensor_eval('m.sum(0)', m) as sums");
        assertThat(rows.collectAsList().get(1).<Object>getList(0)).isEqualTo(List.of(8L, 10L, 14L));
    }

    private static <T> T onAStackOf(long bytes, Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(null, task, "a stack of " + bytes, bytes).start();
        return task.get();
    }

    private static TensorFunction functionOf(Dataset<Row> query) {
        Expression column = query.queryExecution().analyzed().expressions().head();
        return (TensorFunction) column.find(TensorFunction.class::isInstance).get();
    }

    private static Object travelled(Object what) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(what);
        }
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    /** Java's serialization recurses, and the thread of a task has the stack that it has, however much the driver gave to Spark's parser. */
    @Test
    void whatIsNestedDeeplyTravelsInSeveralPrograms() throws Exception {
        int depth = 250;
        String nested = "tensor_add(".repeat(depth) + "x" + ", 1)".repeat(depth);
        Dataset<Row> table = spark.range(0, 3, 1, 2).selectExpr("id", "array(float(id), 0.5f) as x");
        BatchProgram program = onAStackOf(
                32 << 20,
                () -> Fusion.of(List.of(functionOf(table.selectExpr(nested)))).program());
        assertThat(onAStackOf(512 << 10, () -> travelled(program))).isInstanceOf(BatchProgram.class);
        for (String batches : List.of("always", "never")) {
            assertThat(onAStackOf(32 << 20, () -> rows(table, batches, nested)))
                    .extracting(row -> row.getList(1).toString())
                    .containsExactly("[250.0, 250.5]", "[251.0, 250.5]", "[252.0, 250.5]");
        }
    }
}
