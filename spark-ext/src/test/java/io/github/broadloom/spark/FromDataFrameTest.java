package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.sql.TensorUdf;
import io.github.broadloom.table.TensorColumn;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of tables as tensors. */
class FromDataFrameTest {
    private static final int ROWS = 23;

    /** Vectors [id, id / 2], numbers, flags, and matrices [[id], [-id]]. */
    private static Dataset<Row> table(int partitions) {
        return LocalSpark.session()
                .range(0, ROWS, 1, partitions)
                .selectExpr(
                        "id",
                        "array(float(id), float(id / 2)) as v",
                        "id % 3 = 0 as flag",
                        "array(array(int(id)), array(int(-id))) as m");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 40})
    void eachPartitionWithRowsIsAChunk(int partitions) {
        DistributedTensor v = LocalSpark.broadloom().fromDataFrame(table(partitions), "v");
        assertThat(v.shape()).isEqualTo(Shape.of(ROWS, 2));
        assertThat(v.dtype()).isEqualTo(DType.FLOAT32);
        assertThat(v.chunks()).isEqualTo(Math.min(partitions, ROWS));
        Tensor all = v.collect();
        for (int i = 0; i < ROWS; i++) {
            assertThat(all.getDouble(i, 0)).isEqualTo(i);
            assertThat(all.getDouble(i, 1)).isEqualTo(i / 2.0);
        }
        assertThat(v.sum(0).collect().toDoubleArray()).containsExactly(253, 126.5);
    }

    @Test
    void cellsAreNumbersAndNestedArrays() {
        Dataset<Row> table = table(3);
        Broadloom broadloom = LocalSpark.broadloom();
        assertThat(broadloom.fromDataFrame(table, "id").collect().toLongArray())
                .containsExactly(LongStream.range(0, ROWS).toArray());
        assertThat(broadloom.fromDataFrame(table, "flag").dtype()).isEqualTo(DType.BOOL);
        DistributedTensor m = broadloom.fromDataFrame(table, "m");
        assertThat(m.shape()).isEqualTo(Shape.of(ROWS, 2, 1));
        assertThat(m.collect().select(0, 5).toIntArray()).containsExactly(5, -5);
    }

    @Test
    void columnsOfOneTableMeet() {
        Dataset<Row> table = table(4);
        Broadloom broadloom = LocalSpark.broadloom();
        DistributedTensor v = broadloom.fromDataFrame(table, "v");
        DistributedTensor id = broadloom.fromDataFrame(table, "id");
        Tensor scaled = broadloom
                .eval("v * i[:, None] + s", Map.of("v", v, "i", id, "s", broadloom.tensor(Tensors.of(1f, 2f))))
                .collect();
        assertThat(scaled.select(0, 4).toFloatArray()).containsExactly(17, 10);
    }

    @Test
    void aFlatArrayHasTheShapeThatItsColumnDeclares() {
        Metadata metadata = new MetadataBuilder()
                .putString("ARROW:extension:name", "arrow.fixed_shape_tensor")
                .putString("ARROW:extension:metadata", "{\"shape\":[1,2]}")
                .build();
        Dataset<Row> table = table(2).select(functions.col("v").as("v", metadata));
        DistributedTensor v = LocalSpark.broadloom().fromDataFrame(table, "v");
        assertThat(v.shape()).isEqualTo(Shape.of(ROWS, 1, 2));
        assertThat(v.collect().select(0, 3).toFloatArray()).containsExactly(3, 1.5f);
        assertThat(LocalSpark.broadloom().fromDataFrame(table.limit(0), "v").shape())
                .isEqualTo(Shape.of(0, 1, 2));
    }

    @Test
    void sortedRowsStaySorted() {
        Dataset<Row> sorted = table(5).sort(functions.col("id").desc());
        assertThat(LocalSpark.broadloom().fromDataFrame(sorted, "id").collect().toLongArray())
                .containsExactly(
                        LongStream.range(0, ROWS).map(i -> ROWS - 1 - i).toArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void rowsAreOrderedByANamedColumn(int partitions) {
        Dataset<Row> mixed = table(partitions)
                .selectExpr(
                        "id",
                        "(id * 7) % 23 as place",
                        "lpad(id, 3, '0') as name",
                        "timestamp_seconds(-id) as time",
                        "struct(id % 5 as a, id as b) as both",
                        "v")
                .orderBy(functions.rand(3));
        Broadloom broadloom = LocalSpark.broadloom();
        long[] places = LongStream.range(0, ROWS)
                .boxed()
                .sorted(Comparator.comparing(id -> id * 7 % 23))
                .mapToLong(Long::longValue)
                .toArray();
        long[] ascending = LongStream.range(0, ROWS).toArray();
        assertThat(broadloom.fromDataFrame(mixed, "id", "place").collect().toLongArray())
                .containsExactly(places);
        assertThat(broadloom.fromDataFrame(mixed, "id", "id").collect().toLongArray())
                .containsExactly(ascending);
        assertThat(broadloom.fromDataFrame(mixed, "id", "name").collect().toLongArray())
                .containsExactly(ascending);
        assertThat(broadloom.fromDataFrame(mixed, "id", "time").collect().toLongArray())
                .containsExactly(
                        LongStream.range(0, ROWS).map(i -> ROWS - 1 - i).toArray());
        assertThat(broadloom.fromDataFrame(mixed, "id", "both").collect().get(5))
                .isEqualTo(1L);
        DistributedTensor v = broadloom.fromDataFrame(mixed, "v", "id");
        Tensor first = v.collect();
        assertThat(first.get(22, 0)).isEqualTo(22.0);
        Bits.assertSame(v.collect(), first);
        assertThat(broadloom.fromDataFrame(mixed.limit(0), "id", "id").shape()).isEqualTo(Shape.of(0));
    }

    @Test
    void anOrderThatIsNotCertainIsRefused() {
        Broadloom broadloom = LocalSpark.broadloom();
        Dataset<Row> table =
                table(3).selectExpr("id", "id div 2 as pair", "nullif(id, 4) as gap", "map(id, id) as m", "'a' as s");
        assertThatThrownBy(() -> broadloom.fromDataFrame(table, "id", "pair"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("Cannot order rows by pair: two rows have \\d+L; order by a column that tells every"
                        + " row from the others");
        assertThatThrownBy(() -> broadloom.fromDataFrame(table, "id", "s"))
                .hasMessageContaining("Cannot order rows by s: two rows have 'a'");
        assertThatThrownBy(() -> broadloom.fromDataFrame(table, "id", "gap"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot order rows by gap: a row has none (null); fill it, or filter such rows out");
        assertThatThrownBy(() -> broadloom.fromDataFrame(table, "id", "m"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot order rows by m: it is MAP<BIGINT, BIGINT>, which has no order");
        assertThatThrownBy(() -> broadloom.fromDataFrame(table, "id", "x"))
                .hasMessage("Cannot order rows by column x: the table has id, pair, gap, m, s");
    }

    @Test
    void aShapeIsDeclared() {
        Dataset<Row> table =
                TensorColumn.declare(table(2).selectExpr("flatten(array(v, v, v)) as `a.b`", "id", "m"), "a.b", 3, 2);
        assertThat(table.columns()).containsExactly("a.b", "id", "m");
        DistributedTensor x = LocalSpark.broadloom().fromDataFrame(table, "a.b");
        assertThat(x.shape()).isEqualTo(Shape.of(ROWS, 3, 2));
        assertThat(x.collect().select(0, 3).toFloatArray()).containsExactly(3, 1.5f, 3, 1.5f, 3, 1.5f);
        Dataset<Row> ragged =
                TensorColumn.declare(table(1).selectExpr("if(id = 5, sequence(0, id), array(0L, 1L)) as r"), "r", 2, 1);
        assertThatThrownBy(
                        () -> LocalSpark.broadloom().fromDataFrame(ragged, "r").collect())
                .hasMessageContaining("r has 6 elements, but its column declares the shape [2, 1]");
    }

    /** As their connectors put it beside a column. */
    @Test
    void vectorsOfHudiAndOfLanceTellTheirLength() {
        Metadata hudi =
                new MetadataBuilder().putString("hudi_type", "VECTOR(2)").build();
        Metadata doubles = new MetadataBuilder()
                .putString("hudi_type", "vector( 2, DOUBLE )")
                .build();
        Metadata lance =
                new MetadataBuilder().putLong("arrow.fixed-size-list.size", 2).build();
        Broadloom broadloom = LocalSpark.broadloom();
        for (Metadata told : List.of(hudi, doubles, lance)) {
            Dataset<Row> vectors =
                    table(2).select(functions.col("id"), functions.col("v").as("v", told));
            assertThat(broadloom.fromDataFrame(vectors.limit(0), "v").shape()).isEqualTo(Shape.of(0, 2));
            assertThat(broadloom.fromDataFrame(vectors, "v", "id").collect().get(22, 0))
                    .isEqualTo(22.0);
            // Whose type is known only where the shape of the column is.
            TensorUdf squeezed = TensorUdf.of("v.unsqueeze(0).squeeze()");
            assertThat(vectors.where("id = 22")
                            .select(squeezed.apply(functions.col("v")))
                            .head()
                            .getList(0)
                            .get(0))
                    .isEqualTo(22f);
            Dataset<Row> ragged = table(1).selectExpr("if(id = 5, array(0f), v) as r");
            assertThatThrownBy(() -> broadloom
                            .fromDataFrame(ragged.select(functions.col("r").as("r", told)), "r")
                            .collect())
                    .hasMessageContaining("r has 1 elements, but its column declares the shape [2]");
        }
        Metadata blob = new MetadataBuilder().putString("hudi_type", "BLOB").build();
        Dataset<Row> nested = table(1).select(
                        functions.col("m").as("m", lance), functions.col("v").as("v", blob));
        assertThat(broadloom.fromDataFrame(nested, "m").shape())
                .isEqualTo(broadloom.fromDataFrame(table(1), "m").shape());
        assertThat(broadloom.fromDataFrame(nested, "v").shape()).isEqualTo(Shape.of(ROWS, 2));
    }

    @Test
    void aShapeIsThatOfFlatArraysOfNumbers() {
        Dataset<Row> table = table(1).selectExpr("v", "m", "id", "array('a') as s", "array(1.5BD) as d");
        assertThatThrownBy(() -> TensorColumn.declare(table, "w", 2))
                .hasMessage("Cannot declare the shape of column w: the table has v, m, id, s, d");
        assertThatThrownBy(() -> TensorColumn.declare(table, "m", 2, 1))
                .hasMessage("Cannot declare the shape of column m: it is ARRAY<ARRAY<INT>>; a shape is that of flat"
                        + " arrays of numbers, such as flatten(m)");
        assertThatThrownBy(() -> TensorColumn.declare(table, "s", 1))
                .hasMessage("Cannot declare the shape of column s: it is ARRAY<STRING>; a shape is that of flat"
                        + " arrays of numbers");
        assertThatThrownBy(() -> TensorColumn.declare(table, "id", 1)).hasMessageContaining("it is BIGINT");
        assertThatThrownBy(() -> TensorColumn.declare(table, "d", 1)).hasMessageContaining("it is ARRAY<DECIMAL(2,1)>");
        assertThatThrownBy(() -> TensorColumn.declare(table, "v", -1, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsNoTensorIsRefusedByName() {
        Broadloom broadloom = LocalSpark.broadloom();
        assertThatThrownBy(() -> broadloom.fromDataFrame(table(1), "w"))
                .hasMessage("Cannot read column w: the table has id, v, flag, m");
        assertThatThrownBy(() -> broadloom.fromDataFrame(table(1).as("cells"), "w"))
                .hasMessage("Cannot read column w: cells has id, v, flag, m");
        assertThatThrownBy(() -> broadloom.fromDataFrame(table(1).selectExpr("'a' as s"), "s"))
                .hasMessage("Cannot read column s: it is STRING; select numbers or arrays of numbers");
        assertThatThrownBy(() -> broadloom.fromDataFrame(table(2).selectExpr("sequence(0, id) as r"), "r"))
                .hasMessage("Cannot read column r: it has cells of the shapes [1] and [12]");
        assertThatThrownBy(() -> broadloom
                        .fromDataFrame(table(1).selectExpr("sequence(0, id) as r"), "r")
                        .collect())
                .hasMessageContaining("Cannot read column r: row 1 has the shape [2], others have [1]");
        assertThatThrownBy(() -> broadloom
                        .fromDataFrame(table(1).selectExpr("nullif(id, 3) as n"), "n")
                        .collect())
                .hasMessageContaining("Cannot read column n: row 3 is null; filter such rows out, or fill them");
        assertThatThrownBy(() -> broadloom.fromDataFrame(table(1).limit(0), "v"))
                .hasMessageContaining("Cannot read column v: it has no rows, and nothing tells the shape of its cells");
    }
}
