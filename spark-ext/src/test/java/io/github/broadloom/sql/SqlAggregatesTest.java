package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Aggregates over rows of tensors. */
class SqlAggregatesTest extends SqlTest {
    /** 10 rows of vectors [i, -i] in several dtypes, in groups of even and odd i; the last one is null. */
    private static void table(int partitions) {
        spark.range(0, 11, 1, partitions)
                .selectExpr(
                        "id % 2 as g",
                        "id",
                        "if(id = 10, null, array(float(id), float(-id))) as f",
                        "if(id = 10, null, array(int(id), int(-id))) as i",
                        "if(id = 10, null, array(array(double(id)), array(double(-id)))) as m")
                .createOrReplaceTempView("t");
    }

    private static List<Object> values(String sql) {
        Row row = spark.sql(sql).collectAsList().get(0);
        return IntStream.range(0, row.size())
                .mapToObj(column ->
                        row.get(column) instanceof scala.collection.Seq<?> ? row.getList(column) : row.get(column))
                .map(Object.class::cast)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void ofAllRows(int partitions) {
        table(partitions);
        assertThat(values("select tensor_sum(f), tensor_mean(f), tensor_min(f), tensor_max(f) from t"))
                .containsExactly(List.of(45f, -45f), List.of(4.5f, -4.5f), List.of(0f, -9f), List.of(9f, 0f));
        assertThat(values("select tensor_sum(i), tensor_mean(i), tensor_min(i), tensor_max(i) from t"))
                .containsExactly(List.of(45L, -45L), List.of(4.5, -4.5), List.of(0, -9), List.of(9, 0));
        double std = Math.sqrt(82.5 / 9); // the squares of 0.5, 1.5, … 4.5, twice, over 9
        List<Object> deviations =
                values("select tensor_std(i)[0], tensor_std(i, 0)[1], tensor_std(id) from t where id < 10");
        assertThat((Double) deviations.get(0)).isCloseTo(std, offset(1e-14));
        assertThat((Double) deviations.get(1)).isCloseTo(Math.sqrt(8.25), offset(1e-14));
        assertThat((Double) deviations.get(2)).isCloseTo(std, offset(1e-14));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void ofGroupsAndWindows(int partitions) {
        table(partitions);
        assertThat(spark.sql("select g, tensor_sum(i) from t group by g order by g").collectAsList().stream()
                        .map(row -> row.getList(1))
                        .toList())
                .isEqualTo(List.of(List.of(20L, -20L), List.of(25L, -25L)));
        assertThat(spark
                        .sql(
                                "select tensor_sum(i) over (order by id rows between 1 preceding and current row) as y from t order by id")
                        .collectAsList()
                        .stream()
                        .map(row -> row.<Long>getList(0).get(0))
                        .toList())
                .isEqualTo(List.of(0L, 1L, 3L, 5L, 7L, 9L, 11L, 13L, 15L, 17L, 9L));
        assertThat(spark
                        .sql(
                                "select tensor_sub(f, tensor_mean(f) over (partition by g)) as y from t where id < 2 order by id")
                        .collectAsList()
                        .stream()
                        .map(row -> row.getList(0))
                        .toList())
                .isEqualTo(List.of(List.of(0f, 0f), List.of(0f, 0f)));
    }

    /** Rows 4 to 7 count; with two or seven partitions some have none of them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void partsWithoutRowsChangeNothing(int partitions) {
        spark.range(0, 8, 1, partitions)
                .selectExpr("if(id < 4, null, array(1e150D * id, double(-id))) as d")
                .createOrReplaceTempView("late");
        List<Object> values =
                values("select tensor_std(d)[0], tensor_mean(d)[0], tensor_min(d)[0], tensor_max(d)[1] from late");
        assertThat((Double) values.get(0)).isCloseTo(1.2909944487358056e150, offset(1e136)); // the root of 5 / 3
        assertThat((Double) values.get(1)).isCloseTo(5.5e150, offset(1e136));
        assertThat(values.subList(2, 4)).containsExactly(4e150, -4.0);
    }

    @ParameterizedTest
    @CsvSource({
        "tinyint, 4, -3, 4, 0.5",
        "smallint, 4, -3, 4, 0.5",
        "int, 4, -3, 4, 0.5",
        "bigint, 4, -3, 4, 0.5",
        "float, 4, -3, 4, 0.5",
        "double, 4, -3, 4, 0.5",
        "boolean, 7, 0, 1, 0.875"
    })
    void ofEveryType(String type, double sum, double least, double most, double mean) {
        String cell = "array(cast(id - 3 as " + type + "))"; // -3 to 4
        String number = type.equals("boolean") ? "int" : type;
        spark.range(0, 8, 1, 3).selectExpr(cell + " as x").createOrReplaceTempView("typed");
        assertThat(values("select double(tensor_sum(x)[0]), double(" + number + "(tensor_min(x)[0])), double(" + number
                        + "(tensor_max(x)[0])), double(tensor_mean(x)[0]) from typed"))
                .containsExactly(sum, least, most, mean);
    }

    @Test
    void notANumberIsTheExtreme() {
        assertThat(values("select tensor_min(x)[0], tensor_max(x)[0], tensor_max(x)[1], tensor_sum(x)[1] from values"
                        + " (array(1f, -0f)), (array(float('nan'), -0f)), (array(3f, -0f)) as t(x)"))
                .containsExactly(Float.NaN, Float.NaN, -0f, 0f);
    }

    @Test
    void matricesKeepTheirShape() {
        table(3);
        assertThat(spark.sql("select to_json(struct(tensor_sum(m) as y)) from t")
                        .collectAsList()
                        .get(0)
                        .getString(0))
                .isEqualTo("{\"y\":[[45.0],[-45.0]]}");
    }

    @Test
    void nothingComesToNull() {
        table(2);
        assertThat(spark.sql("select tensor_sum(f), tensor_std(f) from t where id > 9")
                        .collectAsList()
                        .get(0))
                .satisfies(row -> assertThat(row.isNullAt(0) && row.isNullAt(1)).isTrue());
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        table(2);
        assertThatThrownBy(() -> spark.sql("select tensor_sum(array(id, id)) , tensor_sum(sequence(0, id)) from t")
                        .collectAsList())
                .hasStackTraceContaining("Cannot call tensor_sum: a row has the shape [")
                .hasStackTraceContaining("others have [");
        assertThatThrownBy(() -> spark.sql("select tensor_mean('a')"))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("Cannot call tensor_mean: input is STRING");
        assertThatThrownBy(() -> spark.sql("select tensor_std(f, id) from t"))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("Cannot call tensor_std: correction must be a plain number, not t.id");
        assertThatThrownBy(() -> spark.sql("select tensor_sum(f, 1) from t"))
                .hasMessageContaining("Cannot call tensor_sum with 2 arguments; it takes 1 (input)");
    }
}
