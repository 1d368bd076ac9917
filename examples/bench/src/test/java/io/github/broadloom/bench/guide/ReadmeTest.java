package io.github.broadloom.bench.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The lines of Java and SQL in the README and beside it work, each block for itself, for somebody who has the files and the tables of which it speaks; on the CPU. */
class ReadmeTest {
    private static final Path ROOT = Path.of("../..");
    private static final List<String> PAGES = List.of("README.md", "docs/gpu.md", "docs/memory.md", "docs/sparse.md");

    private static final Places PLACES = new Places(Path.of("../.."), Path.of("out"));

    private static final String IMPORTS = "import io.github.broadloom.expr.*; import io.github.broadloom.io.*; import"
            + " io.github.broadloom.lazy.*; import io.github.broadloom.shape.*; import io.github.broadloom.sparse.*;"
            + " import io.github.broadloom.spark.*; import io.github.broadloom.sql.*; import io.github.broadloom.tensor.*;"
            + " import java.nio.file.Path; import org.apache.spark.sql.*; import static org.apache.spark.sql.functions.*;";

    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void startSpark() {
        spark = PageSession.start();
        spark.sql("select 1 as id, array(array(1f, 2f), array(3f, 4f)) as pixels, 0.5f as mean")
                .createOrReplaceTempView("images");
        spark.sql("select * from values ('a', array(1f, 2f)), ('a', array(3f, 4f)) as (label, embedding)")
                .createOrReplaceTempView("vectors");
        spark.sql("select id, array(float(id), 2f) as embedding, array(1f, 2f) as pixels, 0.5f as mean from range(3)")
                .createOrReplaceTempView("rows");
    }

    @AfterAll
    static void stopSpark() {
        spark.stop();
    }

    @BeforeEach
    void writeImages() throws IOException {
        Npy.write(
                Tensors.arange(0, 48, 1, DType.FLOAT32).reshape(4, 3, 2, 2),
                folder.resolve("images.npy"),
                WriteMode.CREATE);
    }

    static List<Arguments> java() throws IOException {
        return blocksOf("java");
    }

    static List<Arguments> sql() throws IOException {
        return blocksOf("sql");
    }

    private static List<Arguments> blocksOf(String language) throws IOException {
        List<Arguments> blocks = new ArrayList<>();
        for (String page : PAGES) {
            Path file = ROOT.resolve(page);
            Page.read(file, PLACES).blocksOf(language).forEach(block -> blocks.add(Arguments.of(file, block)));
        }
        return blocks;
    }

    /** What the pages leave to its reader. */
    private String given() {
        return "SparkSession spark = SparkSession.active(); Broadloom broadloom = Broadloom.on(spark);"
                + " Path path = Path.of(\"" + folder.resolve("images.npy") + "\");"
                + " Dataset<Row> table = spark.table(\"rows\");"
                + " Tensor here = Tensors.ones(4); Tensor mean = Tensors.ones(3, 1, 1);";
    }

    /** The figures of a cluster's memory, its file system and its GPU are not those of this machine. */
    private String here(String line) {
        return line.replace("hdfs:///", folder + "/")
                .replace("Device.of(\"cuda\")", "Device.of(\"cpu\")")
                .replaceFirst("^// (\\d+|driver) .*MiB.*", "// …");
    }

    @ParameterizedTest
    @MethodSource("java")
    void linesOfJavaWork(Path file, Block block) throws Exception {
        Block there = new Block(
                "java", block.line(), block.lines().stream().map(this::here).toList(), Optional.empty());
        Page page = new Page(file, List.of(there));
        JavaCompilation compilation = new JavaCompilation(file);
        JavaSource source = new JavaSource(page, IMPORTS, given(), compilation);
        Notes notes = new Notes(file, line -> line);
        new Reading(page, source.steps(), Map.of(), notes).run(compilation.compile(source));
        assertThat(notes.mistakes()).isEmpty();
        assertThat(notes.blocks()).isOne();
    }

    @ParameterizedTest
    @MethodSource("sql")
    void linesOfSqlWork(Path file, Block block) {
        SqlInterpreter sql = new SqlInterpreter(spark);
        assertThat(sql.steps(block)).isNotEmpty().allSatisfy(step -> {
            Answer answer = sql.run(step);
            assertThat(answer.isFailure())
                    .as(file + ":" + step.line() + ": " + answer.shown())
                    .isFalse();
            assertThat(answer.shown()).isNotEmpty();
        });
    }
}
