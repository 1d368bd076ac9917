package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.TensorColumn;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables in Spark's memory are the same tensors as those that are computed. */
class CachedTablesTest {
    private static final String BATCH_ROWS = "spark.sql.inMemoryColumnarStorage.batchSize";

    private SparkSession spark;

    @BeforeEach
    void start() {
        spark = LocalSpark.session();
        spark.conf().set(BATCH_ROWS, 4);
    }

    @AfterEach
    void forget() {
        spark.conf().unset(BATCH_ROWS);
        spark.catalog().clearCache();
    }

    /** Numbers, vectors [id, -id, 7], and matrices [[id], [-id]] of 23 rows. */
    private Dataset<Row> table(int partitions) {
        return spark.range(0, 23, 1, partitions)
                .selectExpr(
                        "id",
                        "array(float(id), float(-id), 7f) as v",
                        "array(array(int(id)), array(int(-id))) as m",
                        "array(id % 2 = 0, true) as b");
    }

    @ParameterizedTest
    @CsvSource({"1, MEMORY_ONLY", "2, MEMORY_AND_DISK_SER", "7, DISK_ONLY", "40, MEMORY_AND_DISK"})
    void theTensorIsTheSame(int partitions, String level) {
        Dataset<Row> table = table(partitions);
        Dataset<Row> kept = table.select("*").persist(StorageLevel.fromString(level));
        Broadloom broadloom = LocalSpark.broadloom();
        for (String column : List.of("id", "v", "m", "b")) {
            Tensor expected = broadloom.fromDataFrame(table, column).collect();
            DistributedTensor read = broadloom.fromDataFrame(kept, column);
            assertThat(read.chunks()).isEqualTo(Math.min(partitions, 23));
            Bits.assertSame(read.collect(), expected);
            Bits.assertSame(broadloom.fromDataFrame(kept.select(column), column).collect(), expected);
            Bits.assertSame(
                    broadloom
                            .fromDataFrame(kept.withColumnRenamed(column, "x"), "x")
                            .collect(),
                    expected);
        }
        DistributedTensor sum = broadloom.fromDataFrame(kept, "v").sum(0);
        assertThat(sum.collect().toFloatArray()).containsExactly(253, -253, 161);
    }

    @Test
    void rowsThatSparkHasCountedAreNotCountedAgain() throws Exception {
        LocalSpark.assumeSince("4.2", "counts of the rows of each partition in memory");
        Dataset<Row> kept = TensorColumn.declare(table(3), "v", 3, 1).cache();
        Broadloom broadloom = LocalSpark.broadloom();
        try (Jobs jobs = Jobs.listen()) {
            broadloom.fromDataFrame(kept, "m"); // nobody has read the table
            assertThat(jobs.tasks()).isEqualTo(3);
        }
        try (Jobs jobs = Jobs.listen()) {
            assertThat(broadloom.fromDataFrame(kept, "v").shape()).isEqualTo(Shape.of(23, 3, 1));
            assertThat(jobs.tasks()).as("declared").isZero();
            assertThat(broadloom.fromDataFrame(kept, "m").shape()).isEqualTo(Shape.of(23, 2, 1));
            assertThat(jobs.tasks()).as("one cell has to tell").isEqualTo(1);
        }
    }

    /** What only names columns and chooses among them is looked through. */
    @Test
    void viewsAndSelectionsOfATableInMemoryAreReadWhereItLies() throws Exception {
        LocalSpark.assumeSince("4.2", "counts of the rows of each partition in memory");
        Dataset<Row> kept = TensorColumn.declare(table(3), "v", 3, 1).cache();
        Broadloom broadloom = LocalSpark.broadloom();
        Tensor expected = broadloom.fromDataFrame(kept, "v").collect();
        kept.createOrReplaceTempView("kept");
        Dataset<Row> selected = kept.as("k").selectExpr("m as v", "id + 1 as n", "k.v as m");
        try (Jobs jobs = Jobs.listen()) {
            DistributedTensor ofView = broadloom.fromDataFrame(spark.table("kept"), "v");
            DistributedTensor ofSelection = broadloom.fromDataFrame(selected.select("n", "m"), "m");
            assertThat(jobs.tasks()).isZero();
            Bits.assertSame(ofView.collect(), expected);
            Bits.assertSame(ofSelection.collect(), expected);
        }
        Dataset<Row> late = TensorColumn.declare(table(2), "v", 3, 1);
        assertThat(late.collectAsList()).hasSize(23); // makes a plan that knows of no table in memory
        late.persist().count();
        try (Jobs jobs = Jobs.listen()) {
            Bits.assertSame(broadloom.fromDataFrame(late, "v").collect(), expected);
            assertThat(jobs.tasks()).as("only those that read").isEqualTo(2);
        }
        assertThatThrownBy(() -> broadloom.fromDataFrame(kept.selectExpr("v", "m as v"), "v"))
                .hasMessageContaining("ambiguous");
    }

