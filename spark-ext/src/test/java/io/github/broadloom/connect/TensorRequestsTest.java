package io.github.broadloom.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client of Spark Connect reads, on a session of this JVM; the Python package's own tests read it through a server. */
class TensorRequestsTest {
    @TempDir
    Path folder;

    private final SparkSession spark = LocalSpark.session();

    /** float32 [3, 2] as x: 0, 1, … */
    @BeforeEach
    void make() throws IOException {
        ask(
                "tensor",
                Map.of("id", "x", "chunks", "2", "npy", Base64.getEncoder().encodeToString(npy(numbers()))));
    }

    @AfterEach
    void forget() {
        ask("settings", Map.of("released", "x,y"));
        spark.catalog().dropTempView("parts");
        spark.catalog().dropTempView("numbers");
    }

    private static Tensor numbers() {
        return Tensors.arange(6).to(DType.FLOAT32).view(3, 2);
    }

    private static byte[] npy(Tensor tensor) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Npy.write(tensor, bytes);
        return bytes.toByteArray();
    }

    private Row ask(String verb, Map<String, String> options) {
        Map<String, String> all = new HashMap<>(options);
        all.put("verb", verb);
        return spark.read()
                .format(TensorRequests.class.getName())
                .options(all)
                .load()
                .head();
    }

    private Tensor elements(String id) throws IOException {
        byte[] npy = ask("elements", Map.of("on", id)).getAs("elements");
        return Npy.read(new ByteArrayInputStream(npy), "answer");
    }

    @Test
    void aTensorIsMadeOfTensors() throws IOException {
        Row made = ask("call", Map.of("id", "y", "text", "_0 - _1.mean(0)", "operands", "x,x"));
        assertThat(made.<String>getAs("text")).isEqualTo("float32");
        assertThat(made.getList(made.fieldIndex("shape"))).isEqualTo(List.of(3L, 2L));
        assertThat(elements("y")).hasToString("tensor([[-2., -2.],\n        [ 0.,  0.],\n        [ 2.,  2.]])");
    }

    @Test
    void namesKeepTheirCaseAndNumbersAreNumbers() throws IOException {
        ask("eval", Map.of("id", "y", "text", "x - X.amax() + n", "names", "x,X,n", "operands", "x,x,=2"));
        assertThat(elements("y").getDouble(0, 0)).isEqualTo(-3);
    }

    @Test
    void tensorsAreMade() throws IOException {
        made("rand", "float64", "2", "0,0"); // Random123's vector of key 0
        assertThat(elements("y").toDoubleArray()).containsExactly(0.8805201978886142, 0.6054818538799213);
        made("randint", "int8", "2", "0,0,0,10");
        assertThat(elements("y").toLongArray()).containsExactly(8, 6);
        made("bernoulli", "bool", "2", "0,0,0.7");
        assertThat(elements("y").toBooleanArray()).containsExactly(false, true);
        made("normal", "float32", "1,2", "0,0,2,0");
        assertThat(elements("y").toFloatArray()).containsExactly(2, 2);
        made("full", "bool", "2", "True");
        assertThat(elements("y").toBooleanArray()).containsExactly(true, true);
        made("arange", "int64", "", "2,9,3");
        assertThat(elements("y").toLongArray()).containsExactly(2, 5, 8);
        made("arange", "float32", "", "0.5,2,0.5");
        assertThat(elements("y").toFloatArray()).containsExactly(0.5f, 1, 1.5f);
        made("linspace", "float32", "3", "0,1");
        assertThat(elements("y").toFloatArray()).containsExactly(0, 0.5f, 1);
        made("eye", "int8", "1,2", "");
        assertThat(elements("y").toLongArray()).containsExactly(1, 0);
    }

    private void made(String name, String dtype, String sizes, String numbers) {
        Row answer = ask("made", Map.of("id", "y", "name", name, "dtype", dtype, "sizes", sizes, "numbers", numbers));
        assertThat(answer.<String>getAs("failure")).isNull();
    }

    @Test
    void manyElementsComeInATableOfParts() throws IOException {
        byte[] npy = npy(numbers());
        StructType columns = new StructType().add("place", DataTypes.LongType).add("part", DataTypes.BinaryType);
        List<Row> parts = List.of(
                RowFactory.create(1L, Arrays.copyOfRange(npy, 140, npy.length)),
                RowFactory.create(0L, Arrays.copyOf(npy, 140)));
        spark.createDataFrame(parts, columns).createOrReplaceTempView("parts");
        ask("tensor", Map.of("id", "y", "chunks", "0", "view", "parts"));
        assertThat(elements("y")).hasToString(elements("x").toString());
    }

    @Test
    void aTensorIsATableAndATableATensor() throws IOException {
        var rows = spark.read().format(TensorRows.class.getName()).option("on", "x");
        assertThat(rows.option("value", "cell").load().collectAsList())
                .map(row -> row.getList(0))
                .containsExactly(List.of(0f, 1f), List.of(2f, 3f), List.of(4f, 5f));
        rows.option("index", "place").load().createOrReplaceTempView("numbers");
        assertThat(spark.sql("SELECT place FROM numbers WHERE cell[0] = 4")
                        .head()
                        .getLong(0))
                .isEqualTo(2);
        ask("fromDataFrame", Map.of("id", "y", "view", "numbers", "column", "cell", "order", "place"));
        assertThat(elements("y")).hasToString(elements("x").toString());
    }

    /** Reading the answer twice is two requests, but not more. */
    @Test
    void aFileIsWrittenOnce() throws IOException {
        String path = folder.resolve("x.npy").toString();
        Row written = ask("writeNpy", Map.of("on", "x", "path", path, "mode", WriteMode.CREATE.name()));
        assertThat(written.<String>getAs("failure")).isNull();
        assertThat(Npy.read(Path.of(path))).hasToString(numbers().toString());
        Row again = ask("writeNpy", Map.of("on", "x", "path", path, "mode", WriteMode.CREATE.name()));
        assertThat(again.<String>getAs("failure")).isEqualTo("FileExistsError");
    }

    @Test
    void severalFilesAreWrittenTogether() throws IOException {
        String low = folder.resolve("low.npy").toString();
        String all = folder.resolve("all.npy").toString();
        Map<String, String> request = Map.of("operands", "x,x", "path0", low, "path1", all, "mode", "CREATE");
        assertThat(ask("writeAll", request).<String>getAs("failure")).isNull();
        assertThat(Npy.read(Path.of(low))).hasToString(numbers().toString());
        assertThat(Npy.read(Path.of(all))).hasToString(numbers().toString());
        assertThat(ask("writeAll", request).<String>getAs("failure")).isEqualTo("FileExistsError");
    }

    /** Done twice it would append twice. */
    @Test
    void anArrayGrowsOnce() throws IOException {
        String path = folder.resolve("x.zarr").toString();
        ask("write", Map.of("on", "x", "path", path, "mode", WriteMode.CREATE.name()));
        Row grown = ask("append", Map.of("on", "x", "path", path, "dim", "-1"));
        assertThat(grown.<String>getAs("failure")).isNull();
        assertThat(LocalSpark.broadloom().read(path).collect())
                .hasToString("tensor([[0., 1., 0., 1.],\n        [2., 3., 2., 3.],\n        [4., 5., 4., 5.]])");
        Row refused = ask("append", Map.of("on", "x", "path", path, "dim", "0"));
        assertThat(refused.<String>getAs("failure")).isEqualTo("ValueError");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            x[7]      | IndexError        | index 7 is out of bounds for dimension 0 with size 3
            x + m     | ValueError        | Cannot find name 'm'; the names are x
            x.sum()[] | ValueError        | Cannot index with nothing
            """)
    void whatIsWrongIsToldAsPythonDoes(String text, String failure, String sentence) {
        Row told = ask("eval", Map.of("id", "y", "text", text, "names", "x", "operands", "x"));
        assertThat(told.<String>getAs("failure")).isEqualTo(failure);
        assertThat(told.<String>getAs("text")).startsWith(sentence);
    }

    @Test
    void whatTheClientForgetsIsForgotten() {
        Row told = ask("toString", Map.of("on", "x", "released", "x"));
        assertThat(told.<String>getAs("failure")).isEqualTo("RuntimeError");
        assertThat(told.<String>getAs("text")).startsWith("Cannot find a tensor of this session");
    }

    @Test
    void sessionsKnowTheirOwnTensorsOnly() {
        Row told = spark.newSession()
                .read()
                .format(TensorRequests.class.getName())
                .options(Map.of("verb", "toString", "on", "x"))
                .load()
                .head();
        assertThat(told.<String>getAs("failure")).isEqualTo("RuntimeError");
    }

    @Test
    void anUnknownRequestNamesItself() {
        assertThat(ask("fold", Map.of("on", "x")).<String>getAs("text"))
                .isEqualTo(
                        "Cannot fold: the package of the client and the jar of the server are of different versions");
        assertThat(ask("explain", Map.of("on", "x")).<String>getAs("text")).isNotEmpty();
    }
}
