package io.github.broadloom.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.Python;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Python package on a PySpark that is made of Spark's own {@code python} folder, which {@code -Dbroadloom.pyspark} names, and of the jars that this build
 * has.
 */
@Tag("submit-jar")
@Tag("full")
class PySparkTest {
    private static final Path PACKAGE =
            Path.of("../../spark-ext/python").toAbsolutePath().normalize();

    /** What Spark's script does, where its {@code bin} is not at hand. */
    private static final String SUBMIT = """
            #!/bin/sh
            exec "%s" "@%s" -cp "%s" org.apache.spark.deploy.SparkSubmit "$@"
            """;

    @TempDir
    private static Path home;

    private static Path jar;
    private static Path pyspark;

    @TempDir
    private Path folder;

    @BeforeAll
    static void assemble() throws Exception {
        pyspark = Path.of(System.getProperty("broadloom.pyspark", "")).toAbsolutePath();
        assumeTrue(
                Files.exists(pyspark.resolve("pyspark/sql")),
                "no PySpark is at hand: -Dbroadloom.pyspark names Spark's python folder");
        jar = Path.of(System.getProperty("broadloom.test.jar", ""));
        assumeTrue(Files.isRegularFile(jar), "the jar for spark-submit is not built: run ./mvnw verify");
        for (String module : List.of("numpy", "pytest")) {
            Python.assumeHas(module);
        }
        Path submit = Files.createDirectory(home.resolve("bin")).resolve("spark-submit");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Files.writeString(submit, SUBMIT.formatted(java, ChildJvm.JVM_FLAGS, sparkClassPath()));
        assertThat(submit.toFile().setExecutable(true)).isTrue();
    }

    /** Tensors, functions of columns, and the lines of docs/guide/pyspark.md. */
    @Test
    void theTestsOfThePackagePass() throws Exception {
        testsPass(Map.of());
    }

    /** The same tests, in a client without a JVM. */
    @Test
    void theTestsOfThePackagePassOnSparkConnect() throws Exception {
        Path connect = Path.of("target", "connect", "server").toAbsolutePath();
        assumeTrue(
                Files.exists(connect),
                "the jars of Spark Connect are not there: run ./mvnw -Pfull verify without -Dconnect.skip");
        for (String module : List.of("grpc", "grpc_status", "google.rpc", "pandas", "pyarrow", "zstandard")) {
            Python.assumeHas(module);
        }
        try (SparkProcesses server = new SparkProcesses()) {
            String classPath = connect + "/*" + File.pathSeparator + sparkClassPath();
            List<String> options = List.of("--master", "local[2]", "--conf", "spark.ui.enabled=false");
            testsPass(Map.of("SPARK_REMOTE", server.connect(classPath, jar, options)));
        }
    }

    private void testsPass(Map<String, String> environment) throws Exception {
        Cli run = run(
                environment, Python.INTERPRETER, "-m", "pytest", "-q", "-p", "no:cacheprovider", PACKAGE + "/tests");
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    }

    private static String sparkClassPath() throws IOException {
        return Files.readString(Path.of("target/class-path.provided")).strip();
    }

    @Test
    void sparkSubmitRunsAScript() throws Exception {
        Path script = Files.writeString(folder.resolve("script.py"), """
                import numpy as np
                from broadloom import Broadloom, functions
                from pyspark.sql import SparkSession

                spark = SparkSession.builder.getOrCreate()
                x = Broadloom.on(spark).tensor(np.arange(6).reshape(3, 2), chunks=3)
                print((x - np.array([1, 2])).tolist())
                print(spark.range(1).select(functions.add("id", 2).alias("sum")).first().sum)
                """);
        Cli run = run(
                home.resolve("bin/spark-submit").toString(),
                "--master",
                "local[2]",
                "--jars",
                jar.toString(),
                "--conf",
                "spark.sql.extensions=io.github.broadloom.sql.BroadloomExtensions",
                script.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("[[-1, -1], [1, 1], [3, 3]]\n2\n");
    }

    @Test
    void aScriptWithoutTheJarIsToldSo() throws Exception {
        Path script = Files.writeString(folder.resolve("script.py"), """
                from broadloom import Broadloom
                from pyspark.sql import SparkSession

                try:
                    Broadloom.on(SparkSession.builder.config("spark.jars", "%s").getOrCreate())
                except RuntimeError as failure:
                    print(failure)
                """.formatted(jar));
        Cli run = run(home.resolve("bin/spark-submit").toString(), "--master", "local[1]", script.toString());
        assertThat(run.out())
                .startsWith("Cannot find Broadloom in the JVM of this session; give its jar when the JVM starts");
    }

    private Cli run(String... command) throws IOException, InterruptedException {
        return run(Map.of(), command);
    }

    private Cli run(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        ProcessBuilder program = new ProcessBuilder(new ArrayList<>(List.of(command)));
        String py4j;
        try (Stream<Path> archives = Files.list(pyspark.resolve("lib"))) {
            py4j = archives.map(Path::toString)
                    .filter(name -> name.endsWith("-src.zip"))
                    .collect(Collectors.joining(":"));
        }
        program.environment()
                .putAll(Map.of(
                        "SPARK_HOME",
                        home.toString(),
                        "SPARK_LOCAL_IP",
                        "127.0.0.1",
                        "PYTHONPATH",
                        String.join(File.pathSeparator, PACKAGE + "/src", pyspark.toString(), py4j),
                        "PYTHONDONTWRITEBYTECODE",
                        "1",
                        "PYSPARK_PYTHON",
                        Python.INTERPRETER,
                        "BROADLOOM_JAR",
                        jar.toString()));
        program.environment().putAll(environment);
        return ChildJvm.run(program, folder, Files.createFile(folder.resolve("input")));
    }
}
