package io.github.broadloom.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that the guide shows is so: its blocks are run, on chunks of several sizes, and what comes is what the page says. */
class GuideTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static SparkSession spark;

    @TempDir
    Path folder;

    /** As the pages make it, so that they get this one. */
    @BeforeAll
    static void startSpark() {
        spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", false)
                .config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.extensions", "io.github.broadloom.sql.BroadloomExtensions")
                .getOrCreate();
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
    void aPageIsTrue(Path file) throws Exception {
        Places places = new Places(ROOT, folder.resolve("out"));
        Page page = Page.read(file, places);
        JavaCompilation compilation = new JavaCompilation(file);
        JavaSource source = new JavaSource(page, compilation);
        Script script = compilation.compile(source);
        Map<String, Interpreter> interpreters = Map.of("sql", new SqlInterpreter(spark), "sh", new ToolInterpreter());
        for (Cut cut : Cut.values()) {
            cut.set();
            places.clear();
            Notes notes = new Notes(file, places::outside);
            new Reading(page, source.steps(), interpreters, notes).run(script);
            assertThat(notes.mistakes()).as("cut: " + cut).isEmpty();
            assertThat(notes.blocks()).isEqualTo((int) page.runnable());
        }
    }
}
