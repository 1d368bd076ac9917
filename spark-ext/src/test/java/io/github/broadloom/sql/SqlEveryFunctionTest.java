package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.expr.parse.OpsPage;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Encoders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each operation of docs/ops.md is a function of SQL; what they give is what NumPy and PyTorch give. */
class SqlEveryFunctionTest extends SqlTest {
    /** Aggregates of rows have the names of these. */
    private static final Map<String, String> OTHERWISE = Map.of("sum", "total", "mean", "average", "std", "deviation");

    private static final Pattern NAME = Pattern.compile("`(\\w+)`");

    /** The names of the first column, and of the second where it has other names. */
    private static Stream<String> names(List<String> page) {
        boolean[] hasOthers = new boolean[1];
        return page.stream().filter(line -> line.startsWith("|")).flatMap(line -> {
            String[] cells = line.split(" \\| ");
            if (cells[0].equals("| name")) {
                hasOthers[0] = cells[1].equals("other names");
            }
            return NAME.matcher(cells[0] + (hasOthers[0] ? cells[1] : ""))
                    .results()
                    .map(name -> name.group(1));
        });
    }

    private static List<String> strings(String query) {
        return spark.sql(query).as(Encoders.STRING()).collectAsList();
    }

    @Test
    void everyOperationOfThePageIsAFunction() {
        List<String> wanted = names(OpsPage.markdown().lines().toList())
                .map(name -> "tensor_" + OTHERWISE.getOrDefault(name, name))
                .toList();
        assertThat(wanted).hasSizeGreaterThan(150).contains("tensor_matmul", "tensor_softmax", "tensor_concatenate");
        assertThat(strings("SHOW FUNCTIONS LIKE 'tensor_*'")).containsAll(wanted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tensor_softmax(array(0d, 0d), 0) | [0.5,0.5] | array<double>",
                "tensor_cumsum(array(array(1, 2), array(3, 4)), dim => 1) | [[1,3],[3,7]] | array<array<bigint>>",
                "tensor_norm(array(3d, 4d)) | 5.0 | double",
                "tensor_norm(array(array(3d, 4d), array(6d, -8d)), 1, -1) | [7.0,14.0] | array<double>",
                "tensor_norm(array(1d, -5d), double('inf')) | 5.0 | double",
                "tensor_matmul(array(array(1, 2), array(3, 4)), array(10, 100)) | [210,430] | array<int>",
                "tensor_dot(array(1, 2, 3), tensor => array(4, 5, 6)) | 32 | int",
                "tensor_total(array(array(1, 2), array(3, 4)), 0, keepdim => true) | [[4,6]] | array<array<bigint>>",
                "tensor_total(array(1f, 2f), dtype => 'float64') | 3.0 | double",
                "tensor_average(array(1d, 2d, 6d)) | 3.0 | double",
                "tensor_deviation(array(1d, 3d), correction => 0) | 1.0 | double",
                "tensor_amax(array(array(1, 9), array(3, 4)), array(0, 1)) | 9 | int",
                "tensor_amin(array(array(1, 9), array(3, 4)), -1) | [1,3] | array<int>",
                "tensor_amax(dim => 0, INPUT => array(array(1, 9), array(3, 4))) | [3,9] | array<int>",
                "tensor_argmax(array(1, 9, 3)) | 1 | bigint",
                "tensor_any(array(array(true, false), array(false, false)), 1) | [true,false] | array<boolean>",
                "tensor_permute(array(array(1, 2), array(3, 4)), 1, 0) | [[1,3],[2,4]] | array<array<int>>",
                "tensor_swapaxes(array(array(1, 2), array(3, 4)), 0, -1) | [[1,3],[2,4]] | array<array<int>>",
                "tensor_unflatten(array(1, 2, 3, 4), 0, 2, -1) | [[1,2],[3,4]] | array<array<int>>",
                "tensor_reshape(sequence(1, 6), array(3, 2)) | [[1,2],[3,4],[5,6]] | array<array<int>>",
                "tensor_narrow(array(1, 2, 3, 4), 0, 1, 2) | [2,3] | array<int>",
                "tensor_flip(array(1, 2, 3), dims => 0) | [3,2,1] | array<int>",
                "tensor_expand(array(array(1), array(2)), -1, 2) | [[1,1],[2,2]] | array<array<int>>",
                "tensor_concat(array(1, 2), array(3)) | [1,2,3] | array<int>",
                "tensor_stack(array(1, 2), array(3, 4), dim => 1) | [[1,3],[2,4]] | array<array<int>>",
                "tensor_einsum('i,j->ij', array(1, 2), array(3, 4)) | [[3,4],[6,8]] | array<array<int>>",
                "tensor_quantile(array(1d, 2d, 3d, 4d), 0.5) | 2.5 | double",
                "tensor_quantile(array(1d, 2d, 3d, 4d), array(0.25, 0.5)) | [1.75,2.5] | array<double>",
                "tensor_div(array(7, -7), 2, 'floor') | [3,-4] | array<int>",
                "tensor_divide(array(-7), 2, rounding_mode => 'trunc') | [-3] | array<int>",
                "tensor_round(array(1.25d, 3.75d), decimals => 1) | [1.2,3.8] | array<double>",
                "tensor_clip(array(1, 5, 9), max => 6) | [1,5,6] | array<int>",
                "tensor_isclose(array(1d), array(1.1d), atol => 0.2) | [true] | array<boolean>",
                "tensor_rsub(array(1, 2), 10) | [9,8] | array<int>",
                "tensor_add(tensor_amax(array(1, 2)), tensor_total(tensor_permute(array(array(1, 2)), 1, 0))) | 5 | bigint"
            })
    void itGivesWhatItGivesInNumPy(String call, String value, String type) {
        assertThat(strings("SELECT to_json(struct(" + call + " AS y)) FROM range(1)"))
                .containsExactly("{\"y\":" + value + "}");
        assertThat(spark.sql("SELECT " + call).schema().fields()[0].dataType().simpleString())
                .isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tensor_softmax(array(1f)) | tensor_softmax: 0 dimensions given; it goes along one, such as dim=0",
                "tensor_softmax(array(1f), id) | tensor_softmax: dim must be the same in all rows; write a constant",
                "tensor_softmax(array(1f), dim => 3) | tensor_softmax: Dimension out of range (expected to be in range of [-1, 0], but got 3)",
                "tensor_amax(array(1f), dimension => 0) | tensor_amax: it has no argument dimension; it takes input, dim, keepdim",
                "tensor_amax(array(1f), 0, dim => 0) | tensor_amax: dim is given twice",
                "tensor_dot(array(1), input => array(1)) | tensor_dot: input is given twice",
                "tensor_amax(dim => 0, array(1)) | tensor_amax: an argument without a name stands behind one with a name",
                "tensor_dot(array(1)) | tensor_dot: 1 argument given; it takes 2",
                "tensor_dot(array(1), array(1), array(1)) | tensor_dot: 3 arguments given; it takes input, tensor",
                "tensor_total(array(1), dtype => 'int64) + (1') | tensor_total: dtype is 'int64) + (1'; write one such as 'float32'",
                "tensor_einsum('i\\'', array(1)) | tensor_einsum: equation is \"i'\"; write it without quotes in it",
                "tensor_amax(array(1), current_date()) | tensor_amax: dim is DATE; give a number, a truth, a text or an array of numbers",
                "tensor_squeeze(array(array(id)), 0) | tensor_squeeze: Cannot tell how many dimensions squeeze leaves"
            })
    void whatItDoesNotTakeIsSaidAtAnalysis(String call, String why) {
        assertThatThrownBy(() -> spark.sql("SELECT " + call + " FROM range(1)"))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("Cannot call " + why);
    }

    @Test
    void theLanguageIsATable() {
        assertThat(strings("SELECT function FROM tensor_language() WHERE name IN ('sum', 'matmul', 'clamp')"))
                .contains("tensor_total", "tensor_matmul", "tensor_clamp");
        assertThat(strings("SELECT arguments FROM tensor_language() WHERE kind = 'Signs'"))
                .contains("x + y", "x ** y", "x @ y", "~x", "x.T", "pi");
        assertThat(strings("DESCRIBE FUNCTION tensor_language"))
                .anyMatch(line -> line.contains("A table of what can be written in a text of tensor_eval"));
    }

    @Test
    void aFunctionIsDescribed() {
        assertThat(String.join("\n", strings("DESCRIBE FUNCTION EXTENDED tensor_norm")))
                .contains("tensor_norm(input, p='fro', dim=None, keepdim=False) - The p-th root of the sum of |x| ** p")
                .contains("* input - numbers, arrays of numbers, or arrays of arrays")
                .contains("* dim - the same in all rows; None where it is left out");
    }
}
