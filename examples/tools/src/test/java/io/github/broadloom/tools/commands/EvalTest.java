package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.Cli;
import io.github.broadloom.tools.console.Complaint;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The main job, end to end: files in, one expression on Spark, a file or a printed tensor out. */
class EvalTest {
    @TempDir
    Path folder;

    @Test
    void theRaccoonEqualsNumPysBitForBit() throws IOException {
        theRaccoonEqualsNumPys("local[2]");
    }

    @Test
    @Tag("full")
    void theRaccoonOfExecutorProcessesDoes() throws IOException {
        theRaccoonEqualsNumPys("local-cluster[2,1,1024]");
    }

    /** {@code numpy/make_expected.py} had NumPy compute the same. */
    private void theRaccoonEqualsNumPys(String master) throws IOException {
        JsonNode expected = expected();
        Path m = write("m.npy", floats(expected.get("m")));
        Path s = write("s.npy", floats(expected.get("s")));
        Path out = folder.resolve("y.npy");
        Cli run = Cli.run(
                "eval",
                "(x - m) / s",
                "--in",
                "x=" + Cli.data("face.npy"),
                "--in",
                "m=" + m,
                "--in",
                "s=" + s,
                "--out",
                out.toString(),
                "--master",
                master,
                "--chunk-bytes",
                "600k");
        assertThat(run.succeeds().out())
                .startsWith("wrote " + out + ": float32 [768, 1024, 3], 9.4 MB in ")
                .hasLineCount(1);

        Tensor y = Npy.read(out);
        assertThat(y.dtype()).isEqualTo(DType.FLOAT32);
        assertThat(y.shape()).hasToString("[768, 1024, 3]");
        for (int i = 0; i < expected.get("places").size(); i++) {
            JsonNode place = expected.get("places").get(i);
            assertThat(y.getDouble(
                            place.get(0).asLong(),
                            place.get(1).asLong(),
                            place.get(2).asLong()))
                    .isEqualTo(expected.get("values").get(i).doubleValue());
        }
        assertThat(sha256(y)).isEqualTo(expected.get("sha256").textValue());
    }

    @Test
    void withoutOutItPrintsAsPyTorchDoes() {
        Cli run = Cli.run(
                "eval",
                "x * n + m",
                "--in",
                "x=[[1,2],[3,4]]",
                "--in",
                "n=2",
                "--in",
                "m=[0.5,0.25]",
                "--master",
                "local[2]");
        assertThat(run.succeeds().out().strip()).isEqualTo("tensor([[2.5000, 4.2500],\n        [6.5000, 8.2500]])");
    }

