package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user is told of a row that a function does not take: a sentence, as of Spark's own functions, and the place in the query. */
class SqlErrorsTest extends SqlTest {
    private static final String MISFIT = "tensor_add(array(id, id), transform(sequence(0, id + 1), i -> i))";
    private static final String MISFITS =
            "Cannot call tensor_add with input[2], other[3]: The size of tensor a (2) must match the size of tensor b (3) at"
                    + " non-singleton dimension 0";

    private static Throwable failure(Dataset<Row> rows) {
        return catchThrowable(rows::collectAsList);
    }

    private static String message(String query) {
        return failure(spark.sql(query)).getMessage();
    }

    /** In batches and row by row. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                MISFIT + " | tensor_add | array<bigint>, array<bigint> | array<bigint> | " + MISFITS,
                "tensor_add(array(array(id), array(id, id)), 1) | tensor_add | array<array<bigint>>, int | array<array<bigint>>"
                        + " | Cannot call tensor_add: input is ragged: [1] has 2 elements, others have 1",
                "tensor_mul(array(id, if(id = 1, null, id)), 2) | tensor_mul | array<bigint>, int | array<bigint>"
                        + " | Cannot call tensor_mul: input is null at [1]; fill it, as with tensor_fill_null(input, 0)",
                "tensor_reshape(sequence(0, id + 2), 4) | tensor_reshape | array<bigint>, int | array<bigint>"
                        + " | Cannot call tensor_reshape with input[3]: shape '[4]' is invalid for input of size 3",
                "tensor_floor_divide(array(7, id), id) | tensor_floor_divide | array<bigint>, bigint | array<bigint>"
                        + " | Cannot call tensor_floor_divide: ZeroDivisionError",
                "tensor_floor_divide(array(7, id), 0) | tensor_floor_divide | array<bigint>, int | array<bigint>"
                        + " | Cannot call tensor_floor_divide with input[2]: ZeroDivisionError",
                "tensor_shape(array(array(id), array(id, id))) | tensor_shape | array<array<bigint>> | array<bigint>"
                        + " | Cannot call tensor_shape: input is ragged: [1] has 2 elements, others have 1",
                "tensor_fill_null(array(array(id), null), 0) | tensor_fill_null | array<array<bigint>>, int | array<array<bigint>>"
                        + " | Cannot call tensor_fill_null: the array at [1] of input is null, and its size is not known; fill it yourself",
                "tensor_sum(sequence(0, id)) | tensor_sum | array<bigint> | array<bigint>"
                        + " | Cannot call tensor_sum: a row has the shape [2], others have [1]",
                "tensor_mean(array(id, if(id = 1, null, id))) | tensor_mean | array<bigint> | array<double>"
                        + " | Cannot call tensor_mean: input is null at [1]; fill it, as with tensor_fill_null(input, 0)"
            })
    void oneSentenceAndThePlace(String call, String function, String arguments, String result, String sentence) {
        String query = "select " + call + " as y from range(0, 3, 1, 1)";
        for (String batches : new String[] {"always", "never"}) {
            spark.conf().set("spark.broadloom.sql.batches", batches);
            Throwable failure = failure(spark.sql(query));
            assertThat(failure)
                    .isInstanceOf(SparkThrowable.class)
                    .hasMessage(
                            "[FAILED_EXECUTE_UDF] User defined function (`%s`: (%s) => %s) failed due to: %s. SQLSTATE: 39000\n"
                                    + "== SQL (line 1, position 8) ==\n%s\n       %s\n",
                            function, arguments, result, sentence, query, "^".repeat(call.length()));
            assertThat(failure.getCause()).hasMessage(sentence);
        }
    }

    /** Also where they are one kernel. */
    @Test
    void thePlaceIsThatOfTheFunctionWithin() {
        assertThat(message("select id,\n  tensor_exp(" + MISFIT + ") as y\nfrom range(3)"))
                .contains(MISFITS + ". SQLSTATE: 39000\n== SQL (line 2, position 14) ==\n  tensor_exp(tensor_add(");
    }

    @Test
    void thePlaceMayBeAViewOrAProgram() {
        spark.sql("create or replace temp view misfits as select id, " + MISFIT + " as y from range(3)");
        assertThat(message("select y from misfits where id < 2"))
                .contains(MISFITS, "== SQL of VIEW misfits (line 1, position 12) ==");
        Dataset<Row> rows = spark.range(3)
                .select(functions.call_function(
                        "tensor_add",
                        functions.array(functions.col("id")),
                        functions.array(functions.col("id"), functions.lit(null))));
        assertThat(failure(rows).getMessage())
                .contains("other is null at [1]", "== DataFrame ==\n\"call_function\" was called from\n");
    }

    @Test
    void filtersAndConstantsSayItToo() {
        assertThat(
                        message(
                                "select id from range(0, 3, 1, 1) where tensor_eval('(x + y).sum()', array(id, id), sequence(0, id + 2)) > 0"))
                .contains(
                        "Cannot call tensor_eval with x[2], y[3]: The size of tensor a (2)",
                        "== SQL (line 1, position 40) ==");
        assertThat(message("select tensor_add(array(1, 2), array(1, 2, 3))"))
                .contains("Cannot call tensor_add with input[2], other[3]", "== SQL (line 1, position 8) ==");
    }
}
