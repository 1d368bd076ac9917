package io.github.broadloom.bench.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.SomeOf;
import io.github.broadloom.testkit.random.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that the guide shows is so: its blocks are run, on chunks of some size, and what comes is what the page says. */
class GuideTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    /** To another file of the repository. */
    private static final Pattern LINK = Pattern.compile("]\\(([^):#]+)[^):]*\\)");

    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void startSpark() {
        spark = PageSession.start();
    }

    @AfterAll
    static void stopSpark() {
        spark.stop();
    }

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/guide"))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** How tensors are cut into chunks, and the cells of tables into batches, where the page itself says nothing. */
    enum Cut {
        WHOLE("64m", "auto"),
        PIECES("64", "never"),
        ROWS("1", "always");

        private final String chunkBytes;
        private final String batches;

        Cut(String chunkBytes, String batches) {
            this.chunkBytes = chunkBytes;
            this.batches = batches;
        }

        private void set() {
            spark.conf().set("spark.broadloom.chunkBytes", chunkBytes);
            spark.conf().set("spark.broadloom.sql.batches", batches);
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Path file) throws IOException {
        for (Matcher link = LINK.matcher(Files.readString(file)); link.find(); ) {
            assertThat(file.resolveSibling(link.group(1))).exists();
        }
    }

    /** But for the page of the Python package, whose own tests run it: it wants a PySpark. */
    static List<Path> pagesWithPython() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path file : pages()) {
            if (Files.readString(file).contains("```python") && !file.endsWith("pyspark.md")) {
                pages.add(file);
            }
        }
        return pages;
    }

    /** The other side of a comparison: what NumPy and its friends say, where they are installed. */
    @ParameterizedTest
    @MethodSource("pagesWithPython")
    void thePythonOfAPageIsTrue(Path file) throws IOException {
        Places places = new Places(ROOT, folder.resolve("out"));
        Notes notes = new Notes(file, places::outside);
        try (PythonInterpreter python = new PythonInterpreter()) {
            for (Block block : Page.read(file, places).blocksOf("python")) {
                python.steps(block).forEach(step -> notes.take(step, python.run(step)));
                notes.endBlock(block);
            }
            assertThat(notes.mistakes()).isEmpty();
            assumeTrue(python.missing().isEmpty(), () -> "not installed for Python: " + python.missing());
        } catch (IOException e) {
            abort("there is no Python: " + e.getMessage());
        }
    }

    /** Another cut for each page and each run. */
    @SomeOf(value = "pages", oneIn = 2)
    void aPageIsTrue(Path file) throws Exception {
        long seed = Long.getLong(Property.SEED, System.nanoTime());
        Cut[] cuts = Cut.values();
        Cut cut = cuts[new SplittableRandom(seed + file.getFileName().toString().hashCode()).nextInt(cuts.length)];
        System.out.println(file.getFileName() + ": cut " + cut + ", -D" + Property.SEED + "=" + seed);
        run(file, cut);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("pages")
    void aPageIsTrueOnEveryCut(Path file) throws Exception {
        run(file, Cut.values());
    }

    private void run(Path file, Cut... cuts) throws Exception {
        Places places = new Places(ROOT, folder.resolve("out"));
        Page page = Page.read(file, places);
        JavaCompilation compilation = new JavaCompilation(file);
        JavaSource source = new JavaSource(page, compilation);
        Script script = compilation.compile(source);
        Map<String, Interpreter> interpreters = Map.of(
                "sql",
                new SqlInterpreter(spark),
                "sh",
                new ToolInterpreter(),
                "python",
                Interpreter.ELSEWHERE,
                "scala",
                new ScalaInterpreter());
        for (Cut cut : cuts) {
            cut.set();
            places.clear();
            Notes notes = new Notes(file, places::outside);
            new Reading(page, source.steps(), interpreters, notes).run(script);
            assertThat(notes.mistakes()).as("cut: " + cut).isEmpty();
            assertThat(notes.blocks()).isEqualTo((int) page.runnable());
        }
    }
}
