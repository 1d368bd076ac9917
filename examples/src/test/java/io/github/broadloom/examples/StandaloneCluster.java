package io.github.broadloom.examples;

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

/**
 * Spark's standalone cluster: a master and a worker as processes of their own on ports that are free, with Spark's jars alone. What runs there has our classes from the jar
 * that is submitted.
 */
final class StandaloneCluster implements AutoCloseable {
    private static final Pattern STARTED = Pattern.compile("Starting Spark master at (spark://\\S+)");
    private static final Pattern REGISTERED = Pattern.compile("Registering worker \\S+ with");
    private static final long PATIENCE_SECONDS = 120;

    private final String sparkClassPath;
    private final List<Process> processes = new ArrayList<>();
    private final CompletableFuture<String> started = new CompletableFuture<>();
    private final CompletableFuture<String> registered = new CompletableFuture<>();
    private final Thread hook = new Thread(this::end, "cluster-end");

    /**
     * Starts it, and waits for its worker.
     *
     * @param sparkClassPath the jars of Spark
     * @param folder for what it writes
     */
    StandaloneCluster(String sparkClassPath, Path folder) throws Exception {
        this.sparkClassPath = sparkClassPath;
        Runtime.getRuntime().addShutdownHook(hook); // where the tests are interrupted
        try {
            Process master = start("master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0");
            Thread listener = new Thread(() -> listen(master), "cluster-master");
            listener.setDaemon(true);
            listener.start();
            started.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            start(
                    "worker.Worker",
                    "--host",
                    "127.0.0.1",
                    "--webui-port",
                    "0",
                    "--cores",
                    "2",
                    "--memory",
                    "1g",
                    "--work-dir",
                    folder.resolve("work").toString(),
                    url());
            registered.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    /** What {@code --master} takes. */
    String url() {
        return started.join();
    }

    /**
     * Submits a program from that jar, and waits for its end.
     *
     * @param input what it reads
     */
    Cli submit(Path jar, Path folder, Path input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("SparkSubmit", "--master", url()));
        command.addAll(List.of("--conf", "spark.executor.memory=512m", "--conf", "spark.ui.enabled=false"));
        command.addAll(List.of("--conf", "spark.executor.extraClassPath=" + sparkClassPath));
        command.add(jar.toString());
        command.addAll(List.of(arguments));
        return ChildJvm.run(java("log4j2.properties", command), folder, input);
    }

    private Process start(String... command) throws IOException {
        Process process = java("src/test/resources/cluster-log4j2.properties", List.of(command))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        processes.add(process);
        return process;
    }

    private ProcessBuilder java(String log, List<String> command) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-Xmx512m", "@jvm-flags.txt", "-Dlog4j2.configurationFile=" + log));
        words.addAll(List.of("-cp", sparkClassPath));
        words.add("org.apache.spark.deploy." + command.get(0));
        words.addAll(command.subList(1, command.size()));
        return new ProcessBuilder(words);
    }

    /** Reads to the end, so that the master never waits for a reader. */
    private void listen(Process master) {
        try (BufferedReader lines = master.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher address = STARTED.matcher(line);
                if (address.find()) {
                    started.complete(address.group(1));
                }
                if (REGISTERED.matcher(line).find()) {
                    registered.complete(line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            started.completeExceptionally(new IllegalStateException("the master ended before it was up"));
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
