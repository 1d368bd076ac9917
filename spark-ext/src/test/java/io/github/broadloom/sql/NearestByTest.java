package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.broadloom.SomeOf;
import io.github.broadloom.spark.LocalSpark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** NEAREST BY gives the rows that Spark's own join of all pairs gives: of equal ranks either may be there. */
class NearestByTest extends SqlTest {
    @TempDir
    Path folder;

    private static final StructType COLUMNS = new StructType()
            .add("id", DataTypes.LongType)
            .add("v", DataTypes.createArrayType(DataTypes.FloatType, true))
            .add("x", DataTypes.DoubleType)
            .add("y", DataTypes.FloatType)
            .add("n", DataTypes.IntegerType);

    @BeforeEach
    void isThere() {
        LocalSpark.assumeSince("4.2", "NEAREST BY");
    }

    @AfterEach
    void asBefore() {
        spark.conf().unset("spark.broadloom.sql.nearest");
        spark.conf().unset("spark.broadloom.sql.nearestBytes");
    }

    /** Rows with NULL, NaN, infinities, zeros, duplicates and vectors far from zero. */
    private static void table(String name, int rows, int partitions, long seed) {
        Random random = new Random(seed);
        List<Row> all = new ArrayList<>();
        for (long id = 0; id < rows; id++) {
            List<Float> vector = new ArrayList<>();
            boolean isFar = random.nextInt(4) == 0;
            for (int i = 0; i < 5; i++) {
                vector.add((isFar ? 1000 : 0) + (float) random.nextInt(7) / (1 + random.nextInt(3)));
            }
            Double x = random.nextInt(9) / 4.0 - 1;
            Float y = (float) random.nextGaussian();
            switch (random.nextInt(20)) {
                case 0 -> vector = null;
                case 1 -> vector.set(2, null);
                case 2 -> vector.set(1, Float.NaN);
                case 3 -> vector.set(3, Float.POSITIVE_INFINITY);
                case 4 -> vector.replaceAll(value -> 0f);
                case 5 -> x = null;
                case 6 -> x = Double.NaN;
                case 7 -> y = Float.NEGATIVE_INFINITY;
                case 8 -> vector.replaceAll(value -> value * 1e30f);
                default -> {}
            }
            all.add(RowFactory.create(id, vector, x, y, random.nextInt(100)));
        }
        spark.createDataFrame(all, COLUMNS).repartition(partitions).createOrReplaceTempView(name);
    }

    /** The ranks of each left row in the order in which they came; null where it has no other. */
    private static Map<Long, List<Object>> ranks(String query) {
        Map<Long, List<Object>> ranks = new HashMap<>();
        for (Row row : spark.sql(query).collectAsList()) {
            ranks.computeIfAbsent(row.getLong(0), id -> new ArrayList<>()).add(row.get(1));
        }
        return ranks;
    }

    private static void isAsSparks(String how, String ranking) {
        String query = "SELECT l.id, " + ranking + " FROM l " + how + " " + ranking;
        spark.conf().set("spark.broadloom.sql.nearest", false);
        Map<Long, List<Object>> expected = ranks(query);
        spark.conf().set("spark.broadloom.sql.nearest", true);
        Dataset<Row> taken = spark.sql(query);
        assertThat(taken.queryExecution().executedPlan().toString()).contains("Nearest");
        assertThat(ranks(query)).isEqualTo(expected);
    }

    private static final String[] RANKINGS = {
        "vector_l2_distance(l.v, r.v)",
        "vector_l2_distance(r.v, l.v) * -2 + 1",
        "vector_cosine_similarity(l.v, r.v)",
        "1 - vector_cosine_similarity(l.v, r.v)",
        "vector_inner_product(l.v, r.v)",
        "abs(l.x - r.x)",
        "sqrt(power(l.x - r.x, 2) + power(l.y - r.y, 2))",
        "l.y * r.y",
        "sqrt(vector_inner_product(l.v, r.v) - 30)",
        "abs(l.n - r.n)",
        "tensor_norm(tensor_sub(l.x, r.x))",
        "tensor_eval('sum((a - b) ** 2)', a => array(l.y, l.n), b => array(r.y, r.n))",
        "CASE WHEN l.n % 3 = r.n % 3 THEN abs(l.x - r.x) END",
        "cast(l.n - r.n AS DECIMAL(12, 2))"
    };

