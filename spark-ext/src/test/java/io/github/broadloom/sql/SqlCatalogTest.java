package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.spark.LocalSpark;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The functions behind a prefix, in a session that has them and in one that does not. */
class SqlCatalogTest {
    private static final String[] NO_NAMESPACE = {};

    /** A session with the prefix {@code tensors}. */
    private static SparkSession session(String extensions) {
        LocalSpark.stop();
        return LocalSpark.session(
                "spark.sql.catalog.tensors",
                BroadloomCatalog.class.getName(),
                "spark.sql.extensions",
                extensions,
                "spark.sql.shuffle.partitions",
                "2");
    }

    @AfterAll
    static void stop() {
        LocalSpark.stop();
    }

    private static String answer(SparkSession spark, String select) {
        return String.join(
                "; ",
                spark.sql("select to_json(struct(" + select + " as y)) from range(1)")
                        .as(Encoders.STRING())
                        .collectAsList());
    }

    private static String type(SparkSession spark, String select) {
        return spark.sql("select " + select).schema().fields()[0].dataType().simpleString();
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class WithTheExtension {
        private final SparkSession spark = session(BroadloomExtensions.class.getName());

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "tensors.add(array(1, 2), 1.5) | [2.5,3.5] | array<float>",
                    "tensors.eval('(x - m) / s', array(1d, 3d), 1, array(2d, 4d)) | [0.0,0.5] | array<double>",
                    "tensors.reshape(array(1, 2, 3, 4), 2, -1) | [[1,2],[3,4]] | array<array<int>>",
                    "tensors.Sum(array(id, 2)) | [0,2] | array<bigint>",
                    "tensors.neg(tensors.slice(array(1, 2, 3), '1:')) | [-2,-3] | array<int>",
                    "(select max(tensors.mul(id, 3)) from range(4)) | 9 | bigint",
                })
        void theyAreTheFunctionsOfTheSession(String call, String value, String type) {
            assertThat(answer(spark, call)).isEqualTo("{\"y\":" + value + "}");
            assertThat(spark.sql("select " + call + " from range(1)")
                            .schema()
                            .fields()[0]
                            .dataType()
                            .simpleString())
                    .isEqualTo(type);
        }

        @Test
        void theyAreBatched() {
            assertThat(spark.sql("select tensors.add(a, 1) from (select array(id) as a from range(3))")
                            .queryExecution()
                            .executedPlan()
                            .toString())
                    .contains("TensorBatch");
        }

        @Test
        void errorsNameTheArgument() {
            assertThatThrownBy(() -> spark.sql("select tensors.add('a', 1)"))
                    .isInstanceOf(AnalysisException.class)
                    .hasMessageContaining("Cannot call tensor_add: input is STRING; give numbers or arrays of numbers");
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class WithoutTheExtension {
        private final SparkSession spark = session("");

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "tensors.add(array(1, 2), array(10, 20)) | [11,22] | array<int>",
                    "tensors.ADD(array(1.5f, 2f), 1.5) | [3.0,3.5] | array<float>",
                    "tensors.add(array(1, 2), 1.5) | [2.5,3.5] | array<double>", // 1.5 is a zero-dim tensor of float64
                    "tensors.mul(array(array(1, 2), array(3, 4)), array(10, 100)) | [[10,200],[30,400]] | array<array<int>>",
                    "tensors.neg(tensors.exp(0d)) | -1.0 | double",
                    "tensors.shape(array(array(1, 2, 3), array(4, 5, 6))) | [2,3] | array<bigint>",
                })
        void theyAreTypedByTheirArguments(String call, String value, String type) {
            assertThat(answer(spark, call)).isEqualTo("{\"y\":" + value + "}");
            assertThat(type(spark, call)).isEqualTo(type);
        }

        @Test
        void nullInNullOut() {
            assertThat(spark
                            .sql("select tensors.add(if(id = 1, null, array(id)), 1) as y from range(0, 3, 1, 1)")
                            .collectAsList()
                            .stream()
                            .map(row -> row.isNullAt(0) ? null : row.getList(0))
                            .toList())
                    .containsExactly(List.of(1L), null, List.of(3L));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "tensors.add(array(true), array('a')) | Cannot call tensor_add: other is ARRAY<STRING>",
                    "tensors.add(array(1)) | Cannot call tensor_add with 1 argument; it takes 2 (input, other)",
                    "tensors.eval('x', array(1)) | Cannot call tensor_eval through a catalog alone: it would need to know a text; add io.github",
                    "tensors.sum(array(1)) | Cannot call tensor_sum through a catalog alone: it is an aggregate; add io.github.broadloom.sql",
                    "tensors.reshape(array(1), 1) | Cannot call tensor_reshape: shape must be the same in all rows; write a constant",
                    "tensors.nothing(1) | nothing",
                })
        void whatCannotBeIsSaidAtAnalysis(String call, String message) {
            assertThatThrownBy(() -> spark.sql("select " + call))
                    .isInstanceOf(AnalysisException.class)
                    .hasMessageContaining(message);
        }
    }

    @Test
    void theCatalogListsItsFunctions() throws NoSuchFunctionException, NoSuchNamespaceException {
        BroadloomCatalog catalog = new BroadloomCatalog();
        List<String> names = Arrays.stream(catalog.listFunctions(NO_NAMESPACE))
                .map(Identifier::name)
                .toList();
        assertThat(names).contains(Op.all().stream().map(Op::name).toArray(String[]::new));
        assertThat(names).contains("eval", "sum", "shape").doesNotHaveDuplicates();
        assertThat(catalog.functionExists(Identifier.of(NO_NAMESPACE, "add"))).isTrue();
        assertThat(catalog.functionExists(Identifier.of(NO_NAMESPACE, "nothing")))
                .isFalse();
        assertThat(catalog.functionExists(Identifier.of(new String[] {"else"}, "add")))
                .isFalse();
        assertThat(catalog.loadFunction(Identifier.of(NO_NAMESPACE, "add")).description())
                .contains("The sum");
        assertThatThrownBy(() -> catalog.listFunctions(new String[] {"else"}))
                .isInstanceOf(NoSuchNamespaceException.class);
    }
}
