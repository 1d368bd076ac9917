package io.github.broadloom.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensors;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar for spark-submit on a cluster of processes that have Spark alone. The build runs these tests after it has made the jar. */
@Tag("submit-jar")
@Tag("full") // a minute, most of it for the start of Spark's processes
class StandaloneClusterTest {
    @TempDir
    private static Path shared;

    private static StandaloneCluster cluster;
    private static Path jar;
    private static String sparkClassPath;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        jar = Path.of(System.getProperty("broadloom.test.jar", ""));
        assumeTrue(Files.isRegularFile(jar), "the jar for spark-submit is not built: run ./mvnw verify");
        sparkClassPath = Files.readString(Path.of("target", "class-path.provided"));
        cluster = new StandaloneCluster(sparkClassPath, shared);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (cluster != null) {
            cluster.close();
        }
    }

    private Cli submit(String input, String... arguments) throws IOException, InterruptedException {
        return cluster.submit(jar, folder, Files.writeString(folder.resolve("input"), input), arguments);
    }

    @Test
    void evalComputesOnTheExecutors() throws Exception {
        Path x = folder.resolve("x.npy");
        Path out = folder.resolve("out.npy");
        Npy.write(Tensors.arange(14).reshape(7, 2), x, WriteMode.CREATE);
        Cli run = submit(
                "",
                "eval",
                "(x - m) / 2",
                "--in",
                "x=" + x,
                "--in",
                "m=[1, 3]",
                "--chunk-bytes",
                "16",
                "--out",
                out.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("wrote " + out + ": float32 [7, 2]");
        assertThat(Npy.read(out)).hasToString("""
            tensor([[-0.5000, -1.0000],
                    [ 0.5000,  0.0000],
                    [ 1.5000,  1.0000],
                    [ 2.5000,  2.0000],
                    [ 3.5000,  3.0000],
                    [ 4.5000,  4.0000],
                    [ 5.5000,  5.0000]])\
            """);
    }

    @Test
    void theShellsClassesAndSqlReachTheExecutors() throws Exception {
        Cli shell = submit("""
            println("master " + sc.master + ", executors " + (sc.statusTracker.getExecutorInfos.length - 1))
            val x = loom.tensor(Tensors.of(1f, 2f, 3f, 4f, 5f, 6f, 7f).reshape(7, 1), 7)
            println("tensor " + (2 * x - x.mean(0)).reshape(7).collect())
            case class Cell(id: Int, values: Seq[Double])
            val k = 3
            val cells = sc.parallelize(1 to 3, 3).map(i => Cell(i, Seq(i, i * k))).toDS()
            cells.createOrReplaceTempView("cells")
            val sums = sql("SELECT tensor_eval('a * 2 + b', values, array(0.5, 1)) FROM cells ORDER BY id")
            println("sql " + sums.as[Seq[Double]].collect().mkString)
            """, "shell");
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains(
                        "master " + cluster.url() + ", executors 1\n",
                        "tensor tensor([-2.,  0.,  2.,  4.,  6.,  8., 10.])\n",
                        "sql List(2.5, 7.0)List(4.5, 13.0)List(6.5, 19.0)\n");
    }

    @Test
    void aClientOfSparkConnectReachesTheFunctionsAndFiles() throws Exception {
        Path connect = Path.of("target", "connect").toAbsolutePath();
        assumeTrue(
                Files.exists(connect),
                "the jars of Spark Connect are not there: run ./mvnw -Pfull verify without -Dconnect.skip");
        Path x = folder.resolve("x.npy");
        Npy.write(Tensors.arange(14).reshape(7, 2), x, WriteMode.CREATE);
        Path statements = Files.writeString(folder.resolve("statements.sql"), """
            SELECT tensor_eval('(x - m) / 2', array(id, 2 * id), array(1, 3)) FROM range(0, 3, 1, 3) ORDER BY id
            SELECT tensor_mean(array(double(id), id * id)) FROM range(0, 5, 1, 3)
            SELECT tensor_add(array(1, 2), array(id, id, id)) FROM range(1)
            SELECT tensor_add(array(id), 'three') FROM range(1)
            CREATE TEMPORARY VIEW x USING npy OPTIONS (path '%s', chunkBytes '16')
            SELECT value FROM x WHERE index BETWEEN 4 AND 5
            """.formatted(x));
        try (SparkProcesses server = new SparkProcesses()) {
            String address =
                    cluster.connect(server, jar, connect.resolve("server/*").toString());
            Cli client = connectClient(connect.resolve("client/*").toString(), address, statements);
            assertThat(client.exitCode()).as(client.err()).isZero();
            assertThat(client.out().lines())
                    .satisfiesExactly(
                            line -> assertThat(line).isEqualTo("[-0.5, -1.5]"),
                            line -> assertThat(line).isEqualTo("[0.0, -0.5]"),
                            line -> assertThat(line).isEqualTo("[0.5, 0.5]"),
                            line -> assertThat(line).isEqualTo("[2.0, 6.0]"),
                            line -> assertThat(line)
                                    .startsWith("refused: ")
                                    .contains("Cannot call tensor_add with input[2], other[3]: The size of tensor a (2)"
                                            + " must match the size of tensor b (3) at non-singleton dimension 0"),
                            line -> assertThat(line)
                                    .startsWith("refused: ")
                                    .contains("Cannot call tensor_add: other is STRING; give numbers"),
                            line -> assertThat(line).isEqualTo("[8, 9]"),
                            line -> assertThat(line).isEqualTo("[10, 11]"));
        }
    }

    /** The client's classes are Spark's API once more: they come first, and those of a classic session stay away. */
    private Cli connectClient(String clientClassPath, String address, Path statements)
            throws IOException, InterruptedException {
        Stream<String> libraries =
                Stream.of(sparkClassPath.split(File.pathSeparator)).filter(file -> !file.contains("spark-sql_"));
        String classPath = Stream.concat(Stream.of("target/test-classes", clientClassPath), libraries)
                .collect(Collectors.joining(File.pathSeparator));
        String mainClass = ConnectClient.class.getName();
        return ChildJvm.run(
                SparkProcesses.java(SparkProcesses.LOG, classPath, mainClass, List.of(address)), folder, statements);
    }
}
