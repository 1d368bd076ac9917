package io.github.broadloom.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tools.ChildJvm;
import io.github.broadloom.tools.Cli;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tools in a JVM that has no jar of Spark, Scala or Hadoop. */
class WithoutSparkTest {
    private static final Pattern SPARKS = Pattern.compile("/org/(apache/(spark|hadoop)|scala-lang)/|spark-tags|scala-");
    private static final String END = "\u0000";

    @TempDir
    static Path folder;

    private static final Map<String, Cli> RUNS = new LinkedHashMap<>();

    /** One JVM for all of them, which takes longer to start than most of them to run. */
    @BeforeAll
    static void runAll() throws IOException, InterruptedException {
        String golden =
                Path.of("../../arrow-io/src/test/resources/golden/seed.jsonl").toString();
        List<String> lines = List.of(
                "",
                "--version",
                "eval x.sum(0)/2 --in x=[[1,2],[3,4]]",
                "eval x*2 --in x=" + Cli.data("face.npy") + " --out " + folder.resolve("sub/y.npy"),
                "eval x//z --in x=[7,8] --in z=[0] --out " + folder.resolve("made/for/y.npy"),
                "eval x+1 --in x=3 --master local[2]",
                "eval x+1 --in x=missing.npy",
                "conformance " + golden,
                "conformance " + golden + " --spark local[2]",
                "gpu-check --only vectors --markdown " + folder.resolve("gpu.md"),
                "bench G1 --elements 2500 --repeat 1 --warm-up 0 --warm-up-seconds 0",
                "accuracy square --dtype float16",
                "ops",
                "settings",
                "shell -e 1",
                "functions",
                "hillshade",
                "nearest",
                "standardize");
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !SPARKS.matcher(entry).find())
                .collect(Collectors.joining(File.pathSeparator));
        ProcessBuilder tools = ChildJvm.java(
                List.of("-XX:+UseSerialGC", "-Dlog4j2.configurationFile=../log4j2.properties"),
                classPath,
                Tools.class.getName(),
                lines);
        Cli all = ChildJvm.run(tools, folder, Path.of("/dev/null"));
        assertThat(all.exitCode()).as(all.err()).isZero();
        String[] told = all.out().split(END, -1);
        for (int i = 0; i < lines.size(); i++) {
            RUNS.put(lines.get(i), new Cli(Integer.parseInt(told[3 * i]), told[3 * i + 1], told[3 * i + 2]));
        }
    }

    /** Runs a command line after the other, and tells how each ended. */
    static final class Tools {
        public static void main(String[] lines) {
            for (String line : lines) {
                Cli run = Cli.run(line.isEmpty() ? new String[0] : line.split(" "));
                System.out.print(run.exitCode() + END + run.out() + END + run.err() + END);
            }
            System.exit(0);
        }
    }

    private static Cli run(String beginning) {
        return RUNS.entrySet().stream()
                .filter(run -> run.getKey().startsWith(beginning))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--version", "conformance", "gpu-check", "bench", "accuracy", "ops", "settings"})
    void whatNeedsNoSparkStarts(String tool) {
        assertThat(run(tool).succeeds().out()).isNotBlank();
    }

    @Test
    void theVersionSaysThatThereIsNone() {
        assertThat(run("--version").out()).contains("no Spark, Java ");
    }

    @Test
    void anExpressionOverFilesIsEvaluatedHere() {
        assertThat(run("eval x.sum").succeeds().out()).isEqualTo("tensor([2., 3.])\n");
        assertThat(run("eval x*2").succeeds().out()).contains("y.npy: uint8 [768, 1024, 3], 2.4 MB in ");
        assertThat(folder.resolve("sub/y.npy")).exists();
        assertThat(run("eval x//z").sentence()).isEqualTo("broadloom: ZeroDivisionError");
        assertThat(folder.resolve("made")).doesNotExist();
        assertThat(run("eval x+1 --in x=missing").sentence())
                .contains("Cannot open missing.npy: there is no such file");
    }

    @Test
    void theBenchmarkMeasuresWhatIsThere() {
        assertThat(run("bench").out()).contains("broadloom-local").doesNotContain("spark");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eval x+1 --in x=3 --master",
                "conformance ../../arrow-io/src/test/resources/golden/seed.jsonl --spark",
                "shell",
                "functions",
                "hillshade",
                "nearest",
                "standardize"
            })
    void whatNeedsSparkSaysSoInOneSentence(String tool) {
        assertThat(run(tool).sentence())
                .isEqualTo(
                        "broadloom: Cannot start Spark: its jars are not on the class path; start this by examples/run"
                                + " or spark-submit");
    }
}
