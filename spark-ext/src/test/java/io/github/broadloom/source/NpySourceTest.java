package io.github.broadloom.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.metrics.MetricTotals;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** npy files as tables of Spark's. */
class NpySourceTest {
    private static final int ROWS = 28;
    private static final int ROW_BYTES = 6 * Long.BYTES;

    @TempDir
    Path folder;

    private final SparkSession spark = LocalSpark.session();

    /** int64 [28, 2, 3]: 0, 1, 2, … */
    @BeforeEach
    void write() throws IOException {
        Npy.write(counted(), folder.resolve("x.npy"), WriteMode.CREATE);
    }

    private static Tensor counted() {
        return Tensors.arange(ROWS * 6).view(ROWS, 2, 3);
    }

    private static List<List<Long>> cell(long row) {
        long first = 6 * row;
        return List.of(List.of(first, first + 1, first + 2), List.of(first + 3, first + 4, first + 5));
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private DataFrameReader npy() {
        return spark.read().format("npy");
    }

    /** The file of 28 rows, of which a chunk has 32, 16 or 4. */
    private Dataset<Row> table(int partitions) {
        long rows = partitions == 1 ? 32 : partitions == 2 ? 16 : 4;
        return npy().option("chunkBytes", rows * ROW_BYTES).load(path("x.npy"));
    }

    /** What NumPy wrote. */
    private String fixture(String name) throws IOException {
        Path copy = folder.resolve(name);
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/npy/" + name), name)) {
            Files.copy(in, copy);
        }
        return copy.toString();
    }

    private static List<Long> indices(Dataset<Row> rows) {
        return rows.select("index").as(Encoders.LONG()).collectAsList();
    }

    private interface Action {
        void run();
    }

    private static long fileBytes(Action action) {
        long before = MetricTotals.of(TaskMetric.FILE_BYTES);
        action.run();
        return MetricTotals.of(TaskMetric.FILE_BYTES) - before;
    }

