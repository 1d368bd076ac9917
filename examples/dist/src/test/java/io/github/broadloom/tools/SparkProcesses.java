package io.github.broadloom.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Programs of Spark as processes of their own, which end with this object, and with this JVM. */
final class SparkProcesses implements AutoCloseable {
    /** What programs for people log, as the tools do. */
    static final Path LOG = Path.of(System.getProperty("log4j2.configurationFile", ""));

    static final String SUBMIT = "org.apache.spark.deploy.SparkSubmit";

    private static final Pattern CONNECT = Pattern.compile("Spark Connect server started at: (\\S+)");
    private static final long PATIENCE_SECONDS = 120;

    private final List<Process> processes = new ArrayList<>();
    private final Thread hook = new Thread(this::end, "spark-end");

    SparkProcesses() {
        Runtime.getRuntime().addShutdownHook(hook); // where the tests are interrupted
    }

    /** A program of Spark in a JVM with little memory, whose log goes where that file says. */
    static ProcessBuilder java(Path log, String classPath, String mainClass, List<String> arguments) {
        List<String> options = new ArrayList<>(ChildJvm.QUICK_START);
        options.add("-Xmx512m");
        options.add("-Dlog4j2.configurationFile=" + log);
        return ChildJvm.java(options, classPath, mainClass, arguments);
    }

    /**
     * Starts a program that serves, and waits until it logs that it is up.
     *
     * @param up what it logs then
     * @return the first group of that
     */
    String start(Pattern up, String classPath, String mainClass, List<String> arguments) throws Exception {
        Process process = java(
                        LOG.resolveSibling("dist/src/test/resources/cluster-log4j2.properties"),
                        classPath,
                        mainClass,
                        arguments)
                .redirectErrorStream(true)
                .start();
        processes.add(process);
        CompletableFuture<String> found = new CompletableFuture<>();
        Thread listener = new Thread(() -> listen(process, up, found), "spark-listener");
        listener.setDaemon(true);
        listener.start();
        return found.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Starts a server of Spark Connect on a free port, whose sessions have the functions of tensors, and waits until it listens.
     *
     * @param classPath the jars of Spark, and before them the server's own
     * @param jar the one with our classes
     * @param options of {@code spark-submit}
     * @return where its clients reach it
     */
    String connect(String classPath, Path jar, List<String> options) throws Exception {
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of(
                "--jars",
                jar.toString(),
                "--conf",
                "spark.sql.extensions=io.github.broadloom.sql.BroadloomExtensions",
                "--conf",
                "spark.connect.grpc.binding.address=127.0.0.1",
                "--conf",
                "spark.connect.grpc.binding.port=0",
                "--class",
                "org.apache.spark.sql.connect.service.SparkConnectServer",
                "spark-internal"));
        return "sc://" + start(CONNECT, classPath, SUBMIT, words);
    }

    /** Reads to the end, so that the program never waits for a reader. */
    private static void listen(Process process, Pattern up, CompletableFuture<String> found) {
        StringBuilder said = new StringBuilder();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = up.matcher(line);
                if (matcher.find()) {
                    found.complete(matcher.group(1));
                }
                if (!found.isDone()) {
                    said.append(line).append('\n');
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            found.completeExceptionally(new IllegalStateException("the program ended before it was up: " + said));
        }
    }

    private void end() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Ends every process, and waits for that. */
    @Override
    public void close() throws InterruptedException {
        end();
        for (Process process : processes) {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
