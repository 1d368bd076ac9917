package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors as tables. */
class ToDataFrameTest {
    @TempDir
    Path folder;

    /** int64 [24, 2, 3]: 0, 1, 2, … */
    private static Tensor counted() {
        return Tensors.arange(24 * 6).view(24, 2, 3);
    }

    private static DistributedTensor cut(Tensor tensor, int chunks) {
        return LocalSpark.broadloom().tensor(tensor, chunks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void eachIndexOfTheLeadingDimensionIsARowInOrder(int chunks) {
        Dataset<Row> table = cut(counted(), chunks).toDataFrame("index", "value");
        assertThat(table.schema().simpleString()).isEqualTo("struct<index:bigint,value:array<bigint>>");
        assertThat(table.schema().fields()).noneMatch(StructField::nullable);
        List<Row> rows = table.collectAsList();
        assertThat(rows).hasSize(24);
        for (int i = 0; i < rows.size(); i++) {
            long first = 6L * i;
            assertThat(rows.get(i).getLong(0)).isEqualTo(i);
            assertThat(rows.get(i).<Long>getList(1))
                    .containsExactly(first, first + 1, first + 2, first + 3, first + 4, first + 5);
        }
        assertThat(table.toJavaRDD().getNumPartitions()).isEqualTo(chunks);
    }

    @Test
    void ofAVectorTheValuesAreNumbers() {
        Dataset<Row> table = cut(Tensors.of(1.5, -0.0, Double.NaN), 2).toDataFrame();
        assertThat(table.schema().simpleString()).isEqualTo("struct<index:bigint,value:float>");
        assertThat(table.selectExpr("value").collectAsList().toString()).isEqualTo("[[1.5], [-0.0], [NaN]]");
        assertThat(cut(Tensors.of(3, 4), 1).toDataFrame("n").collectAsList().toString())
                .isEqualTo("[[3], [4]]");
    }

    /** What SQL cannot hold is held by the next wider type. */
    @ParameterizedTest
    @CsvSource({
        "BOOL, boolean",
        "UINT8, smallint",
        "INT8, tinyint",
        "INT16, smallint",
        "INT32, int",
        "INT64, bigint",
        "FLOAT16, float",
        "FLOAT32, float",
        "FLOAT64, double"
    })
    void everyDtypeHasAColumn(DType dtype, String type) {
        Tensor all = Tensors.arange(256).to(dtype).view(64, 4);
        Dataset<Row> table = cut(all, 3).toDataFrame("x");
        assertThat(table.schema().simpleString()).isEqualTo("struct<x:array<" + type + ">>");
        assertThat(cut(all.select(1, 3), 3).toDataFrame("x").schema().simpleString())
                .isEqualTo("struct<x:" + type + ">");
        Tensor back = LocalSpark.broadloom().fromDataFrame(table, "x").collect();
        assertThat(back.to(dtype).values()).isEqualTo(all.values());
        assertThat(back.to(DType.FLOAT64).values())
                .isEqualTo(all.to(DType.FLOAT64).values());
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"UINT8", "FLOAT16", "BFLOAT16"},
            mode = EnumSource.Mode.EXCLUDE)
    void whatSqlHoldsComesBackBitForBit(DType dtype) {
        Tensor all = dtype.isFloatingPoint()
                ? Tensors.of(Double.NaN, -0.0, Double.POSITIVE_INFINITY, 1e-300, 0.1, -7)
                        .to(dtype)
                        .view(3, 1, 2)
                : Tensors.arange(-500, 500, 1).to(dtype).view(50, 4, 5);
        for (int chunks : new int[] {1, 2, 7}) {
            for (Tensor tensor : List.of(all, all.flatten(), all.permute(0, 2, 1))) {
                Dataset<Row> table = cut(tensor, chunks).toDataFrame("index", "value");
                DistributedTensor back = LocalSpark.broadloom().fromDataFrame(table, "value");
                Bits.assertSame(back.collect(), tensor);
            }
        }
    }

    @Test
    void aFileOfParquetKeepsTheShape() {
        String path = folder.resolve("x.parquet").toString();
        cut(counted(), 2).toDataFrame().write().parquet(path);
        Dataset<Row> read = LocalSpark.session().read().parquet(path);
        assertThat(read.schema().apply("value").metadata().getString("ARROW:extension:metadata"))
                .isEqualTo("{\"shape\":[2,3]}");
        DistributedTensor back = LocalSpark.broadloom().fromDataFrame(read.orderBy("index"), "value");
        Bits.assertSame(back.collect(), counted());
    }

    @Test
    void sizesOfZeroAreKept() {
        Broadloom broadloom = LocalSpark.broadloom();
        for (Shape shape : List.of(Shape.of(0, 3), Shape.of(3, 0), Shape.of(0), Shape.of(2, 0, 4))) {
            Dataset<Row> table =
                    broadloom.tensor(Tensors.zeros(shape.toArray())).toDataFrame();
            assertThat(table.count()).isEqualTo(shape.size(0));
            assertThat(broadloom.fromDataFrame(table, "value").collect().shape())
                    .isEqualTo(shape);
        }
    }

    /** The index tells the place, whatever Spark does with the rows. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void tablesJoinAndSortByTheIndex(int chunks) {
        Dataset<Row> x = cut(Tensors.arange(40), chunks).toDataFrame("i", "x");
        Dataset<Row> y =
                cut(Tensors.arange(0, 400, 10), 3).toDataFrame("i", "y").orderBy(functions.rand(1));
        List<Row> rows =
                x.join(y, "i").orderBy(functions.col("i").desc()).limit(2).collectAsList();
        assertThat(rows.toString()).isEqualTo("[[39,39,390], [38,38,380]]");
        assertThat(x.groupBy("i").count().filter("count = 1").count()).isEqualTo(40);
        assertThat(x.as("a").join(x.as("b"), functions.expr("a.i = b.i + 1")).count())
                .isEqualTo(39);
    }

    @Test
    void rowsAreKnownToBeInOrder() {
        Dataset<Row> table = cut(counted(), 7).toDataFrame("i", "x");
        assertThat(table.orderBy("i").queryExecution().executedPlan().toString())
                .doesNotContain("Exchange")
                .contains("Scan ExistingRDD tensor");
        assertThat(table.orderBy("i").selectExpr("i").as(Encoders.LONG()).collectAsList())
                .isEqualTo(IntStream.range(0, 24).mapToObj(Long::valueOf).toList());
        assertThat(table.orderBy("x").queryExecution().executedPlan().toString())
                .contains("Exchange");
    }

    @Test
    void nothingRunsBeforeAQuery() throws Exception {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(1 << 10);
        DistributedTensor x = broadloom.tensor(Tensors.ones(4096, 3)).add(1).cache();
        Tensor expected = Tensors.zeros(4096, 3);
        try (Jobs jobs = Jobs.listen()) {
            Dataset<Row> table =
                    broadloom.eval("x - mean(x, 0)", Map.of("x", x)).toDataFrame();
            assertThat(table.filter("index > 7").queryExecution().executedPlan().toString())
                    .contains("tensor x - mean(x, 0)");
            assertThat(jobs.descriptions()).isEmpty();
            Tensor back = broadloom.fromDataFrame(table, "value").collect();
            Bits.assertSame(back, expected);
            assertThat(jobs.descriptions()).anyMatch(job -> job.contains("make a table of x - mean(x, 0)"));
            int before = jobs.descriptions().size();
            assertThat(table.filter("value[0] = 0").count()).isEqualTo(4096);
            // The mean is known already: what is left are the stages of the count.
            assertThat(jobs.descriptions().subList(before, jobs.descriptions().size()))
                    .noneMatch(job -> job.contains("table"));
        } finally {
            x.unpersist();
        }
    }

    @Test
    void aTableStaysWhatTheTensorWas() {
        DistributedTensor x = cut(Tensors.arange(3), 2);
        Dataset<Row> table = x.toDataFrame("x");
        x.add_(10);
        assertThat(table.collectAsList().toString()).isEqualTo("[[0], [1], [2]]");
        assertThat(x.toDataFrame("x").collectAsList().toString()).isEqualTo("[[10], [11], [12]]");
    }

    /** A chunk that is read in part, or whose rows fail on their way, is let go when the task ends. */
    @Test
    void nothingIsHeldAfterAQuery() {
        Broadloom broadloom = LocalSpark.broadloom();
        DistributedTensor kept = broadloom.tensor(Tensors.ones(1 << 14, 16), 4).cache();
        kept.materialize();
        long before = Memory.allocatedBytes();
        for (DistributedTensor x : List.of(kept, kept.mul(2))) {
            Dataset<Row> table = x.toDataFrame();
            assertThat(table.limit(3).collectAsList()).hasSize(3);
            assertThat(table.take(1)).isNotNull();
            assertThat(table.count()).isEqualTo(1 << 14);
            assertThat(table.coalesce(1).selectExpr("sum(value[3])").head().getDouble(0))
                    .isEqualTo((1 << 14) * (x == kept ? 1.0 : 2.0));
            assertThatThrownBy(() -> table.coalesce(1) // no other task is at work when the job fails
                            .selectExpr("if(index = 100, raise_error('no'), index) as i")
                            .collectAsList())
                    .hasStackTraceContaining("no");
            assertThat(Memory.allocatedBytes()).isLessThanOrEqualTo(before);
        }
        kept.unpersist();
    }

    @Test
    void blocksBecomeRows() {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(4096);
        DistributedTensor column = broadloom.tensor(Tensors.arange(90).view(90, 1), 3);
        DistributedTensor row = broadloom.tensor(Tensors.arange(80), 2);
        DistributedTensor sums = broadloom
                .withReplicateBytes(64)
                .eval("c + r", Map.of("c", column, "r", row))
                .cache();
        Tensor back = broadloom.fromDataFrame(sums.toDataFrame(), "value").collect();
        Bits.assertSame(back, sums.collect());
        assertThat(back.get(89, 79)).isEqualTo(168L);
        sums.unpersist();
    }

    @Test
    void filesAreReadByTheTasks() throws IOException {
        DistributedTensor x = cut(counted(), 2);
        String path = folder.resolve("x.npy").toString();
        x.writeNpy(path, WriteMode.CREATE);
        Dataset<Row> table =
                LocalSpark.broadloom().withChunkBytes(256).readNpy(path).toDataFrame();
        assertThat(table.rdd().getNumPartitions()).isGreaterThan(2);
        assertThat(table.filter("index = 23").head().<Long>getList(1))
                .containsExactly(138L, 139L, 140L, 141L, 142L, 143L);
    }

    @Test
    void failuresAreSaid() throws IOException {
        Path file = folder.resolve("x.npy");
        Npy.write(Tensors.ones(64, 8), file, WriteMode.CREATE);
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(512);
        DistributedTensor x = broadloom.readNpy(file.toString());
        Dataset<Row> read = x.toDataFrame();
        Dataset<Row> centred = broadloom.eval("x - mean(x, 0)", Map.of("x", x)).toDataFrame();
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, 200));
        assertThatThrownBy(read::collectAsList).hasStackTraceContaining("Cannot read " + file);
        assertThatThrownBy(centred::collectAsList)
                .hasMessageStartingWith("Cannot read ")
                .hasMessageNotContaining("\n");
        Files.write(file, whole);
        assertThat(centred.filter("value[7] = 0").count()).isEqualTo(64);
    }

    @Test
    void whatIsNoTableIsRefused() {
        assertThatThrownBy(() -> cut(Tensors.scalar(1), 1).toDataFrame())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Cannot make a table of tensor: it has no dimension, so no rows; unsqueeze(0) gives it one");
        assertThatThrownBy(() -> cut(counted(), 1).toDataFrame("x", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot make a table of tensor: both columns would be called x");
        DistributedTensor wide = cut(Tensors.ones(1, 1), 1).expand(2, 1L << 30);
        assertThatThrownBy(wide::toDataFrame)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Cannot make rows of a table: each would have 1073741824 float32 elements");
    }
}