    private List<String> names() throws IOException {
        try (var list = Files.list(folder)) {
            return list.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void eachIndexOfTheLeadingDimensionIsARow(int partitions) {
        Dataset<Row> table = table(partitions);
        assertThat(table.schema().simpleString()).isEqualTo("struct<index:bigint,value:array<array<bigint>>>");
        List<Row> rows = table.collectAsList();
        assertThat(rows).hasSize(ROWS);
        for (int i = 0; i < ROWS; i++) {
            assertThat(rows.get(i).getLong(0)).isEqualTo(i);
            assertThat(rows.get(i).getList(1).toString())
                    .isEqualTo(cell(i).toString()
                            .replace("[[", "[ArraySeq(")
                            .replace("], [", "), ArraySeq(")
                            .replace("]]", ")]"));
        }
        assertThat(table.toJavaRDD().getNumPartitions()).isEqualTo(partitions);
    }

    /** What SQL cannot hold is held by the next wider type; the values are those of the script that wrote the files. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bool; array<boolean>; [true,false,true] [true,false,false]",
                "uint8; array<smallint>; [0,1,2] [127,128,255]",
                "int8; array<tinyint>; [-128,-1,0] [1,2,127]",
                "int16; array<smallint>; [-32768,-1,0] [1,258,32767]",
                "int32; array<int>; [-2147483648,-1,0] [1,16909060,2147483647]",
                "int64; array<bigint>; [-9223372036854775808,-1,0] [1,72623859790382856,9223372036854775807]",
                "float16; array<float>; [-1.5,0.0,0.25] [1.0,65504.0,Infinity]",
                "float32; array<float>; [-1.5,0.0,0.25] [1.0,3.4028235E38,Infinity]",
                "float64; array<double>; [-1.5,0.0,0.1] [1.0,1.7976931348623157E308,-Infinity]"
            })
    void everyDtypeAndOrderHasAColumn(String dtype, String type, String values) throws IOException {
        for (String variant : List.of("", "-fortran", "-big")) {
            if (variant.equals("-big") && (dtype.endsWith("8") || dtype.equals("bool"))) {
                continue;
            }
            Dataset<Row> table = npy().load(fixture(dtype + variant + ".npy"));
            assertThat(table.schema().apply("value").dataType().catalogString()).isEqualTo(type);
            List<String> cells = table.orderBy("index")
                    .selectExpr("to_json(value)")
                    .as(Encoders.STRING())
                    .collectAsList();
            assertThat(String.join(" ", cells).replace("\"", "")).isEqualTo(values);
        }
    }

    @Test
    void ofAVectorTheValuesAreNumbersAndColumnsHaveOtherNames() throws IOException {
        Npy.write(Tensors.of(1.5, -0.0, Double.NaN).to(DType.FLOAT16), folder.resolve("v.npy"), WriteMode.CREATE);
        Dataset<Row> table = npy().option("index", "i").option("VALUE", "x").load(path("v.npy"));
        assertThat(table.schema().simpleString()).isEqualTo("struct<i:bigint,x:float>");
        assertThat(table.collectAsList().toString()).isEqualTo("[[0,1.5], [1,-0.0], [2,NaN]]");
        assertThat(table.selectExpr("x", "i").where("i > 0").collectAsList().toString())
                .isEqualTo("[[-0.0,1], [NaN,2]]");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void aRangeOfTheIndexReadsItsRowsAlone(int partitions) {
        Dataset<Row> rows = table(partitions).where("index BETWEEN 10 AND 19");
        assertThat(fileBytes(() -> assertThat(rows.collectAsList())
                        .extracting(row -> row.getLong(0))
                        .containsExactly(10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L)))
                .isEqualTo(10 * ROW_BYTES);
        String plan = rows.queryExecution().executedPlan().toString();
        assertThat(plan)
                .contains("file x.npy: int64 [28, 2, 3], rows [10:20], 480 bytes of it")
                .doesNotContain("+- Filter");
        SparkPlan scan = CollectionConverters.asJava(
                        rows.queryExecution().executedPlan().collectLeaves())
                .get(0);
        assertThat(scan.metrics().apply("fileBytes").value()).isEqualTo(10 * ROW_BYTES);
        assertThat(rows.toJavaRDD().getNumPartitions()).isEqualTo(partitions == 7 ? 3 : partitions);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "index < 3; 0 1 2; 3",
                "index >= 26; 26 27; 2",
                "index <= 1 OR index > 26; 0 1 27; 3",
                "index = 5; 5; 1",
                "index <=> 5; 5; 1",
                "index IN (27, 1, 2, 99, -1, NULL); 1 2 27; 3",
                "index > -5 AND index < 9223372036854775807 AND index < 2; 0 1; 2",
                "index > 9223372036854775806; ''; 0",
                "index < 5 AND index > 7; ''; 0",
                "index IS NOT NULL AND index < 1; 0; 1",
                "(index < 2 OR index = 6) AND value[0][0] >= 6; 1 6; 3",
                "index % 9 = 0; 0 9 18 27; 28",
                "NOT index < 26; 26 27; 2"
            })
    void conditionsOnTheIndexSayWhatIsRead(String condition, String expected, long rowsRead) {
        for (int partitions : new int[] {1, 2, 7}) {
            Dataset<Row> rows = table(partitions).where(condition).selectExpr("index", "value[1][2] as last");
            long bytes = fileBytes(() -> assertThat(rows.collectAsList().stream()
                            .map(row -> {
                                assertThat(row.getLong(1)).isEqualTo(6 * row.getLong(0) + 5);
                                return Long.toString(row.getLong(0));
                            })
                            .toList())
                    .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected.split(" "))));
            assertThat(bytes).as(condition).isEqualTo(rowsRead * ROW_BYTES);
        }
    }

    @Test
    void ofManyRangesThePlanShowsTheFirst() {
        Dataset<Row> rows = table(1).where("index IN (0, 2, 4, 6, 8, 10, 12, 14, 16, 18)");
        assertThat(rows.queryExecution().executedPlan().toString())
                .contains("rows [0:1, 2:3, 4:5, 6:7, 8:9, 10:11, 12:13, 14:15, …], 480 bytes of it");
        assertThat(indices(rows)).hasSize(10);
    }

    @Test
    void withoutItsValuesNoFileIsRead() {
        Dataset<Row> table = table(7);
        assertThat(fileBytes(() -> {
                    assertThat(table.count()).isEqualTo(ROWS);
                    assertThat(indices(table.where("index > 25"))).containsExactly(26L, 27L);
                }))
                .isZero();
        assertThat(table.selectExpr("sum(value[0][1])").head().getLong(0)).isEqualTo(6 * 378 + 28);
    }

    @Test
    void partsAndArchivesAreTables() throws IOException {
        LocalSpark.broadloom().tensor(counted(), 5).writeNpy(path("parts"), WriteMode.CREATE);
        assertThat(indices(npy().load(path("parts")).where("index > 10 AND value[0][0] < 84")))
                .containsExactly(11L, 12L, 13L);
        Files.delete(folder.resolve("parts/_broadloom.json"));
        assertThatThrownBy(() -> npy().load(path("parts")))
                .hasMessageStartingWith("Cannot read " + path("parts") + ": it has no _broadloom.json")
                .hasMessageContaining("option manifest 'optional'");
        assertThat(npy().option("manifest", "Optional").load(path("parts")).count())
                .isEqualTo(ROWS);
        String archive = fixture("stored.npz");
        assertThatThrownBy(() -> npy().load(archive)).hasMessageContaining("name one as " + archive + ":KEY (it has ");
    }

    @Test
    void aTableJoinsItself() {
        Dataset<Row> table = table(2);
        assertThat(table.as("a")
                        .join(table.as("b"), functions.expr("a.index = b.index + 1"))
                        .selectExpr("sum(a.value[0][0] - b.value[0][0])")
                        .head()
                        .getLong(0))
                .isEqualTo(6 * 27);
    }

    @Test
    void sqlMakesATableOfAFile() throws IOException {
        spark.sql("CREATE TABLE photos USING npy OPTIONS (path '" + path("x.npy") + "', chunkBytes '256')");
        try {
            assertThat(spark.sql("SELECT value[0] FROM photos WHERE index = 2")
                            .head()
                            .<Long>getList(0))
                    .containsExactly(12L, 13L, 14L);
            assertThatThrownBy(() -> spark.sql("INSERT INTO photos SELECT index + 28, value FROM photos"))
                    .hasMessage("Cannot append to " + "file:" + path("x.npy")
                            + ": it exists, and a tensor is written whole; overwrite it, or write to another path");
            spark.sql("INSERT OVERWRITE photos SELECT 1 - index, value FROM photos WHERE index < 2");
            assertThat(Npy.read(folder.resolve("x.npy")).values())
                    .isEqualTo(counted().narrow(0, 0, 2).flip(0).values());
            assertThat(spark.table("photos")
                            .where("index = 0")
                            .selectExpr("value[0][0]")
                            .head()
                            .getLong(0))
                    .isEqualTo(6);
        } finally {
            spark.sql("DROP TABLE photos");
        }
        assertThat(folder.resolve("x.npy")).exists();
    }

    @Test
    void sqlMakesAFileOfAQuery() throws IOException {
        spark.sql("CREATE TABLE made USING npy LOCATION '" + path("made.npy")
                + "' AS SELECT id AS index, array(float(id), 0.5f) AS value FROM range(3)");
        spark.sql("CREATE TABLE npy_source_kept USING npy AS SELECT id AS index, id * id AS value FROM range(4)");
        spark.sql("CREATE TABLE later (index BIGINT, value ARRAY<DOUBLE>) USING npy LOCATION '" + path("later.npy")
                + "'");
        try {
            assertThat(Npy.read(folder.resolve("made.npy")).values())
                    .isEqualTo(Tensors.of(0, 0.5, 1, 0.5, 2, 0.5).view(3, 2).values());
            assertThat(spark.sql("SELECT sum(value) FROM npy_source_kept")
                            .head()
                            .getLong(0))
                    .isEqualTo(14);
            spark.sql("INSERT INTO later VALUES (1, array(2.0d)), (0, array(1.5d))");
            Tensor later = Npy.read(folder.resolve("later.npy"));
            assertThat(later.dtype()).isEqualTo(DType.FLOAT64);
            assertThat(later.values())
                    .isEqualTo(Tensors.of(1.5, 2).view(2, 1).to(DType.FLOAT64).values());
        } finally {
            for (String table : List.of("made", "npy_source_kept", "later")) {
                spark.sql("DROP TABLE IF EXISTS " + table);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void aTableIsWrittenByItsIndexWhateverItsOrder(int partitions) throws IOException {
        Dataset<Row> shuffled = table(2).orderBy(functions.rand(3)).repartition(partitions);
        shuffled.write().format("npy").save(path("y.npy"));
        assertThat(folder.resolve("y.npy")).hasSameBinaryContentAs(folder.resolve("x.npy"));
        shuffled.write().format("npy").save(path("parts"));
        assertThat(Files.exists(folder.resolve("parts/_broadloom.json"))).isTrue();
        assertThat(npy().load(path("parts")).exceptAll(table(1)).count()).isZero();
        assertThat(names()).containsExactly("parts", "x.npy", "y.npy");
    }

    /** A flat column that declares the shape of its cells, and a dtype that SQL does not have. */
    @Test
    void shapesAndDtypesComeBack() throws IOException {
        LocalSpark.broadloom()
                .tensor(counted(), 3)
                .toDataFrame("i", "pixels")
                .write()
                .format("npy")
                .option("index", "i")
                .option("value", "pixels")
                .option("dtype", "uint8")
                .save(path("bytes.npy"));
        Tensor read = Npy.read(folder.resolve("bytes.npy"));
        assertThat(read.dtype()).isEqualTo(DType.UINT8);
        assertThat(read.shape()).isEqualTo(counted().shape());
        assertThat(read.values()).isEqualTo(counted().to(DType.UINT8).values());
    }

    @Test
    void everyModeOfSavingHasItsMeaning() throws IOException {
        Dataset<Row> two = spark.range(2).selectExpr("id AS index", "id * 10 AS value");
        for (String name : List.of("m.npy", "m")) {
            two.write().format("npy").mode(SaveMode.Append).save(path(name));
            Dataset<Row> three = spark.range(3).selectExpr("id AS index", "id AS value");
            three.write().format("npy").mode(SaveMode.Ignore).save(path(name));
            assertThat(npy().load(path(name)).count()).isEqualTo(2);
            assertThatThrownBy(() -> three.write().format("npy").save(path(name)))
                    .hasMessage("Cannot write " + path(name)
                            + ": it exists, and a tensor is written whole; overwrite it, or write to another path");
            assertThatThrownBy(() ->
                            three.write().format("npy").mode(SaveMode.Append).save(path(name)))
                    .hasMessageStartingWith("Cannot append to " + path(name));
            three.write().format("npy").mode(SaveMode.Overwrite).save(path(name));
            assertThat(npy().load(path(name)).count()).isEqualTo(3);
        }
        Files.createDirectory(folder.resolve("other"));
        Files.createFile(folder.resolve("other/notes.txt"));
        assertThatThrownBy(
                        () -> two.write().format("npy").mode(SaveMode.Overwrite).save(path("other")))
                .hasMessage("Cannot write " + path("other")
                        + ": it is kept, because it holds more than the parts of a tensor: notes.txt");
        assertThatThrownBy(() -> two.write().format("npy").save(path("nowhere/x.npy")))
                .hasMessage("Cannot write " + path("nowhere/x.npy") + ": its folder does not exist");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id + 1 | id | Cannot order rows by index: no row has 0; number the rows from 0 on, without gaps",
                "if(id < 5, id, id + 1) | id | Cannot order rows by index: no row has 5; number the rows from 0 on, without gaps",
                "id - 1 | id | Cannot order rows by index: a row has -1; number the rows from 0 on, without gaps",
                "id div 2 | id | Cannot order rows by index: two rows have 0L; order by a column that tells every row from the others",
                "if(id = 3, null, id) | id | Cannot order rows by index: a row has none (null); fill it, or filter such rows out",
                "double(id) | id | Cannot order rows by index: it is DOUBLE; number the rows with whole numbers, from 0 on",
                "id | cast(id as string) | Cannot read column value: it is STRING; select numbers or arrays of numbers"
            })
    void anIndexNumbersTheRows(String index, String value, String message) throws IOException {
        for (int partitions : new int[] {1, 2, 7}) {
            Dataset<Row> table = spark.range(0, 10, 1, partitions).selectExpr(index + " AS index", value + " AS value");
            assertThatThrownBy(() -> table.write().format("npy").save(path("bad.npy")))
                    .hasMessage(message);
        }
        assertThat(names()).containsExactly("x.npy");
    }

    @Test
    void whatIsNoTensorIsNotWritten() throws IOException {
        Dataset<Row> table = spark.range(0, 10, 1, 2)
                .selectExpr("id AS index", "array_repeat(id, int(if(id = 7, 2, 3))) AS value", "'a' AS label");
        assertThatThrownBy(() -> table.write().format("npy").save(path("bad.npy")))
                .hasMessage(
                        "Cannot write " + path("bad.npy") + ": a tensor has no place for label; select index and value,"
                                + " or name other columns by the options index and value");
        assertThatThrownBy(() -> table.drop("label").write().format("npy").save(path("bad.npy")))
                .hasMessageContaining("Cannot read column value: row 7 has the shape [2], others have [3]");
        assertThatThrownBy(() -> table.select("value").write().format("npy").save(path("bad.npy")))
                .hasMessage("Cannot order rows by column index: the table has value");
        assertThat(names()).containsExactly("x.npy");
    }

    @Test
    void brokenFilesAreToldInASentence() throws IOException {
        for (String broken :
                List.of("truncated.npy", "claims-more.npy", "garbage.npy", "pickled.npy", "overflow.npy")) {
            String file = fixture(broken);
            assertThatThrownBy(() -> npy().load(file))
                    .hasMessageStartingWith("Cannot read " + file)
                    .hasMessageNotContaining("\n");
        }
        assertThatThrownBy(() -> npy().load(path("none.npy")))
                .hasMessage("Cannot read " + path("none.npy") + ": there is no such file or folder");
        Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> npy().load(path("empty")))
                .hasMessage(
                        "Cannot read " + path("empty")
                                + ": it is a folder without part-NNNNN.npy files; name a file, or a folder that Broadloom wrote");
        String scalar = fixture("rank0.npy");
        assertThatThrownBy(() -> npy().load(scalar))
                .hasMessage(
                        "Cannot make a table of rank0.npy: it has no dimension, so no rows; unsqueeze(0) gives it one");
        Dataset<Row> table = table(7);
        byte[] whole = Files.readAllBytes(folder.resolve("x.npy"));
        Files.write(folder.resolve("x.npy"), Arrays.copyOf(whole, whole.length - 1));
        assertThatThrownBy(table::collectAsList).hasMessageStartingWith("Cannot read " + path("x.npy"));
        Files.write(folder.resolve("x.npy"), whole);
        Dataset<Row> planned = table.select("value");
        assertThat(planned.collectAsList()).hasSize(ROWS);
        Npy.write(Tensors.ones(3), folder.resolve("x.npy"), WriteMode.OVERWRITE);
        assertThatThrownBy(planned::collectAsList)
                .hasMessageContaining("Cannot read /")
                .hasMessageContaining(
                        "it was int64 [28, 2, 3] when it was opened and was replaced by float32 [3] since");
        assertThatThrownBy(table.select("index", "value")::collectAsList)
                .hasMessage("Cannot read " + path("x.npy")
                        + " as struct<index:bigint,value:array<array<bigint>>>: it holds struct<index:bigint,value:float>;"
                        + " make the table again, without columns");
    }

