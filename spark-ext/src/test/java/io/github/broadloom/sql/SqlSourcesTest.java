package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.SQLUserDefinedType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cells that are no arrays of numbers: bytes, and vectors of Spark ML. */
class SqlSourcesTest extends SqlTest {
    private static String answer(String call, String from) {
        return spark.sql("SELECT to_json(struct(" + call + " AS y)) FROM " + from)
                .as(Encoders.STRING())
                .collectAsList()
                .toString();
    }

    /** The bytes are those that NumPy's tobytes() gives on a little-endian machine. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "X'0000803F00000040', 'float32', 2 | [1.0,2.0] | array<float>",
                "X'000000000000F03F', 'float64', array(1, 1) | [[1.0]] | array<array<double>>",
                "X'0100FFFF', 'int16', -1 | [1,-1] | array<smallint>",
                "X'010203FF', 'uint8', array(2, -1) | [[1,2],[3,255]] | array<array<smallint>>",
                "X'003C00C0', 'float16', 2 | [1.0,-2.0] | array<float>",
                "X'803F00C0', 'bfloat16', array(2) | [1.0,-2.0] | array<float>",
                "X'00010200', 'bool', 4 | [false,true,true,false] | array<boolean>",
                "X'0500000000000000', 'int64', CAST(array() AS ARRAY<INT>) | 5 | bigint",
                "X'', 'int32', array(0, 3) | [] | array<array<int>>"
            })
    void bytesAreATensorOfTheDeclaredDtypeAndShape(String arguments, String value, String type) {
        String call = "tensor_from_binary(" + arguments + ")";
        assertThat(answer(call, "range(1)")).isEqualTo("[{\"y\":" + value + "}]");
        assertThat(spark.sql("SELECT " + call).schema().fields()[0].dataType().simpleString())
                .isEqualTo(type);
    }

    @Test
    void aColumnOfBytesIsAnArgument() {
        spark.sql("SELECT X'0000803F00000040' AS b UNION ALL SELECT NULL").createOrReplaceTempView("bytes");
        assertThat(answer("tensor_eval('x * 2', tensor_from_binary(b, 'float32', 2))", "bytes"))
                .isEqualTo("[{\"y\":[2.0,4.0]}, {}]");
        assertThat(answer("tensor_sum(tensor_from_binary(b, 'float32', 2))", "bytes"))
                .isEqualTo("[{\"y\":[1.0,2.0]}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "X'01', 'float31', 1 | dtype is 'float31'; write one such as 'float32'",
                "'text', 'float32', 1 | input is STRING; give BINARY",
                "X'01', 'int8', CAST(id AS INT) | shape must be the same in all rows; write a constant",
                "X'01', 'int8', 1.5 | shape is 1.5BD; give a size, or an array of sizes such as array(2, 3)"
            })
    void whatIsNotDeclaredIsRefusedAtAnalysis(String arguments, String why) {
        assertThatThrownBy(() -> spark.sql("SELECT tensor_from_binary(" + arguments + ") FROM range(1)"))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("Cannot call tensor_from_binary: " + why);
    }

    @Test
    void bytesThatDoNotFitAreToldByTheirRow() {
        spark.sql("SELECT X'0000803F000000' AS b").createOrReplaceTempView("bytes");
        assertThatThrownBy(() -> answer("tensor_from_binary(b, 'float32', 2)", "bytes"))
                .hasMessageContaining(
                        "Cannot call tensor_from_binary: input has 7 bytes, which are no whole number of elements of float32");
        assertThatThrownBy(() -> answer("tensor_from_binary(b, 'int8', 2)", "bytes"))
                .hasMessageContaining("Cannot call tensor_from_binary: shape '[2]' is invalid for input of size 7");
    }

    /** Stored as the vectors of Spark ML are, whose classes are not here. */
    @SQLUserDefinedType(udt = VectorType.class)
    record Vector(int size, int[] indices, double[] values) {
        boolean isDense() {
            return indices.length == 0;
        }
    }

    public static final class VectorType extends UserDefinedType<Vector> {
        private static final long serialVersionUID = 1;

        @Override
        public DataType sqlType() {
            return new StructType()
                    .add("type", DataTypes.ByteType, false)
                    .add("size", DataTypes.IntegerType, true)
                    .add("indices", DataTypes.createArrayType(DataTypes.IntegerType, false), true)
                    .add("values", DataTypes.createArrayType(DataTypes.DoubleType, false), true);
        }

        @Override
        public Object serialize(Vector vector) {
            UnsafeArrayData values = UnsafeArrayData.fromPrimitiveArray(vector.values());
            return new GenericInternalRow(
                    vector.isDense()
                            ? new Object[] {(byte) 1, null, null, values}
                            : new Object[] {
                                (byte) 0, vector.size(), UnsafeArrayData.fromPrimitiveArray(vector.indices()), values
                            });
        }

        @Override
        public Vector deserialize(Object stored) {
            InternalRow row = (InternalRow) stored;
            return new Vector(0, new int[0], row.getArray(3).toDoubleArray());
        }

        @Override
        public Class<Vector> userClass() {
            return Vector.class;
        }
    }

    @ParameterizedTest
    @CsvSource({"auto", "never"})
    void vectorsOfSparkMlAreArrays(String batches) {
        spark.conf().set("spark.broadloom.sql.batches", batches);
        List<Row> rows = new ArrayList<>();
        rows.add(RowFactory.create(new Vector(3, new int[0], new double[] {1, 2, 3})));
        rows.add(RowFactory.create(new Vector(3, new int[] {0, 2}, new double[] {5, 7})));
        rows.add(RowFactory.create((Object) null));
        Dataset<Row> table = spark.createDataFrame(rows, new StructType().add("features", new VectorType()));
        table.createOrReplaceTempView("features");
        assertThat(answer("tensor_mul(features, array(1, 10, 100))", "features"))
                .isEqualTo("[{\"y\":[1.0,20.0,300.0]}, {\"y\":[5.0,0.0,700.0]}, {}]");
        assertThat(answer("tensor_mean(features)", "features")).isEqualTo("[{\"y\":[3.0,1.0,5.0]}]");
        assertThat(answer("tensor_dot(features, features)", "features WHERE tensor_amax(features) > 6"))
                .isEqualTo("[{\"y\":74.0}]");
        assertThat(answer("tensor_from_vector(features)", "features WHERE features IS NOT NULL"))
                .isEqualTo("[{\"y\":[1.0,2.0,3.0]}, {\"y\":[5.0,0.0,7.0]}]");
    }
}