    @Test
    void theRowsAreThoseOfSpark() {
        table("l", 60, 2, 1);
        table("r", 40, 3, 2);
        for (String ranking : RANKINGS) {
            isAsSparks("LEFT JOIN r EXACT NEAREST 5 BY SIMILARITY", ranking);
        }
    }

    static List<Arguments> sizes() {
        return List.of(arguments(1, 1, 300), arguments(7, 3, 40), arguments(2, 200, 150));
    }

    @SomeOf(value = "sizes", oneIn = 3)
    void theRowsAreThoseOfSpark(int partitions, int k, int rights) {
        table("l", 60, partitions, 1);
        table("r", rights, 3, 2);
        for (String ranking : List.of(RANKINGS[0], RANKINGS[2], RANKINGS[6])) {
            isAsSparks("JOIN r APPROX NEAREST " + k + " BY DISTANCE", ranking);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vector_l2_distance(r.v, l.v) | euclidean",
                "2 - vector_cosine_similarity(l.v, r.v) | cosine",
                "tensor_norm(tensor_sub(l.v, r.v)) | euclidean",
                "tensor_eval('sqrt(sum((a - b) ** 2))', a => l.v, b => r.v) | euclidean",
                "tensor_eval('mean((a - b).square(), dim=-1)', a => r.v, b => l.v) | euclidean",
                "tensor_dot(l.v, r.v) | inner product",
                "tensor_eval('1 - (a @ b) / (norm(a) * norm(b))', a => l.v, b => r.v) | cosine",
                "tensor_eval('-sum(a * b)', a => l.v, b => r.v) | inner product"
            })
    void aProductIsSeen(String ranking, String metric) {
        table("l", 30, 2, 8);
        table("r", 30, 1, 9);
        for (String side : List.of("l", "r")) {
            spark.table(side).where("forall(v, e -> e IS NOT NULL)").createOrReplaceTempView(side);
        }
        assertThat(plan("SELECT l.id FROM l JOIN r EXACT NEAREST 2 BY DISTANCE " + ranking))
                .contains("matrix products (" + metric + ")");
        isAsSparks("JOIN r EXACT NEAREST 3 BY DISTANCE", ranking);
        isAsSparks("JOIN r EXACT NEAREST 3 BY SIMILARITY", ranking);
    }

    private static String plan(String query) {
        return spark.sql(query).queryExecution().executedPlan().toString();
    }

    /** With room for neither side tasks stream the right; with room for few left rows, and their results, parts of the right are searched for these. */
    @ParameterizedTest
    @CsvSource({"1,90,streamed", "2000,5,NearestMerge"})
    void aSideTooLargeToBeSentIsNotSent(String bytes, int lefts, String how) {
        table("l", lefts, 4, 3);
        table("r", 400, 5, 4);
        spark.conf().set("spark.broadloom.sql.nearestBytes", bytes);
        assertThat(plan("SELECT l.id, r.v FROM l JOIN r EXACT NEAREST 2 BY DISTANCE abs(l.x - r.x)"))
                .contains(how);
        for (String ranking : List.of(RANKINGS[0], RANKINGS[6], RANKINGS[12])) {
            isAsSparks("LEFT JOIN r EXACT NEAREST 2 BY DISTANCE", ranking);
        }
        isAsSparks("JOIN r EXACT NEAREST 2 BY SIMILARITY", RANKINGS[2]);
    }

    /** Of a side that is read by tasks, too, however little they may keep. */
    @ParameterizedTest
    @CsvSource({"1,900,700,2", "1,900,700,7", "2000,5,400,3"})
    @Tag("full")
    void noSideIsReadMoreThanThreeTimes(String bytes, int lefts, int rights, int partitions) {
        stored("l", lefts, partitions, 14);
        stored("r", rights, partitions, 15);
        spark.conf().set("spark.broadloom.sql.nearestBytes", bytes);
        Dataset<Row> found =
                spark.sql("SELECT l.id, r.id AS other FROM l JOIN r EXACT NEAREST 2 BY DISTANCE " + RANKINGS[0]);
        found.collectAsList();
        SparkPlan plan = found.queryExecution().executedPlan();
        SparkPlan run = plan instanceof AdaptiveSparkPlanExec adaptive ? adaptive.executedPlan() : plan;
        List<Long> read = new ArrayList<>();
        scans(run, scan -> read.add(scan.metrics().apply("numOutputRows").value()));
        assertThat(read).hasSize(2);
        assertThat(read.get(0)).isBetween((long) lefts, 3L * lefts);
        assertThat(read.get(1)).isBetween((long) rights, 3L * rights);
        isAsSparks("LEFT JOIN r EXACT NEAREST 2 BY DISTANCE", RANKINGS[0]);
    }

