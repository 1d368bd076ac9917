package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters, joins and aggregates over functions of tensors: in batches as projections are, and with the values of single rows. */
class SqlOperatorsTest extends SqlTest {
    /** Vectors [i, 3] of 40 rows in groups of even and odd i, and vectors w of one or two elements. */
    @BeforeEach
    void tables() {
        spark.range(0, 40, 1, 3)
                .selectExpr(
                        "id",
                        "id % 2 AS g",
                        "array(double(id), 3D) AS v",
                        "if(id % 4 = 0, array(1D), array(1D, 1D)) AS w")
                .createOrReplaceTempView("t");
        spark.conf().set("spark.sql.adaptive.enabled", true);
        spark.conf().unset("spark.sql.autoBroadcastJoinThreshold");
    }

    private static String plan(Dataset<Row> rows) {
        return rows.queryExecution().executedPlan().toString();
    }

    private static List<Long> ids(Dataset<Row> rows) {
        return rows.as(Encoders.LONG()).collectAsList().stream().sorted().toList();
    }

    private static List<Long> ids(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @Test
    void aFilterAsksABatch() {
        Dataset<Row> far = spark.sql("SELECT id FROM t WHERE tensor_norm(v) > 5 AND id < 30"); // 4² + 3² is 5²
        assertThat(plan(far)).containsOnlyOnce("TensorBatch");
        assertThat(ids(far)).isEqualTo(ids(5, 30));
        assertThat(spark.sql("SELECT * FROM t WHERE tensor_norm(v) > 5").columns())
                .containsExactly("id", "g", "v", "w");
        assertThat(spark.sql("SELECT * FROM t WHERE tensor_norm(v) > 5").first().getLong(0))
                .isEqualTo(5);
    }

    /** A row that a condition refuses is none for those behind it: here the vectors have different sizes. */
    @ParameterizedTest
    @ValueSource(strings = {"always", "auto", "never"})
    void conditionsAreAskedInTheirOrder(String batches) {
        spark.conf().set("spark.broadloom.sql.batches", batches);
        for (String condition : List.of(
                "size(v) = size(w) AND tensor_dot(v, w) > 20",
                "size(v) = size(w) AND tensor_dot(v, w) > 20 AND tensor_norm(tensor_sub(v, w)) > 0",
                "CASE WHEN size(v) = size(w) THEN tensor_dot(v, w) > 20 ELSE false END",
                "NOT (size(v) <> size(w) OR tensor_dot(v, w) <= 20)")) {
            assertThat(ids(spark.sql("SELECT id FROM t WHERE " + condition)))
                    .isEqualTo(LongStream.range(18, 40)
                            .filter(id -> id % 4 != 0)
                            .boxed()
                            .toList());
        }
    }

    /** All pairs of rows of the group whose numbers differ by at most two: of 20 rows those beside each other, and each with itself. */
    @ParameterizedTest
    @ValueSource(strings = {"BROADCAST", "MERGE", "SHUFFLE_HASH"})
    void aJoinAsksABatch(String way) {
        String on = " t a JOIN t b ON a.g = b.g AND tensor_norm(tensor_sub(a.v, b.v)) <= 2";
        Dataset<Row> near = spark.sql("SELECT /*+ " + way + "(b) */ a.id AS id, b.id AS other FROM" + on);
        assertThat(plan(near)).containsPattern("TensorBatch \\[id#\\d+L, id#\\d+L]"); // what is read above it
        assertThat(near.count()).isEqualTo(2 * (20 + 2 * 19));
        assertThat(near.filter("abs(id - other) > 2").count()).isZero();
        Dataset<Row> all =
                spark.sql("SELECT count(*) FROM t a CROSS JOIN t b WHERE tensor_norm(tensor_sub(a.v, b.v)) <= 1");
        assertThat(plan(all)).contains("TensorBatch");
        assertThat(all.first().getLong(0)).isEqualTo(40 + 2 * 39);
    }

    /** Where rows without a pair come too, the condition is asked pair by pair. */
    @Test
    void anOuterJoinKeepsItsRows() {
        String near = "tensor_norm(tensor_sub(a.v, b.v)) <= 2 AND b.id > 36"; // 37, 38 and 39
        assertThat(spark.sql("SELECT count(b.id), count(*) FROM t a LEFT JOIN t b ON " + near)
                        .first())
                .satisfies(counts -> {
                    assertThat(counts.getLong(0)).isEqualTo(5 + 4 + 3);
                    assertThat(counts.getLong(1)).isEqualTo(5 + 4 + 3 + 35);
                });
        assertThat(ids(spark.sql("SELECT id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE " + near + ")")))
                .isEqualTo(ids(35, 40));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void anAggregateTakesABatch(String generated) {
        spark.conf().set("spark.sql.codegen.wholeStage", generated);
        try {
            Dataset<Row> sums = spark.sql(
                    "SELECT g, avg(tensor_total(v)), max(tensor_amax(v)), tensor_sum(tensor_mul(v, 2)) FROM t GROUP BY g ORDER BY g");
            assertThat(plan(sums)).containsOnlyOnce("TensorBatch");
            Row odd = sums.collectAsList().get(1); // 1, 3, … 39: their sum is 400
            assertThat(odd.getDouble(1)).isEqualTo(400 / 20.0 + 3);
            assertThat(odd.getDouble(2)).isEqualTo(39);
            assertThat(odd.<Double>getList(3)).containsExactly(800.0, 120.0);
            Dataset<Row> all = spark.sql("SELECT sum(tensor_total(v)), count(DISTINCT tensor_amin(v)) FROM t");
            assertThat(all.first().getDouble(0)).isEqualTo(780 + 120);
            assertThat(all.first().getLong(1)).isEqualTo(4); // 0, 1, 2 and 3
        } finally {
            spark.conf().unset("spark.sql.codegen.wholeStage");
        }
    }

    /** What an aggregate leaves out is not evaluated. */
    @Test
    void anAggregateWithAFilterTakesItsRowsAlone() {
        assertThat(spark.sql("SELECT sum(tensor_dot(v, w)) FILTER (WHERE size(v) = size(w)) FROM t")
                        .first()
                        .getDouble(0))
                .isEqualTo(780 - 180 + 30 * 3); // all numbers less 0, 4, … 36
    }

    @Test
    void batchesShowBeforeTheRun() {
        Dataset<Row> shuffled = spark.sql("SELECT g, tensor_add(tensor_sum(y), 1) AS z FROM"
                + " (SELECT g, tensor_mul(v, 2) AS y FROM t) GROUP BY g ORDER BY g");
        assertThat(plan(shuffled)).contains("isFinalPlan=false", "TensorBatch [");
        assertThat(shuffled.collectAsList().get(0).<Double>getList(1))
                .containsExactly(761.0, 121.0); // twice 380, and one
        assertThat(plan(shuffled)).contains("isFinalPlan=true", "TensorBatch [");
    }

    /** Otherwise Spark would sort what lies in order. */
    @Test
    void theOrderOfRowsIsKnown() {
        spark.conf().set("spark.sql.adaptive.enabled", false);
        Dataset<Row> kept = spark.table("t")
                .repartition(2, spark.table("t").col("g"))
                .sortWithinPartitions("g", "id")
                .selectExpr("g", "id", "tensor_mul(v, 2) AS y")
                .cache();
        Dataset<Row> numbered = kept.selectExpr("y", "row_number() OVER (PARTITION BY g ORDER BY id) AS n");
        assertThat(plan(numbered)).contains("Window", "TensorBatch"); // the batch in the plan of what is kept
        assertThat(numbered.queryExecution()
                        .executedPlan()
                        .exists(part -> part instanceof SortExec || part instanceof Exchange))
                .isFalse();
        assertThat(numbered.filter("n = 20").count()).isEqualTo(2);
        kept.unpersist();
    }
}
