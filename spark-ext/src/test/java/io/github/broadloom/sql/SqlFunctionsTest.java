package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.table.TensorColumn;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The functions as a data engineer calls them. */
class SqlFunctionsTest extends SqlTest {
    private static String answer(String select) {
        return only(spark.sql("select " + select));
    }

    private static String only(Dataset<Row> rows) {
        return String.join("; ", rows.toJSON().collectAsList())
                .replaceAll("\\{\"[^\"]*\":", "")
                .replace("}", "");
    }

    private static String type(String select) {
        return spark.sql("select " + select).schema().fields()[0].dataType().simpleString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tensor_add(array(1, 2), array(10, 20)) | [11,22] | array<int>",
                "tensor_add(array(1, 2), 1.5) | [2.5,3.5] | array<float>",
                "tensor_add(array(1.5f, 2f), 1.5d) | [3.0,3.5] | array<float>",
                "tensor_div(array(1, 2), 2) | [0.5,1.0] | array<float>",
                "tensor_mul(array(array(1, 2), array(3, 4)), array(10, 100)) | [[10,200],[30,400]] | array<array<int>>",
                "tensor_sub(array(array(1d), array(3d)), array(10d, 100d)) | [[-9.0,-99.0],[-7.0,-97.0]] | array<array<double>>",
                "tensor_gt(array(1L, 5L), 3) | [false,true] | array<boolean>",
                "tensor_where(array(true, false), 1y, 2y) | [1,2] | array<bigint>",
                "tensor_exp(0d) | 1.0 | double",
                "tensor_sqrt(9) | 3.0 | float",
                "tensor_eval('(x - m) / s', array(1d, 3d), 1, array(2d, 4d)) | [0.0,0.5] | array<double>",
                "tensor_eval('x.sum()', array(array(1, 2), array(3, 4))) | 10 | bigint",
                "tensor_eval('x[1]', array(5, 6, 7)) | 6 | int",
                "tensor_eval('x @ x', array(5f, 6f)) | 61.0 | float",
                "tensor_eval('x.to(uint8)', array(255, 256)) | [255,0] | array<smallint>",
                "tensor_clamp(array(1, 5, 9), 2, 6) | [2,5,6] | array<int>",
                "tensor_reshape(array(1, 2, 3, 4, 5, 6), 2, 3) | [[1,2,3],[4,5,6]] | array<array<int>>",
                "tensor_reshape(array(array(1d, 2d), array(3d, 4d)), -1) | [1.0,2.0,3.0,4.0] | array<double>",
                "tensor_slice(array(array(1, 2), array(3, 4)), ':, 1') | [2,4] | array<int>",
                "tensor_slice(array(1, 2, 3, 4), '1::2, None') | [[2],[4]] | array<array<int>>",
                "tensor_shape(array(array(1, 2, 3), array(4, 5, 6))) | [2,3] | array<bigint>",
                "tensor_shape(5) | [] | array<bigint>",
                "tensor_dtype(array(1y)) | \"int8\" | string",
                "tensor_fill_null(array(1, null, 3), 0) | [1,0,3] | array<int>",
                "tensor_fill_null(array(array(1d, null), array(null, 3d)), 0.5) | [[1.0,0.5],[0.5,3.0]] | array<array<double>>",
                "tensor_add(tensor_fill_null(array(1, null), 7), 1) | [2,8] | array<int>",
                "tensor_subtract(5, 3) | 2 | int",
                "tensor_eval('x.reshape(3, 224, 224).sum((1, 2))', sequence(1, 150528)) | [1258840576,3776471552,6294102528] | array<bigint>",
                "tensor_eval('x.view(2, 2) * 2', array(1, 2, 3, 4)) | [[2,4],[6,8]] | array<array<int>>",
                "tensor_eval('x.unflatten(0, (7, 11)).sum(1)[6]', sequence(1, 77)) | 792 | bigint",
                "tensor_eval('x[6000]', sequence(0, 7000)) | 6000 | int",
                "tensor_eval('x[..., -71]', sequence(0, 100)) | 30 | int",
                "tensor_eval('x.select(0, 100) + x.narrow(0, 60, 2)', sequence(0, 100)) | [160,161] | array<int>",
                "tensor_eval('x.reshape(-1, 2) @ y', array(1, 2, 3, 4), array(10, 1)) | [12,34] | array<int>",
                "tensor_eval('cat((x.reshape(1, 3), y)).sum(0, keepdim=True)', array(1, 2, 3), array(array(4, 5, 6))) | [[5,7,9]] | array<array<bigint>>",
            })
    void answersAreThoseOfPyTorch(String call, String value, String type) {
        assertThat(answer(call)).isEqualTo(value);
        assertThat(type(call)).isEqualTo(type);
    }

    @Test
    void aColumnOfNumbersPromotesAsAZeroDimTensor() {
        spark.range(2)
                .selectExpr("array(float(id), 1f) as x", "double(id) + 0.1 as s")
                .createOrReplaceTempView("t");
        Dataset<Row> sums = spark.sql("select tensor_add(x, s) as y from t order by s");
        assertThat(sums.schema().fields()[0].dataType().simpleString()).isEqualTo("array<float>");
        assertThat(only(sums)).isEqualTo("[0.1,1.1]; [2.1,2.1]");
    }

    /** A flat array whose column declares a shape has that one for all functions, also when the optimizer has made something else of the column. */
    @Test
    void aDeclaredShapeIsTheShape() {
        TensorColumn.declare(spark.sql("select id, array(1, 2, 3, 4, 5, id) as x from range(2)"), "x", 2, 3)
                .createOrReplaceTempView("declared");
        assertThat(answer("tensor_shape(x) from declared")).isEqualTo("[2,3]; [2,3]");
        assertThat(answer("tensor_shape(x) from declared where tensor_eval('x.sum()', x) > 15"))
                .isEqualTo("[2,3]");
        assertThat(answer("tensor_eval('x.sum(1)', x) from declared where id = 0"))
                .isEqualTo("[6,9]");
        assertThat(answer("tensor_shape(array(1, null))")).isEqualTo("[2]");
    }

    @Test
    void nullInNullOut() {
        assertThat(spark
                        .sql("select tensor_add(if(id = 1, null, array(id)), 1) as y from range(3) order by id")
                        .collectAsList()
                        .stream()
                        .map(row -> row.isNullAt(0) ? null : row.getList(0))
                        .toList())
                .containsExactly(List.of(1L), null, List.of(3L));
    }

    @Test
    void everyOperationIsAFunction() {
        List<String> names = spark.sql("show functions like 'tensor_*'")
                .as(Encoders.STRING())
                .collectAsList();
        assertThat(names)
                .contains(Op.all().stream().map(op -> "tensor_" + op.name()).toArray(String[]::new));
        assertThat(names).contains("tensor_eval", "tensor_subtract");
        assertThat(spark.sql("describe function tensor_add")
                        .as(Encoders.STRING())
                        .collectAsList())
                .anySatisfy(line -> assertThat(line).contains("tensor_add(input, other) - The sum; of bools, or."));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tensor_add('a', 1) | Cannot call tensor_add: input is STRING; give numbers or arrays of numbers",
                "tensor_add(array(1)) | Cannot call tensor_add with 1 argument; it takes 2 (input, other)",
                "tensor_bitwise_and(array(1.5f), 1) | \"bitwise_and_cpu\" not implemented for 'Float'",
                "tensor_eval('x +', array(1)) | Cannot parse the expression",
                "tensor_eval('x + y', array(1)) | Cannot call tensor_eval with 1 argument; it takes 2 (x, y)",
                "tensor_slice(array(1), '0] + x[0') | Cannot read the slice '0] + x[0'",
                "tensor_reshape(array(1), id) | Cannot call tensor_reshape: shape must be the same in all rows; write a constant",
                "tensor_eval('f(x)', array(1)) | Cannot find function 'f'",
                "tensor_eval('x.squeeze()', array(id)) | Cannot tell how many dimensions squeeze leaves: that depends on sizes",
                "tensor_eval('x.sum(1)', array(id)) | Dimension out of range (expected to be in range of [-1, 0], but got 1)",
                "tensor_eval('x.reshape(-1, -1)', array(id)) | only one dimension can be inferred",
                "tensor_eval('x[0, 0]', array(id)) | too many indices for tensor of dimension 1",
            })
    void whatTheTypesTellIsSaidAtAnalysis(String call, String message) {
        assertThatThrownBy(() -> spark.sql("select " + call + " from range(1)"))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tensor_add(array(1, 2), array(id, id, id)) | Cannot call tensor_add with input[2], other[3]: The size of tensor a (2) must"
                        + " match the size of tensor b (3) at non-singleton dimension 0",
                "tensor_neg(array(array(id), array(id, id))) | Cannot call tensor_neg: input is ragged: [1] has 2 elements, others have 1",
                "tensor_shape(array(array(id), array(id, id))) | Cannot call tensor_shape: input is ragged: [1] has 2 elements, others have 1",
                "tensor_neg(array(id, nullif(id, 0))) | Cannot call tensor_neg: input is null at [1]; fill it, as with"
                        + " tensor_fill_null(input, 0)",
            })
    void whatARowIsLikeIsSaidWithItsShapes(String call, String message) {
        assertThatThrownBy(() -> spark.sql("select " + call + " from range(1)").collectAsList())
                .hasStackTraceContaining(message);
    }
}