    private void stored(String name, int rows, int partitions, long seed) {
        table(name, rows, partitions, seed);
        String path = folder.resolve(name).toString();
        spark.table(name).write().mode("overwrite").parquet(path);
        spark.read().parquet(path).createOrReplaceTempView(name);
    }

    private static void scans(SparkPlan plan, Consumer<SparkPlan> taker) {
        if (plan instanceof FileSourceScanExec scan) {
            taker.accept(scan);
        }
        SparkPlan below = plan instanceof QueryStageExec stage ? stage.plan() : null;
        if (below != null) {
            scans(below, taker);
        }
        CollectionConverters.asJava(plan.children()).forEach(child -> scans(child, taker));
    }

    /** Zeros of both signs have one place in the order, and stay what they are. */
    @ParameterizedTest
    @ValueSource(strings = {"256m", "1"})
    @Tag("full")
    void ranksThatComeOutHaveSparksBits(String bytes) {
        spark.conf().set("spark.broadloom.sql.nearestBytes", bytes);
        spark.sql("SELECT id, double(id % 3 - 1) AS x FROM range(20)").createOrReplaceTempView("l");
        spark.sql("SELECT id, double(id % 2) * 0 AS x, array(1e-30F, float(id - 5)) AS v FROM range(30)")
                .createOrReplaceTempView("r");
        isAsSparks("LEFT JOIN r EXACT NEAREST 3 BY DISTANCE", "l.x * r.x");
        isAsSparks("JOIN r EXACT NEAREST 3 BY SIMILARITY", "abs(l.x * r.x) * -1");
        isAsSparks("JOIN r EXACT NEAREST 2 BY DISTANCE", "vector_inner_product(array(float(l.x * 1e-30), 0F), r.v)");
        isAsSparks("LEFT JOIN r EXACT NEAREST 2 BY DISTANCE", "cast(l.x AS INT) + cast(r.x AS INT)");
    }

    /** What comes out is what was ranked: it is not computed again, and the vectors are not carried along. */
    @Test
    void theRankComesOut() {
        table("l", 30, 2, 16);
        table("r", 50, 2, 17);
        String join = " FROM l JOIN r EXACT NEAREST 2 BY DISTANCE " + RANKINGS[0];
        String plan = plan("SELECT l.id, r.id AS other, 1 + " + RANKINGS[0] + " AS far" + join);
        assertThat(plan.substring(0, plan.indexOf("Nearest"))).contains("rank").doesNotContain("VectorFunction");
        assertThat(ranks("SELECT l.id, 1 + " + RANKINGS[0] + join))
                .isEqualTo(ranks("SELECT l.id, 1 + vector_l2_distance(r.v, l.v)" + join));
    }

    /** Keys of a few rows, of none on one side, and NULL, which is equal to none. */
    @Test
    void onlyRowsOfEqualKeysMeet() {
        table("l", 90, 3, 10);
        table("r", 70, 2, 11);
        for (String ranking : List.of(
                "CASE WHEN l.x = r.x THEN abs(l.y - r.y) END",
                "IF(l.n % 5 = r.n % 7 AND r.x = l.x, vector_l2_distance(l.v, r.v), NULL)",
                "CASE WHEN l.x = r.x THEN vector_cosine_similarity(l.v, r.v) END")) {
            assertThat(plan("SELECT l.id FROM l JOIN r EXACT NEAREST 2 BY DISTANCE " + ranking))
                    .contains("rows of equal keys");
            isAsSparks("LEFT JOIN r EXACT NEAREST 3 BY DISTANCE", ranking);
            isAsSparks("JOIN r EXACT NEAREST 1 BY SIMILARITY", ranking);
        }
        assertThat(plan("SELECT l.id FROM l JOIN r EXACT NEAREST 2 BY DISTANCE IF(l.x = r.x, l.y, r.y)"))
                .contains("broadcast");
    }