    @Test
    void aNameThatTheExpressionLacksIsNoted() {
        Cli run = Cli.run(
                "eval", "exp(x) * 1e5", "--in", "x=[0]", "--in", "exp=2", "--in", "e5=3", "--master", "local[2]");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().strip()).isEqualTo("tensor([100000.])");
        assertThat(run.err().lines())
                .containsExactly(
                        "broadloom: note: the expression does not use exp",
                        "broadloom: note: the expression does not use e5");
    }

    @Test
    void severalExpressionsUseEachOtherAndAreWrittenTogether() throws IOException {
        Path x = write("x.npy", Tensors.of(1f, 2f, 3f, 6f));
        Path m = folder.resolve("made/m.npy");
        Path y = folder.resolve("y.npy");
        String[] command = {
            "eval", "m = mean(x)", "d = x - m", "y = d * d", "--in", "x=" + x, "--master", "local[2]", "--out", "m=" + m
        };
        Cli run = Cli.run(with(command, "--out", "y=" + y)).succeeds();
        assertThat(run.out().lines().toList())
                .hasSize(3)
                .startsWith("wrote " + m + ": float32 [], 4 bytes", "wrote " + y + ": float32 [4], 16 bytes")
                .last()
                .asString()
                .startsWith("2 results, 20 bytes in ");
        assertThat(run.err()).isEmpty();
        assertThat(Npy.read(m).values()).containsExactly(3.0);
        assertThat(Npy.read(y).values()).containsExactly(4.0, 1.0, 0.0, 9.0);

        assertThat(Cli.run(with(command, "--overwrite")).err().strip())
                .isEqualTo("broadloom: note: y is neither written nor used");
        assertThat(Cli.run("eval", "m = mean(x)", "lo = amin(x) - m", "hi = amax(x) - m", "--in", "x=" + x)
                        .succeeds()
                        .out()
                        .lines())
                .containsExactly("lo =", "tensor(-2.)", "hi =", "tensor(3.)");
        assertThat(Cli.run("eval", "m = mean(x)", "lo = amin(x) - m", "hi = m / 2", "--in", "x=" + x, "--explain")
                        .succeeds()
                        .out())
                .contains(" 1 job ")
                .contains("amin(x.npy), mean(x.npy)\n"); // of one pass
    }

    private static String[] with(String[] command, String... more) {
        return Stream.of(command, more).flatMap(Stream::of).toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x + 1 | y = x | --out | a.npy | Cannot tell what 'x + 1' is for: of several expressions each has a name, as in 'y = x - 1'",
                "y = x + 1 | y = x | --out | y=a.npy | Cannot give the name y twice: two expressions have it",
                "x = x + 1 | y = x | --out | y=a.npy | Cannot give the name x twice: it is an input",
                "y = x + 1 | z = x | --out | a.npy | Cannot tell what goes to a.npy: write --out NAME=FILE with one of y, z",
                "y = x + 1 | z = x | --out | w=a.npy | Cannot tell what goes to w=a.npy: write --out NAME=FILE with one of y, z",
            })
    void whatIsNotClearIsRefused(String first, String second, String option, String out, String sentence) {
        Cli run = Cli.run("eval", first, second, "--in", "x=[1,2]", option, out);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().strip()).isEqualTo("broadloom: " + sentence);
    }

    @Test
    void aNumberPromotesAsOneWrittenInTheExpression() throws IOException {
        Path x = write("x.npy", Tensors.of(1f, 2f).to(DType.FLOAT16));
        assertThat(Cli.run("eval", "x * n", "--in", "x=" + x, "--in", "n=0.1", "--master", "local[2]")
                        .succeeds()
                        .out()
                        .strip())
                .isEqualTo("tensor([0.1000, 0.2000], dtype=float16)");
    }

    @Test
    void aColumnIsAnInput() throws IOException {
        String file = folder.resolve("cells.json").toString();
        try (SparkSession session = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .getOrCreate()) {
            session.sql("select id, array(id * 0.5d, 1d) as v from range(0, 3, 1, 1)")
                    .write()
                    .json(file);
            assertThat(evaluated("v * 2", "v=" + file + ":v"))
                    .isEqualTo("tensor([[0., 2.],\n        [1., 2.],\n        [2., 2.]], dtype=float64)");
            session.read().json(file).createOrReplaceTempView("cells");
            assertThat(evaluated("n + 1", "n=table:cells.id")).isEqualTo("tensor([1, 2, 3])");
            for (String address : List.of("table:cells.w", file + ":w")) {
                Cli run = Cli.run("eval", "n", "--in", "n=" + address);
                assertThat(run.exitCode()).isEqualTo(2);
                assertThat(run.err().strip())
                        .isEqualTo("broadloom: Cannot read column w: "
                                + address.replaceFirst("table:(.*)\\.w|(.*):w", "$1$2") + " has id, v");
            }
        }
    }

    @Test
    void whatCannotBeWrittenLeavesNoFolder() throws IOException {
        Path x = write("x.npy", Tensors.of(7, 8));
        Path out = folder.resolve("made/for/y.npy");
        Cli run = Cli.run("eval", "x // z", "--in", "x=" + x, "--in", "z=[0]", "--out", out.toString());
        assertThat(run.exitCode()).as(run.err()).isNotZero();
        assertThat(folder.resolve("made")).doesNotExist();
    }

    /** Where Spark would not start. */
    @Test
    void whatIsSmallAltogetherNeedsNoSparkUnlessOneIsAskedFor() throws IOException {
        Path x = write("x.npy", Tensors.arange(6000).to(DType.FLOAT32));
        Path out = folder.resolve("made/y.npy");
        String[] command = {"eval", "x[1:4] * 2", "--in", "x=" + x, "--out", out.toString()};
        System.setProperty("spark.executor.memory", "1");
        try {
            assertThat(Cli.run(command).succeeds().out()).startsWith("wrote " + out + ": float32 [3], 12 bytes in ");
            assertThat(Npy.read(out).values()).containsExactly(2.0, 4.0, 6.0);
            assertThat(Cli.run(command).sentence()).isEqualTo("broadloom: " + Complaint.exists(out));
            for (String[] onSpark : List.of(
                    with(command, "--overwrite", "--master", "local[2]"),
                    with(command, "--overwrite", "--chunk-bytes", "8k"),
                    with(command, "--overwrite", "--explain"),
                    new String[] {"eval", "sum(x[:, None] - x)", "--in", "x=" + x}, // 144 MB on the way
                    new String[] {"eval", "x", "--in", "x=" + folder.resolve("*.npy")})) {
                assertThat(Cli.run(onSpark).err()).contains("Executor memory 1 must be at least");
            }
        } finally {
            System.clearProperty("spark.executor.memory");
        }
    }

    private static String evaluated(String expression, String input) {
        return Cli.run("eval", expression, "--in", input).succeeds().out().strip();
    }

    @Test
    void oneArrayOfAnArchiveIsAnInput() {
        String z = "z=" + Cli.data("jacksboro_fault_dem.npz") + ":elevation";
        // NumPy: int(z.astype(np.int64).sum()), z.min(), z.max()
        assertThat(Cli.run("eval", "amax(z) - amin(z)", "--in", z, "--master", "local[2]")
                        .succeeds()
                        .out()
                        .strip())
                .isEqualTo("tensor(840, dtype=int16)");
    }

    @Test
    void explainTellsThePlanAndComputesNothing() {
        Path out = folder.resolve("never.npy");
        String plan = Cli.run(
                        "eval",
                        "x - m",
                        "--in",
                        "x=" + Cli.data("face.npy"),
                        "--in",
                        "m=[1,2,3]",
                        "--explain",
                        "--master",
                        "local[2]")
                .succeeds()
                .out();
        assertThat(plan).contains("face.npy", "uint8 [768, 1024, 3]", "replicate", "1 job");
        assertThat(out).doesNotExist();
    }

    @Test
    void codeTellsThePlanWithTheJavaOfItsKernels() {
        String[] command = {"eval", "x * 2 - 1", "--in", "x=[1,2,3]", "--code", "--master", "local[2]"};
        assertThat(Cli.run(command).succeeds().out())
                .contains("kernel tile_", "implements TileKernel {", "kernel cache: ");
    }

    @Test
    void aFolderOfPartsIsWrittenAndReadAgain() {
        Path parts = folder.resolve("made/parts");
        String[] square = {"eval", "x * x", "--in", "x=[1,2,3,4]", "--out", parts.toString(), "--master", "local[2]"};
        assertThat(Cli.run(square).succeeds().out()).startsWith("wrote " + parts + ": int64 [4], 32 bytes in ");
        assertThat(Files.isDirectory(parts)).isTrue();
        assertThat(Cli.run("eval", "p + 1", "--in", "p=" + parts, "--master", "local[2]")
                        .succeeds()
                        .out()
                        .strip())
                .isEqualTo("tensor([ 2,  5, 10, 17])");
    }

    @Test
    void overwriteReplacesAnOutput() throws IOException {
        Path out = write("y.npy", Tensors.of(7L));
        Cli.run("eval", "x", "--in", "x=[1,2]", "--out", out.toString(), "--overwrite", "--master", "local[2]")
                .succeeds();
        assertThat(Npy.read(out).toLongArray()).containsExactly(1, 2);
    }

    @Test
    void aStandaloneMasterThatDoesNotAnswerIsToldAtOnce() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        Cli run = Cli.run("eval", "x", "--in", "x=[1]", "--master", "spark://127.0.0.1:" + closed);
        assertThat(run.sentence()).contains("Cannot reach Spark's master at spark://127.0.0.1:" + closed);
    }

    @Test
    void constantsNeedNoInput() {
        assertThat(Cli.run("eval", "2 ** 10 + 1", "--master", "local[2]")
                        .succeeds()
                        .out()
                        .strip())
                .isEqualTo("tensor(1025)");
    }

    private Path write(String name, Tensor tensor) throws IOException {
        Path file = folder.resolve(name);
        Npy.write(tensor, file, WriteMode.OVERWRITE);
        return file;
    }

    private static JsonNode expected() throws IOException {
        try (InputStream stream = EvalTest.class.getResourceAsStream("/numpy/raccoon.json")) {
            return new ObjectMapper().readTree(stream);
        }
    }

    private static Tensor floats(JsonNode list) {
        float[] values = new float[list.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = list.get(i).floatValue();
        }
        return Tensors.of(values);
    }

    private static String sha256(Tensor tensor) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * (int) tensor.numel()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(tensor.toFloatArray());
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
