package io.github.broadloom.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mistake is told in one sentence, with exit code 2 and no stack trace, and leaves nothing behind. */
class WrongInputTest {
    private static SparkSession spark;

    @TempDir
    Path folder;

    /** The tools join the session that runs in their JVM. */
    @BeforeAll
    static void start() {
        spark = SparkSession.builder()
                .master("local[2]")
                .appName("wrong input")
                .config("spark.ui.enabled", "false")
                .config(FullDisk.PROPERTY, FullDisk.class.getName())
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
        spark = null;
    }

    @Test
    void shapesThatDoNotBroadcastGetPyTorchsText() {
        assertThat(eval("x - m", "x=" + Cli.data("face.npy"), "m=[1,2]")
                        .complains()
                        .err())
                .startsWith("broadloom: The size of tensor a (3) must match the size of tensor b (2) at non-singleton"
                        + " dimension 2");
    }

    @Test
    void anUnknownNameHasACaretUnderIt() {
        Cli run = eval("x - unknown", "x=[1,2]").complains();
        assertThat(run.err()).contains("'unknown'");
        assertThat(caretColumn(run.err(), "x - unknown")).isEqualTo(4);
    }

    @Test
    void anUnknownFunctionHasACaretUnderIt() {
        Cli run = eval("1 + sqroot(x)", "x=[1,2]").complains();
        assertThat(run.err()).contains("'sqroot'");
        assertThat(caretColumn(run.err(), "1 + sqroot(x)")).isEqualTo(4);
    }

    @Test
    void anUnfinishedExpressionHasACaretWhereItStops() {
        Cli run = eval("(x + 1", "x=[1,2]").complains();
        assertThat(caretColumn(run.err(), "(x + 1")).isBetween(0, 6);
    }

    @Test
    void anIntegerDivisionByZeroIsPyTorchsSentenceWhereverTheZeroIs() {
        assertThat(eval("x // 0", "x=[1,2]").complains().err()).startsWith("broadloom: ZeroDivisionError\n");
        assertThat(eval("x // m", "x=[1,2]", "m=[1,0]").sentence()).isEqualTo("broadloom: ZeroDivisionError");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThat(eval("x", "x=no/such.npy").sentence())
                .isEqualTo("broadloom: Cannot open no/such.npy: there is no such file");
        assertThat(eval("x", "x=file:/no/such.npy").sentence())
                .contains("/no/such.npy")
                .contains("no such file");
    }

    @ParameterizedTest
    @CsvSource({
        "/npy/truncated.npy, 'truncated.npy'",
        "/npy/claims-more.npy, 'claims-more.npy'",
        "/npy/pickled.npy, 'pickle'",
        "/npy/overflow.npy, 'overflow.npy'",
        "/npy/garbage.npy, 'garbage.npy'",
        "/npy/truncated-header.npy, 'truncated-header.npy'",
        "/npy/complex64.npy, 'complex64.npy'",
        "/npy/negative.npy, 'negative.npy'"
    })
    void aDamagedNpyIsNamedWithTheReason(String resource, String named) throws IOException {
        Path file = Cli.copy(resource, folder);
        assertThat(eval("x", "x=" + file).sentence())
                .startsWith("broadloom: Cannot read ")
                .contains(named)
                .hasSizeGreaterThan(40);
    }

    @Test
    void aFileThatShrinksUnderItsHeaderIsRefused() throws IOException {
        Path file = folder.resolve("short.npy");
        byte[] whole = Files.readAllBytes(Path.of(Cli.data("face.npy")));
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertThat(eval("x", "x=" + file).sentence()).contains("short.npy").contains("2359");
    }