    @ParameterizedTest
    @ValueSource(strings = {"256m", "1", "2000"})
    void aSideMayBeEmpty(String bytes) {
        spark.conf().set("spark.broadloom.sql.nearestBytes", bytes);
        table("few", 5, 2, 5);
        table("many", 400, 2, 5);
        spark.table("few").createOrReplaceTempView("l");
        spark.table("many").filter("id < 0").createOrReplaceTempView("r");
        isAsSparks("LEFT JOIN r EXACT NEAREST 2 BY DISTANCE", "abs(l.x - r.x)");
        isAsSparks("JOIN r EXACT NEAREST 2 BY DISTANCE", "abs(l.x - r.x)");
        spark.table("few").filter("id < 0").createOrReplaceTempView("l");
        spark.table("many").createOrReplaceTempView("r");
        isAsSparks("LEFT JOIN r EXACT NEAREST 2 BY DISTANCE", "vector_l2_distance(l.v, r.v)");
    }

    @Test
    void vectorsOfOtherLengthsAreRefusedAsBySpark() {
        spark.sql("SELECT 1L AS id, array(1F, 2F) AS v").createOrReplaceTempView("l");
        spark.sql("SELECT id, if(id = 7, array(1F), array(1F, 2F)) AS v FROM range(9)")
                .createOrReplaceTempView("r");
        assertThatThrownBy(() -> ranks(
                        "SELECT l.id, r.id FROM l JOIN r EXACT NEAREST 1 BY DISTANCE vector_l2_distance(l.v, r.v)"))
                .hasStackTraceContaining("VECTOR_DIMENSION_MISMATCH");
    }

    @Test
    void whatSparkAloneCanRankStaysItsOwn() {
        table("l", 10, 1, 6);
        table("r", 10, 1, 7);
        for (String ranking : List.of("rand()", "concat(l.id, r.id)", "rand() + l.x * r.x")) {
            assertThat(plan("SELECT l.id FROM l JOIN r APPROX NEAREST 2 BY DISTANCE " + ranking))
                    .doesNotContain("Nearest ");
        }
    }

    /** One file would be one task, however many run at a time. */
    @Test
    void leftRowsAreSpreadOverTasks() {
        spark.range(0, 300, 1, 1).selectExpr("id", "double(id) AS x").createOrReplaceTempView("l");
        spark.range(0, 5000, 1, 1).selectExpr("id", "double(id) AS x").createOrReplaceTempView("r");
        Dataset<Row> joined = spark.sql("SELECT l.id FROM l JOIN r EXACT NEAREST 2 BY DISTANCE abs(l.x - r.x)");
        assertThat(joined.rdd().getNumPartitions()).isEqualTo(2);
        assertThat(joined.count()).isEqualTo(600);
    }

    /** What is asked of left rows is asked before; of right rows only the nearest are asked, as many as there are then. */
    @Test
    void leftRowsAreFilteredFirst() {
        table("l", 60, 2, 12);
        table("r", 60, 2, 13);
        String query = "SELECT l.id, abs(l.x - r.x) FROM l JOIN r EXACT NEAREST 3 BY DISTANCE abs(l.x - r.x)"
                + " WHERE l.n > 70 AND abs(l.x - r.x) < 0.1 AND l.y < 1";
        String optimized = spark.sql(query).queryExecution().optimizedPlan().toString();
        assertThat(optimized.substring(0, optimized.indexOf("NearestPairs")))
                .contains("< 0.1")
                .doesNotContain("> 70", "< 1.0");
        spark.conf().set("spark.broadloom.sql.nearest", false);
        Map<Long, List<Object>> expected = ranks(query);
        spark.conf().set("spark.broadloom.sql.nearest", true);
        assertThat(ranks(query)).isEqualTo(expected).isNotEmpty();
    }

    /** Of what is read above, and by the ranking: not of all columns. */
    @Test
    void columnsThatNobodyReadsAreNotRead() {
        table("l", 10, 1, 6);
        table("r", 10, 1, 7);
        spark.table("l").write().mode("overwrite").parquet(folder.resolve("l").toString());
        spark.read().parquet(folder.resolve("l").toString()).createOrReplaceTempView("stored");
        assertThat(plan("SELECT l.id FROM l JOIN stored s EXACT NEAREST 2 BY DISTANCE abs(l.x - s.x)"))
                .contains("ReadSchema: struct<x:double>");
    }
}
