package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls without columns: small ones are computed while the query is planned, large ones by tasks. */
class SqlConstantsTest extends SqlTest {
    private static String plan(String call) {
        return spark.sql("SELECT " + call + " AS y FROM range(3)")
                .queryExecution()
                .optimizedPlan()
                .toString();
    }

    /** 10¹² elements take an hour: a plan that waited for them would not end here. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tensor_eval('x.expand(1000000, 1000000).sum()', 1.0f)",
                "tensor_eval('x.expand(1000000, 1000000)', array(array(1.0f)))",
                "tensor_eval('(x.reshape((-1, 1)) * x).mean()', transform(sequence(1, 100000), i -> float(i)))",
                "tensor_eval('x.expand(9000, 9000) @ x.expand(9000, 9000)', array(array(1.0f)))",
                "tensor_add(tensor_eval('x.expand(1000000, 1000000).sum()', 1.0f), 1)"
            })
    void aLargeOneIsLeftToTasks(String call) {
        assertThat(plan(call)).contains("tensor_eval");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id FROM range(3) WHERE tensor_total(tensor_expand(1.0f, 1000000, 1000000)) > 0",
                "sum(tensor_total(tensor_expand(1.0f, 1000000, 1000000))) FROM range(3)",
                "a.id FROM range(3) a JOIN range(4) b ON tensor_total(tensor_expand(float(1), 1000000, 1000000)) > a.id + b.id"
            })
    void norIsItComputedForAFilterAJoinOrAnAggregate(String query) {
        assertThat(spark.sql("SELECT " + query).queryExecution().executedPlan().toString())
                .contains("tensor_total");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tensor_eval('x.expand(1000, 1000).sum()', 1.0f)",
                "tensor_add(array(1, 2), tensor_exp(array(1.0f)))",
                "tensor_eval('x.sum()', cast(null as array<float>))"
            })
    void aSmallOneIsPartOfThePlan(String call) {
        assertThat(plan(call)).doesNotContain("tensor_");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void aTaskComputesItForItsFirstRow(String generated) {
        spark.conf().set("spark.sql.codegen.wholeStage", generated);
        spark.conf().set("spark.sql.codegen.factoryMode", generated.equals("true") ? "CODEGEN_ONLY" : "NO_CODEGEN");
        try {
            String large = "tensor_eval('(x.expand(5000, 4000) + 1).sum(0)[0]', 1.0f)";
            List<Row> rows = spark.sql("SELECT tensor_add(float(id), " + large + ") AS y, " + large
                            + " AS z FROM range(0, 4000, 1, 2) ORDER BY id")
                    .collectAsList();
            assertThat(rows).hasSize(4000);
            assertThat(rows.get(3999).getFloat(0)).isEqualTo(13999f);
            assertThat(rows).allMatch(row -> row.getFloat(1) == 10000f);
        } finally {
            spark.conf().unset("spark.sql.codegen.wholeStage");
            spark.conf().unset("spark.sql.codegen.factoryMode");
        }
    }

    /** What cannot be computed is told while the query is planned, as of any constant. */
    @Test
    void aWrongOneIsToldAtOnce() {
        assertThatThrownBy(() -> plan("tensor_add(array(1, 2), array(1, 2, 3))"))
                .hasMessageContaining("The size of tensor a (2) must match the size of tensor b (3)");
    }
}
