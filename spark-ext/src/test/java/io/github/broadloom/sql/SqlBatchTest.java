package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Devices;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Functions of tensors on batches of rows: the same values as row by row, whatever the rows are like. */
class SqlBatchTest extends SqlTest {
    /** 500 rows of vectors a of up to 3 elements, some of them null, matrices b that go with them, and numbers s. */
    private static Dataset<Row> cells(int partitions) {
        return spark.range(0, 500, 1, partitions)
                .selectExpr(
                        "id",
                        "if(id % 11 = 0, null, transform(sequence(0, id % 3), i -> float(id + i / 3))) as a",
                        "array(transform(sequence(0, id % 3), i -> id - i), transform(sequence(0, id % 3), i -> i)) as b",
                        "double(id) / 7 as s");
    }

    private static List<Row> rows(int partitions, String batches, String... columns) {
        spark.conf().set("spark.broadloom.sql.batches", batches);
        return sorted(cells(partitions).selectExpr(columns));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void batchesHaveTheValuesOfSingleRows(int partitions) {
        String[] columns = {
            "id",
            "tensor_add(a, b) as sums",
            "tensor_mul(a, s) as scaled",
            "tensor_eval('(x - x.mean()) / (1 + y.sum(0))', a, b) as evaluated",
            "tensor_add(tensor_mul(a, 2), tensor_exp(tensor_div(s, 100))) as nested",
            "tensor_gt(a, s) as flags"
        };
        List<Row> single = rows(1, "never", columns);
        assertThat(rows(partitions, "always", columns)).isEqualTo(single);
        spark.conf().set("spark.broadloom.sql.batchBytes", "100");
        assertThat(rows(partitions, "always", columns)).isEqualTo(single);
        assertThat(single.get(11).isNullAt(1)).isTrue();
        assertThat(single.get(1).<Object>getList(2)).isEqualTo(List.of(1 * (1f / 7), (1 + 1 / 3f) * (1f / 7)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void argumentsAreComputedBelowTheBatch(int partitions) {
        String[] columns = {
            "id",
            "tensor_mul(a, s / 7) as scaled",
            "tensor_eval('x * y.sum() + z', array(s, id), transform(tensor_add(a, 1), v -> v * 2), s / 7) as evaluated",
            "tensor_add(a, if(id % 2 = 0, null, s)) as sometimes"
        };
        List<Row> single = rows(1, "never", columns);
        assertThat(rows(partitions, "always", columns)).isEqualTo(single);
        assertThat(single.get(12).<Object>getList(2)) // s is 12 / 7, a is [12]: 26 is the sum
                .isEqualTo(List.of(12.0 / 7 * 26 + 12.0 / 7 / 7, 12 * 26.0 + 12.0 / 7 / 7));
        assertThat(single.get(12).isNullAt(3)).isTrue();
        Dataset<Row> planned = cells(partitions).selectExpr(columns);
        List<TensorBatchExec> batches = batches(planned);
        assertThat(batches).hasSize(2); // one for the argument of the other
        assertThat(batches)
                .allSatisfy(batch -> assertThat(batch.toString().lines().findFirst())
                        .get()
                        .asString()
                        .doesNotContain("/", "CASE", "array("));
    }

    private static List<TensorBatchExec> batches(Dataset<Row> rows) {
        List<TensorBatchExec> found = new ArrayList<>();
        collect(rows.queryExecution().executedPlan(), found);
        return found;
    }

    private static void collect(SparkPlan plan, List<TensorBatchExec> found) {
        if (plan instanceof TensorBatchExec batch) {
            found.add(batch);
        }
        CollectionConverters.asJava(plan.children()).forEach(child -> collect(child, found));
    }

    @Test
    void arraysAreBatchedAndThePlanShowsIt() {
        Dataset<Row> sums =
                cells(2).selectExpr("tensor_add(a, s) as y", "tensor_add(a, s) as again", "tensor_exp(s) as e");
        assertThat(sums.queryExecution().executedPlan().toString())
                .containsPattern("TensorBatch \\[.*\\], \\[tensor_add\\(a#\\d+, s#\\d+\\) AS tensor_add#\\d+\\], cpu");
        List<TensorBatchExec> batches = batches(sums);
        assertThat(batches).hasSize(1);
        sums.queryExecution().toRdd().count();
        assertThat(batches.get(0).metrics().apply(TensorBatchTask.ROWS).value()).isEqualTo(500);
        assertThat(batches.get(0).metrics().apply(TensorBatchTask.BATCHES).value())
                .isEqualTo(2);
    }

    @Test
    void whatIsGuardedIsNotEvaluatedForOthers() {
        Dataset<Row> guarded = spark.range(3)
                .selectExpr("array(id, id) as a", "transform(sequence(0, id), i -> i) as b")
                .selectExpr("if(size(a) = size(b), tensor_add(a, b), null) as y");
        assertThat(batches(guarded)).isEmpty();
        assertThat(guarded.collectAsList().stream()
                        .filter(row -> !row.isNullAt(0))
                        .map(row -> row.getList(0))
                        .toList())
                .isEqualTo(List.of(List.of(1L, 2L)));
    }

    @Test
    void rowsOfTheSameShapesArePlannedOnce() {
        spark.conf().set("spark.broadloom.sql.batches", "never");
        long before = plans();
        spark.range(0, 1000, 1, 1)
                .selectExpr("array(float(id), 2f) as x")
                .selectExpr("tensor_eval('(x - x.mean()) / sqrt((x * x).sum())', x) as y")
                .collectAsList();
        assertThat(plans() - before).isBetween(1L, 10L); // a kernel for each of the reductions, and one above them
    }

    /** How often a kernel was looked for. */
    private static long plans() {
        KernelCache.Stats stats = Devices.backend(Device.CPU).kernelStats();
        return stats.hits() + stats.misses();
    }

    @Test
    void whatIsKeptOfARowIsNotThatOfTheNext() {
        spark.range(0, 3, 1, 1).selectExpr("array(array(id), array(-id)) as m").createOrReplaceTempView("matrices");
        for (String query : List.of(
                "select to_json(collect_list(tensor_add(m, 1))) from matrices",
                "select to_json(array(first(y), nth, last(y))) from (select y, nth_value(y, 2) over (order by y rows between unbounded"
                        + " preceding and unbounded following) as nth from (select tensor_add(m, 1) as y from matrices)) group by nth",
                "select to_json(transform(sequence(0, id), i -> tensor_add(array(array(i), array(-i)), 1))) from range(2, 3)")) {
            assertThat(spark.sql(query).collectAsList().get(0).getString(0))
                    .isEqualTo("[[[1],[1]],[[2],[0]],[[3],[-1]]]");
        }
    }

    @Test
    void aRowThatCannotBeIsNamedByItsShapes() {
        Dataset<Row> wrong =
                spark.range(3).selectExpr("tensor_add(array(id, id), transform(sequence(0, id + 1), i -> i)) as y");
        assertThat(batches(wrong)).hasSize(1);
        assertThatThrownBy(wrong::collectAsList)
                .hasStackTraceContaining("Cannot call tensor_add with input[2], other[3]: The size of tensor a (2)");
    }

    @Test
    void anUnknownSettingIsRefused() {
        spark.conf().set("spark.broadloom.sql.batches", "sometimes");
        assertThatThrownBy(() -> cells(1).selectExpr("tensor_add(a, s)").collectAsList())
                .hasMessageContaining("Cannot use spark.broadloom.sql.batches=sometimes: give auto, always or never");
    }

    /** What a user does about it are statements, too. */
    @Test
    void aWrongSettingCanBeSetRight() {
        spark.sql("SET spark.broadloom.sql.batches = sometimes");
        assertThat(spark.sql("SELECT 1").collectAsList()).hasSize(1);
        spark.sql("SET spark.broadloom.sql.batches = always");
        assertThat(batches(spark.sql("SELECT tensor_add(id, 1) FROM range(3)"))).hasSize(1);
    }

    private static long batchCount(Dataset<Row> rows) {
        rows.queryExecution().toRdd().count();
        return batches(rows).get(0).metrics().apply(TensorBatchTask.BATCHES).value();
    }

    @Test
    void whatRowsCarryAlongIsBounded() {
        spark.conf().set("spark.broadloom.sql.batchBytes", "1m");
        Dataset<Row> wide = spark.range(0, 100, 1, 1)
                .selectExpr("repeat('x', 100000 + id) as text", "array(id) as a")
                .cache();
        assertThat(batchCount(wide.selectExpr("text", "tensor_add(a, 1)"))).isBetween(9L, 11L);
        wide.unpersist();
    }

    @Test
    void whatRowsComeToIsBounded() {
        spark.conf().set("spark.broadloom.sql.batchBytes", "1m");
        Dataset<Row> vectors = spark.range(0, 64, 1, 1).selectExpr("array_repeat(float(id), 256) as a");
        Dataset<Row> products = vectors.selectExpr("tensor_eval('x.unsqueeze(1) * y', a, a)"); // 256 KiB each
        assertThat(batchCount(products)).isBetween(16L, 22L);
    }

    /** A task of many partitions holds what one of them needs. */
    @ParameterizedTest
    @ValueSource(strings = {"always", "never"})
    void partitionsThatAreDoneHoldNothing(String batches) {
        spark.conf().set("spark.broadloom.sql.batches", batches);
        long before = Memory.allocatedBytes();
        List<Boolean> freed = spark.range(0, 50, 1, 50)
                .selectExpr("tensor_add(array_repeat(float(id), 1 << 18), 1) as y") // 1 MiB
                .javaRDD()
                .coalesce(1)
                .mapPartitions(rows -> {
                    rows.forEachRemaining(row -> {});
                    return List.of(isHeldWithin(before + (20L << 20))).iterator();
                })
                .collect();
        assertThat(freed).containsExactly(true);
    }

    private static boolean isHeldWithin(long bytes) throws InterruptedException {
        for (int tries = 0; tries < 50 && Memory.allocatedBytes() > bytes; tries++) {
            System.gc();
            Thread.sleep(20); // the collector tells the cleaner, which frees
        }
        return Memory.allocatedBytes() <= bytes;
    }

    /** As where Spark goes on after an error. */
    @Test
    void aRowThatFailedIsNotTheNext() {
        DataType integers = DataTypes.createArrayType(DataTypes.IntegerType, false);
        Seq<Expression> arguments = CollectionConverters.asScala(List.<Expression>of(
                        new BoundReference(0, integers, false), new BoundReference(1, integers, false)))
                .toSeq();
        Template divide = new Template.Operation(Op.of("floor_divide"));
        TensorFunction call = TensorFunction.of("tensor_floor_divide", divide, List.of(), arguments);
        assertThatThrownBy(() -> call.eval(row(7, 0))).hasMessageContaining("ZeroDivisionError");
        assertThat(((ArrayData) call.eval(row(7, 2))).toIntArray()).containsExactly(3);
    }

    private static InternalRow row(int... numbers) {
        Object[] cells = Arrays.stream(numbers)
                .mapToObj(number -> UnsafeArrayData.fromPrimitiveArray(new int[] {number}))
                .toArray();
        return new GenericInternalRow(cells);
    }
}