    @Test
    void optionsAreTold() {
        assertThatThrownBy(() -> npy().load())
                .hasMessage("Cannot open npy table: it has no path; name one file, or a folder of parts");
        assertThatThrownBy(() -> npy().load(path("x.npy"), path("y.npy")))
                .hasMessageStartingWith("Cannot open npy table: it is one tensor, not [");
        assertThatThrownBy(() -> npy().option("chunkBytes", "many").load(path("x.npy")))
                .hasMessage("Cannot use chunkBytes=many: give at least one byte, or a size such as 512m or 2g");
        assertThatThrownBy(() -> npy().option("manifest", "no").load(path("x.npy")))
                .hasMessage("Cannot use manifest=no: give required or optional");
        assertThatThrownBy(() -> npy().option("index", "value").load(path("x.npy")))
                .hasMessage("Cannot make a table of x.npy: both columns would be called value");
    }

    @Test
    void sizesOfZeroAreTables() throws IOException {
        for (long[] sizes : List.of(
                new long[] {0}, new long[] {0, 3}, new long[] {3, 0}, new long[] {2, 0, 4}, new long[] {2, 3, 0})) {
            Npy.write(Tensors.zeros(sizes), folder.resolve("z.npy"), WriteMode.OVERWRITE);
            assertThat(npy().load(path("z.npy")).collectAsList()).hasSize((int) sizes[0]);
        }
    }

    /** Chunks that are read in part, or whose rows fail on their way, are let go when the task ends. */
    @Test
    void nothingIsHeldAfterAQuery() {
        long before = Memory.allocatedBytes();
        List<Dataset<Row>> tables = new ArrayList<>(List.of(table(1), table(7)));
        for (Dataset<Row> table : tables) {
            assertThat(table.limit(3).collectAsList()).hasSize(3);
            assertThat(table.coalesce(1).selectExpr("sum(value[0][0])").head().getLong(0))
                    .isEqualTo(6 * 378);
            assertThatThrownBy(() -> table.coalesce(1)
                            .selectExpr("if(value[0][0] = 60, raise_error('no'), index) as i")
                            .collectAsList())
                    .hasStackTraceContaining("no");
            assertThat(Memory.allocatedBytes()).isLessThanOrEqualTo(before);
        }
    }
}