    @Test
    void aNpzThatIsNoZipIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("no.npz"), "this is no zip archive");
        assertThat(eval("x", "x=" + file + ":a").sentence())
                .startsWith("broadloom: Cannot read ")
                .contains("no.npz");
    }

    @Test
    void aMissingKeyOfAnNpzNamesThoseThatAreThere() {
        assertThat(eval("z", "z=" + Cli.data("jacksboro_fault_dem.npz") + ":height")
                        .sentence())
                .contains("'height'")
                .contains("elevation");
    }

    @Test
    void anOutputThatExistsIsKept() throws IOException {
        Path out = folder.resolve("y.npy");
        Npy.write(Tensors.of(7L), out, WriteMode.CREATE);
        byte[] before = Files.readAllBytes(out);
        assertThat(eval("x", "x=[1,2]", "--out", out.toString()).sentence())
                .contains(out.toString())
                .contains("exists")
                .contains("--overwrite");
        assertThat(Files.readAllBytes(out)).isEqualTo(before);
        assertThat(filesBelow(folder)).containsExactly("y.npy");
    }

    /** Several times: a task that is killed may write once more while the driver clears away. */
    @ParameterizedTest
    @CsvSource({"y.npy", "parts", "a.npy", "b.npy", "c.npy", "d.npy", "e.npy", "f.npy", "g.npy", "h.npy"})
    void aFullDiskLeavesNothing(String name) throws IOException {
        String out = "full://" + folder.resolve(name);
        Cli run = eval("x * 2.5", "x=" + Cli.data("face.npy"), "--out", out, "--chunk-bytes", "64k");
        assertThat(run.sentence()).contains("no space left on device");
        assertThat(filesBelow(folder)).isEmpty();
    }

    @Test
    void aFullLocalDiskLeavesNothing() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                succeeds("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk.toString()),
                "mounting a small disk needs root on Linux");
        try {
            Cli run = eval(
                    "x * 2.5",
                    "x=" + Cli.data("face.npy"),
                    "--out",
                    disk.resolve("y.npy").toString());
            assertThat(run.sentence()).containsAnyOf("no space left on device", "free");
            assertThat(filesBelow(disk)).isEmpty();
        } finally {
            succeeds("umount", disk.toString());
        }
    }

    @Test
    void anOutputInsideAFileIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("plain.txt"), "text");
        assertThat(Cli.run("eval", "1 + 1", "--out", file.resolve("out.npy").toString())
                        .sentence())
                .contains(file + " is a file, not a folder");
        assertThat(Cli.run("hillshade", "--out", file.toString()).sentence())
                .contains(file + " is a file, not a folder");
        assertThat(file).hasContent("text");
    }

    @Test
    void aFolderOfVectorsIsRefused() {
        assertThat(Cli.run("conformance", folder.toString()).sentence()).contains("it is a folder");
    }

    @Test
    void aDeviceThatIsMissingSaysWhy() {
        assertThat(eval("x", "x=[1]", "--device", "toaster").sentence()).contains("toaster");
        Cli cuda = eval("x", "x=[1]", "--device", "cuda:77");
        assertThat(cuda.sentence()).contains("cuda").hasSizeGreaterThan(40);
    }

    @Test
    void theDeviceIsThatOfTheSessionUnlessTheCommandNamesOne() throws IOException {
        Path file = Files.writeString(folder.resolve("v.jsonl"), "");
        spark.conf().set("spark.broadloom.device", "cuda:77");
        System.setProperty("spark.broadloom.device", "cuda:77"); // where the tool runs without Spark
        try {
            assertThat(eval("x", "x=[1]").sentence()).contains("cuda:77");
            assertThat(Cli.run("conformance", "--spark", "local[2]", file.toString())
                            .sentence())
                    .contains("cuda:77");
            assertThat(Cli.run("conformance", file.toString()).sentence()).contains("cuda:77");
            assertThat(eval("x + 1", "x=[1]", "--device", "cpu").out()).contains("[2]");
        } finally {
            spark.conf().unset("spark.broadloom.device");
            System.clearProperty("spark.broadloom.device");
        }
    }

    @Test
    void aMasterThatSparkDoesNotKnowIsRefused() {
        assertThat(eval("x", "x=[1]", "--master", "moon").sentence())
                .contains("'moon'")
                .contains("local[N]");
    }

    @Test
    void chunkBytesMustBeANumberOfBytes() {
        assertThat(eval("x", "x=[1]", "--chunk-bytes", "many").sentence())
                .contains("many")
                .contains("16MiB");
    }

    @Test
    void aNameGivenTwiceIsRefused() {
        assertThat(eval("x", "x=[1]", "--in", "x=[2]").sentence()).contains("x twice");
    }

    @Test
    void hillshadeRefusesWhatItCannotShade() {
        assertThat(Cli.run("hillshade", "--azimuths", "0").sentence()).contains("azimuths");
        assertThat(Cli.run("hillshade", "--altitude", "91").sentence()).contains("91");
        assertThat(Cli.run("hillshade", "--cell", "-3").sentence()).contains("--cell");
        assertThat(Cli.run(
                                "hillshade",
                                "--input",
                                Cli.data("face.npy"),
                                "--out",
                                folder.resolve("h").toString())
                        .sentence())
                .contains("[768, 1024, 3]");
        assertThat(folder.resolve("h")).doesNotExist();
    }

    @Test
    void conformanceNamesFileAndLine() throws IOException {
        Path file = Files.writeString(folder.resolve("v.jsonl"), "{\"kind\":\"fft\"}\n{\"kind\":\n");
        assertThat(Cli.run("conformance", file.toString()).sentence()).contains(file + ":2");
        assertThat(Cli.run("conformance", "no.jsonl").sentence())
                .isEqualTo("broadloom: Cannot open no.jsonl: there is no such file");
        assertThat(Cli.run("conformance", file.toString(), "--chunks", "3").sentence())
                .contains("--spark");
    }

    @Test
    void conformanceEndsWithItsCountsAndOneForAFailure() throws IOException {
        String good = "{\"kind\":\"can_cast\",\"from\":\"int64\",\"to\":\"float16\",\"expect\":true}\n";
        Path file = Files.writeString(
                folder.resolve("v.jsonl"), good + good.replace("true", "false").repeat(3));
        Cli run = Cli.run("conformance", file.toString(), "--limit", "2");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out().lines().filter(line -> line.startsWith("FAILED"))).hasSize(2);
        assertThat(run.out().strip()).endsWith("1 passed, 3 failed, 0 skipped");
    }

    private static Cli eval(String expression, String firstInput, String... more) {
        List<String> arguments = new ArrayList<>(List.of("eval", expression, "--in", firstInput));
        for (String argument : more) {
            if (argument.matches("[a-z]=.*")
                    && !arguments.get(arguments.size() - 1).startsWith("--")) {
                arguments.add("--in");
            }
            arguments.add(argument);
        }
        return Cli.run(arguments.toArray(String[]::new));
    }

    /** Where the caret stands under the expression, counted from the expression's first character. */
    private static int caretColumn(String message, String expression) {
        List<String> lines = message.lines().toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (lines.get(i).strip().equals(expression)) {
                assertThat(lines.get(i + 1).strip()).startsWith("^");
                return lines.get(i + 1).indexOf('^') - lines.get(i).indexOf(expression);
            }
        }
        throw new AssertionError("no line with the expression in: " + message);
    }

    private static List<String> filesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> !file.equals(folder))
                    .map(file -> folder.relativize(file).toString())
                    .toList();
        }
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
