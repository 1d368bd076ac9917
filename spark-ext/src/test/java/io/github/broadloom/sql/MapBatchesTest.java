package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.LocalSpark;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many columns of expressions in one pass. */
class MapBatchesTest extends SqlTest {
    /** Vectors v = [id, id + 2], numbers `the mean` = id + 1 and a column that goes through. */
    private static Dataset<Row> vectors(int partitions) {
        return spark.range(0, 100, 1, partitions)
                .selectExpr("id", "array(double(id), double(id + 2)) as v", "double(id + 1) as `the mean`");
    }

    private static Map<String, String> outputs() {
        Map<String, String> outputs = new LinkedHashMap<>();
        outputs.put("centred", "x - m");
        outputs.put("total", "x.sum()");
        outputs.put("scaled", "(x - m) / 2");
        outputs.put("a", "x * 10");
        outputs.put("v", "x + 1");
        outputs.put("large", "x > 50");
        return outputs;
    }

    private static Dataset<Row> mapped(int partitions) {
        return Broadloom.on(spark).mapBatches(vectors(partitions), Map.of("x", "v", "m", "the mean"), outputs());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void severalColumnsAreOnePass(int partitions) {
        Dataset<Row> mapped = mapped(partitions);
        assertThat(mapped.columns()).containsExactly("id", "v", "the mean", "centred", "total", "scaled", "a", "large");
        List<Row> rows = sorted(mapped);
        assertThat(rows).hasSize(100);
        assertThat(rows.get(49).toString().replace("ArraySeq", ""))
                .isEqualTo("[49,(50.0, 52.0),50.0,(-1.0, 1.0),100.0,(-0.5, 0.5),(490.0, 510.0),(false, true)]");
        String plan = mapped.queryExecution().executedPlan().toString();
        assertThat(plan.split("TensorBatch", -1)).as(plan).hasSize(2);
    }

    @Test
    void withoutTheExtensionTheBitsAreTheSame() {
        List<Row> batched = sorted(mapped(2));
        LocalSpark.stop();
        try {
            spark = LocalSpark.session();
            assertThat(sorted(mapped(2))).isEqualTo(batched);
        } finally {
            LocalSpark.stop();
            start();
        }
    }

    @Test
    void whatCannotBeComputedIsTold() {
        Broadloom broadloom = Broadloom.on(spark);
        Dataset<Row> table = vectors(1);
        assertThatThrownBy(() -> broadloom.mapBatches(table, Map.of("x", "w"), Map.of("y", "x")))
                .hasMessage("Cannot read column w: the table has id, v, the mean");
        assertThatThrownBy(() -> broadloom.mapBatches(table, Map.of("x", "v"), Map.of("y", "x - m")))
                .hasMessage("Cannot compute column y: m in 'x - m' is none of the inputs x");
        assertThatThrownBy(() -> broadloom.mapBatches(table, Map.of("x", "v"), Map.of("y", "x -")))
                .hasMessageContaining("Cannot parse the expression: it ends where a value was expected");
        assertThat(broadloom.mapBatches(table, Map.of(), Map.of()).columns()).containsExactly(table.columns());
    }
}
