package io.github.broadloom.bench.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.testkit.conformance.Conformance;
import io.github.broadloom.testkit.conformance.GoldenFiles;
import io.github.broadloom.testkit.conformance.Tally;
import io.github.broadloom.testkit.conformance.Vector;
import io.github.broadloom.testkit.conformance.VectorFile;
import io.github.broadloom.testkit.conformance.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same vectors on Spark with two task threads, jobs side by side, the operands of each vector in one of some numbers of chunks. */
class SparkConformanceTest {
    private static final List<Integer> CHUNKS = List.of(1, 2, 3, 7);

    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        spark = SparkSession.builder()
                .master("local[2]")
                .appName("conformance")
                .config("spark.ui.enabled", "false")
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
        spark = null;
    }

    static List<String> written() {
        return List.of("seed", "view", "call", "index", "groups", "windows");
    }

    @SomeOf(value = "written", oneIn = 2)
    void everyVectorThatTheProjectHasPasses(String name) throws IOException {
        assertThat(failures(name)).isEmpty();
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(
            strings = {"broadcast_shapes", "join", "promote", "binary", "unary", "inplace", "overlap", "sparse", "order"
            })
    void everyVectorOfTheOtherFilesPasses(String name) throws IOException {
        assertThat(failures(name)).isEmpty();
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"ternary", "reduce"})
    void noneOfTheOthersFails(String name) throws IOException {
        Tally tally = new Tally();
        run(name).forEach(tally);
        assertThat(tally.failed()).isZero();
        assertThat(tally.passed()).isPositive();
    }

    private List<String> failures(String name) throws IOException {
        List<String> failures = new ArrayList<>();
        Tally tally = new Tally();
        run(name).forEach(verdict -> {
            tally.accept(verdict);
            if (verdict.outcome() == Verdict.Outcome.FAILED) {
                failures.add(verdict.toString());
            }
        });
        long beyond = tally.skippedByName().entrySet().stream()
                .filter(skipped ->
                        skipped.getKey().contains("distributed tensor")) // strides and shared storage, by name
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertThat(tally.passed() + tally.failed() + beyond).isEqualTo(GoldenFiles.required(name));
        return failures;
    }

    /** Each number of chunks has its thread and every so manieth vector. */
    private List<Verdict> run(String name) throws IOException {
        List<Vector> vectors = new ArrayList<>();
        VectorFile.forEach(GoldenFiles.copy(name, folder), vectors::add);
        int first = Math.floorMod(name.hashCode(), CHUNKS.size());
        return IntStream.range(0, CHUNKS.size())
                .parallel()
                .mapToObj(i -> {
                    int chunks = CHUNKS.get((first + i) % CHUNKS.size());
                    Conformance conformance = new Conformance(new SparkEngine(Broadloom.on(spark), chunks));
                    return IntStream.range(0, vectors.size())
                            .filter(vector -> vector % CHUNKS.size() == i)
                            .mapToObj(vector -> conformance.run(vectors.get(vector)))
                            .toList();
                })
                .flatMap(List::stream)
                .toList();
    }
}
