package io.github.broadloom.tools;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Spark's standalone cluster: a master and a worker as processes of their own on ports that are free, with Spark's jars alone. What runs there has our classes from the jar
 * that is submitted.
 */
final class StandaloneCluster implements AutoCloseable {
    private static final Pattern STARTED = Pattern.compile("Starting Spark master at (spark://\\S+)");
    private static final Pattern REGISTERED = Pattern.compile("Successfully registered with master (spark://\\S+)");

    private final String sparkClassPath;
    private final SparkProcesses processes = new SparkProcesses();
    private final String url;

    /**
     * Starts it, and waits for its worker.
     *
     * @param sparkClassPath the jars of Spark
     * @param folder for what it writes
     */
    StandaloneCluster(String sparkClassPath, Path folder) throws Exception {
        this.sparkClassPath = sparkClassPath;
        try {
            List<String> local = List.of("--host", "127.0.0.1", "--webui-port", "0");
            url = start(STARTED, "Master", words(local, "--port", "0"));
            String work = folder.resolve("work").toString();
            start(REGISTERED, "Worker", words(local, "--cores", "2", "--memory", "1g", "--work-dir", work, url));
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    private String start(Pattern up, String role, List<String> arguments) throws Exception {
        String mainClass = "org.apache.spark.deploy." + role.toLowerCase(Locale.ROOT) + "." + role;
        return processes.start(up, sparkClassPath, mainClass, arguments);
    }

    /** What {@code --master} takes. */
    String url() {
        return url;
    }

    /**
     * Submits a program from that jar, and waits for its end.
     *
     * @param input what it reads
     */
    Cli submit(Path jar, Path folder, Path input, String... arguments) throws IOException, InterruptedException {
        List<String> words = words(application(sparkClassPath), jar.toString());
        words.addAll(List.of(arguments));
        return ChildJvm.run(
                SparkProcesses.java(SparkProcesses.LOG, sparkClassPath, SparkProcesses.SUBMIT, words), folder, input);
    }

    /**
     * Starts a server of Spark Connect on a free port, whose sessions have the functions of tensors, and waits until it listens.
     *
     * @param server what ends with it
     * @param jar the one with our classes
     * @param serverClassPath the server's own jars
     * @return where its clients reach it
     */
    String connect(SparkProcesses server, Path jar, String serverClassPath) throws Exception {
        String classPath = serverClassPath + File.pathSeparator + sparkClassPath;
        return server.connect(classPath, jar, application(classPath));
    }

    /** What every application on the cluster is submitted with. */
    private List<String> application(String classPath) {
        return List.of(
                "--master",
                url,
                "--conf",
                "spark.executor.memory=512m",
                "--conf",
                "spark.ui.enabled=false",
                "--conf",
                "spark.executor.extraClassPath=" + classPath,
                "--conf",
                "spark.executor.extraJavaOptions=" + String.join(" ", ChildJvm.QUICK_START));
    }

    private static List<String> words(List<String> first, String... more) {
        List<String> words = new ArrayList<>(first);
        words.addAll(List.of(more));
        return words;
    }

    /** Ends every process, and waits for that. */
    @Override
    public void close() throws InterruptedException {
        processes.close();
    }
}
