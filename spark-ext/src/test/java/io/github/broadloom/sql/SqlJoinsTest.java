package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of tensors in the conditions of every kind of join: the pairs that Spark finds by numbers. */
class SqlJoinsTest extends SqlTest {
    /** A condition over vectors v, and the same over their elements x and y. */
    private static final Map<String, String> CONDITIONS = Map.of(
            "tensor_total(l.v) = r.x + r.y",
            "l.x + l.y = r.x + r.y",
            "tensor_total(r.v) = tensor_total(l.v) AND tensor_dot(l.v, r.v) > 3",
            "l.x + l.y = r.x + r.y AND l.x * r.x + l.y * r.y > 3",
            "l.k = r.k AND l.id + tensor_amax(l.v) = tensor_amin(r.v)",
            "l.k = r.k AND l.id + greatest(l.x, l.y) = least(r.x, r.y)",
            "tensor_total(l.v) <=> tensor_total(r.v)",
            "l.x + l.y <=> r.x + r.y",
            "l.k = r.k AND tensor_dot(l.v, r.v) > 3",
            "l.k = r.k AND l.x * r.x + l.y * r.y > 3",
            "tensor_dot(l.v, r.v) > 5",
            "l.x * r.x + l.y * r.y > 5");

    private static final Random RANDOM = new Random(4);

    @BeforeEach
    void tables() {
        table("left_rows", 30);
        table("right_rows", 25);
        table("no_rows", 0);
    }

    @AfterEach
    void adaptive() {
        spark.conf().unset("spark.sql.adaptive.enabled");
    }

    /** Rows with few different vectors, some of which are NULL, and keys that some lack. */
    private static void table(String name, int count) {
        List<Row> rows = new ArrayList<>();
        for (long id = 0; id < count; id++) {
            boolean isNull = RANDOM.nextInt(5) == 0;
            rows.add(RowFactory.create(
                    id,
                    RANDOM.nextInt(6) == 0 ? null : RANDOM.nextInt(4),
                    isNull ? null : RANDOM.nextInt(3),
                    isNull ? null : RANDOM.nextInt(3)));
        }
        spark.createDataFrame(rows, StructType.fromDDL("id bigint, k int, x int, y int"))
                .repartition(3)
                .selectExpr("*", "if(x IS NULL, NULL, array(x, y)) AS v")
                .createOrReplaceTempView(name);
    }

    record Case(String kind, String way, boolean isAdaptive) {}

    static Stream<Case> cases() {
        return Stream.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN", "EXISTS")
                .flatMap(kind -> Stream.of("MERGE", "BROADCAST", "SHUFFLE_HASH")
                        .flatMap(way -> Stream.of(new Case(kind, way, true), new Case(kind, way, false))));
    }

    @SomeOf(value = "cases", oneIn = 21)
    void everyJoinFindsThePairsThatSparkFindsByNumbers(Case join) {
        spark.conf().set("spark.sql.adaptive.enabled", join.isAdaptive());
        CONDITIONS.forEach((ours, byNumbers) -> assertThat(found(join, ours, "left_rows", "right_rows"))
                .as(ours)
                .isEqualTo(found(join, byNumbers, "left_rows", "right_rows")));
        String first = "tensor_total(l.v) = tensor_total(r.v) AND tensor_dot(l.v, r.v) > 3";
        for (String left : List.of("left_rows", "no_rows")) {
            assertThat(found(join, first, left, "no_rows")).isEqualTo(found(join, "l.x = r.x", left, "no_rows"));
        }
    }

    private static List<String> found(Case join, String on, String left, String right) {
        String hint = "SELECT /*+ " + join.way() + "(r) */ ";
        String query = switch (join.kind()) {
            case "EXISTS" ->
                hint + "array(l.id) FROM " + left + " l WHERE l.id < 3 OR EXISTS (SELECT 1 FROM " + right + " r WHERE "
                        + on + ")";
            case "LEFT SEMI JOIN", "LEFT ANTI JOIN" ->
                hint + "array(l.id) FROM " + left + " l " + join.kind() + " " + right + " r ON " + on;
            default -> hint + "array(l.id, r.id) FROM " + left + " l " + join.kind() + " " + right + " r ON " + on;
        };
        return spark
                .sql(query.replaceFirst("array\\(.*?\\)", "to_json($0) AS found"))
                .as(Encoders.STRING())
                .collectAsList()
                .stream()
                .sorted()
                .toList();
    }

    /** Where rows go, how they are sorted and which of them meet are asked of a column. */
    @ParameterizedTest
    @ValueSource(strings = {"JOIN", "LEFT JOIN", "FULL JOIN", "LEFT ANTI JOIN"})
    void aKeyIsComputedOnceForEachRow(String kind) {
        spark.conf().set("spark.sql.adaptive.enabled", false);
        Dataset<Row> joined = spark.sql("SELECT /*+ MERGE(r) */ l.id FROM left_rows l " + kind
                + " right_rows r ON tensor_total(l.v) = r.k AND tensor_dot(l.v, r.v) > 3");
        String plan = joined.queryExecution().executedPlan().toString();
        assertThat(plan).containsOnlyOnce("tensor_total(");
        assertThat(plan.lines().filter(line -> line.contains("tensor_total(")))
                .allSatisfy(line -> assertThat(line).contains("TensorBatch ["));
        assertThat(joined.columns()).containsExactly("id");
    }
}