    /** Of a partition that does not stay in memory, Spark may have counted the part that somebody read. */
    @Test
    void whatSparkDoesNotKeepIsCounted() throws Exception {
        Dataset<Row> kept = table(3).cache();
        Broadloom broadloom = LocalSpark.broadloom();
        Tensor before = broadloom.fromDataFrame(kept, "v").collect();
        int id = Arrays.stream(LocalSpark.stored(spark.sparkContext()))
                .mapToInt(RDDInfo::id)
                .max()
                .orElseThrow();
        SparkEnv.get().blockManager().removeBlock(new RDDBlockId(id, 1), true);
        try (Jobs jobs = Jobs.listen()) {
            DistributedTensor again = broadloom.fromDataFrame(kept, "v");
            assertThat(jobs.tasks()).isEqualTo(3);
            Bits.assertSame(again.collect(), before);
        }
    }

    @Test
    void emptyPartitionsAndNullsTellNoShape() {
        Dataset<Row> kept = table(7).filter("id > 9").cache();
        Dataset<Row> nulls = table(3).selectExpr("if(id < 9, null, v) as v").cache();
        Dataset<Row> none = table(2).filter("id < 0").cache();
        Broadloom broadloom = LocalSpark.broadloom();
        for (int time = 0; time < 2; time++) { // the second time Spark knows the rows
            assertThat(broadloom.fromDataFrame(kept, "v").shape()).isEqualTo(Shape.of(13, 3));
            assertThat(broadloom.fromDataFrame(nulls, "v").shape()).isEqualTo(Shape.of(23, 3));
            assertThatThrownBy(() -> broadloom.fromDataFrame(none, "v"))
                    .hasMessageContaining("it has no rows, and nothing tells the shape of its cells");
        }
    }

    @Test
    void cellsOfOtherShapesAreRefusedByTheirRow() {
        Dataset<Row> kept = table(1).selectExpr("sequence(0, id) as r").cache();
        kept.count();
        assertThatThrownBy(() -> LocalSpark.broadloom().fromDataFrame(kept, "r").collect())
                .hasMessageContaining("Cannot read column r: row 1 has the shape [2], others have [1]");
    }

    @Test
    void whatIsDroppedIsMadeAgain() {
        Dataset<Row> kept = table(3).cache();
        DistributedTensor v = LocalSpark.broadloom().fromDataFrame(kept, "v");
        Tensor before = v.collect();
        kept.unpersist(true);
        Bits.assertSame(v.collect(), before);
    }

    @Test
    void whatIsComputedFromATableInMemoryIsComputed() {
        Dataset<Row> kept = table(3).cache();
        Broadloom broadloom = LocalSpark.broadloom();
        assertThat(broadloom
                        .fromDataFrame(kept.filter("id > 20"), "v")
                        .collect()
                        .select(1, 0)
                        .toFloatArray())
                .containsExactly(21, 22);
        assertThat(broadloom
                        .fromDataFrame(kept.selectExpr("slice(v, 1, 1) as w"), "w")
                        .shape())
                .isEqualTo(Shape.of(23, 1));
        assertThat(broadloom
                        .fromDataFrame(kept, "id", "id")
                        .collect()
                        .narrow(0, 0, 3)
                        .toLongArray())
                .containsExactly(0, 1, 2);
    }

    @Test
    void aDeclaredShapeIsSeen() {
        Dataset<Row> flat = TensorColumn.declare(table(2).cache(), "v", 3, 1);
        assertThat(LocalSpark.broadloom().fromDataFrame(flat, "v").shape()).isEqualTo(Shape.of(23, 3, 1));
        Tensor whole = Tensors.arange(24).view(4, 3, 2);
        Dataset<Row> kept =
                LocalSpark.broadloom().tensor(whole, 2).toDataFrame().cache();
        Bits.assertSame(LocalSpark.broadloom().fromDataFrame(kept, "value").collect(), whole);
    }

    @Test
    void nullsAreFoundAtTheirPlaces() {
        Dataset<Row> kept = table(1).selectExpr("if(id in (5, 6, 9), null, v) as v", "array(id, nullif(id, 17)) as w")
                .cache();
        assertThatThrownBy(() -> LocalSpark.broadloom().fromDataFrame(kept, "v").collect())
                .hasMessageContaining("Cannot read column v: row 5 is null");
        assertThatThrownBy(() -> LocalSpark.broadloom().fromDataFrame(kept, "w").collect())
                .hasMessageContaining("w is null at [1]");
        DistributedTensor whole = LocalSpark.broadloom()
                .fromDataFrame(kept.filter("v is not null").select("v"), "v");
        assertThat(whole.collect().select(1, 0).toFloatArray())
                .containsExactly(0, 1, 2, 3, 4, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22);
    }
}
