package io.github.broadloom.spark;

import io.github.broadloom.tensor.Memory;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils$;
import scala.Option;

/**
 * What the master {@code local-cluster[3,1,1024]} starts: three executors of one core in processes of their own, or others of several cores and with GPUs. But each has an
 * address of its own where the machine has several, because Spark never runs the duplicate of a slow task on the host of the first.
 */
final class Cluster implements AutoCloseable {
    static final int EXECUTORS = 3;
    private static final int MEGABYTES = 1024;
    private static final String DRIVER_HOST = "127.0.0.1";

    private static final int PATIENCE_MILLIS = 60_000;
    private static final int POLL_MILLIS = 10;
    private static final int COLLECT_MILLIS = 300;
    /** How often an executor collects its garbage before it says what it holds. */
    private static final int COLLECTIONS = 2;

    private final Set<ProcessHandle> others = processes();
    private final Path folder;
    private final String url;
    private final int cores;
    private SparkSession session;
    private final RpcEnv master;
    private final List<RpcEnv> workers = new ArrayList<>();

    /**
     * @param folder for what the executors keep on disk
     * @param settings names and values in turn
     */
    Cluster(Path folder, String... settings) {
        this(folder, Collections.nCopies(EXECUTORS, new Resources(1, List.of())), settings);
    }

    /**
     * What a worker has for its one executor.
     *
     * @param gpus the addresses that a discovery script gives
     */
    record Resources(int cores, List<Integer> gpus) {}

    /** Executors with what each has. */
    Cluster(Path folder, List<Resources> executors, String... settings) {
        LocalSpark.stop();
        Utils$.MODULE$.clearLocalRootDirs(); // those of the session before
        this.folder = folder;
        this.cores = executors.stream().mapToInt(Resources::cores).sum();
        SparkConf conf = new SparkConf()
                .set("spark.local.dir", folder.resolve("local").toString())
                .set("spark.shuffle.service.enabled", "false")
                .set("spark.master.rest.enabled", "false")
                .set("spark.deploy.maxExecutorRetries", "-1"); // tests kill as many as they like
        master = (RpcEnv) Master.startRpcEnvAndEndpoint(DRIVER_HOST, 0, 0, conf)._1();
        url = "spark://" + DRIVER_HOST + ":" + master.address().port();
        for (int i = 1; i <= executors.size(); i++) {
            workers.add(worker(i, executors.get(i - 1), conf));
        }
        session = session(settings);
        context().setLogLevel("OFF"); // who kills executors knows what Spark says of it
    }

    private RpcEnv worker(int number, Resources resources, SparkConf conf) {
        String work = folder.resolve("work").toString();
        return Worker.startRpcEnvAndEndpoint(
                host(number),
                0,
                0,
                resources.cores,
                MEGABYTES,
                new String[] {url},
                work,
                Option.apply(number),
                withGpus(number, resources.gpus, conf),
                Option.empty());
    }

    private SparkConf withGpus(int number, List<Integer> gpus, SparkConf conf) {
        if (gpus.isEmpty()) {
            return conf;
        }
        String addresses = gpus.stream().map(gpu -> "\"" + gpu + "\"").collect(Collectors.joining(", "));
        Path script = folder.resolve("gpus-of-" + number + ".sh");
        try {
            Files.writeString(script, "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": [" + addresses + "]}'\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!script.toFile().setExecutable(true)) {
            throw new IllegalStateException("Cannot make a script executable: " + script);
        }
        return conf.clone()
                .set("spark.worker.resource.gpu.amount", String.valueOf(gpus.size()))
                .set("spark.worker.resource.gpu.discoveryScript", script.toString());
    }

    /** Ends the application and starts another one, with executors of its own. */
    void restart(String... settings) {
        session.stop();
        session = session(settings);
        context().setLogLevel("OFF");
    }

    private SparkSession session(String... settings) {
        SparkSession.Builder builder = SparkSession.builder()
                .master(url)
                .appName("broadloom cluster")
                .config("spark.ui.enabled", false)
                .config("spark.ui.showConsoleProgress", false)
                .config("spark.driver.host", DRIVER_HOST)
                .config("spark.cores.max", cores) // of which all are awaited
                .config("spark.scheduler.minRegisteredResourcesRatio", 1)
                .config("spark.shuffle.io.retryWait", "100ms") // who does not answer here was killed
                .config("spark.executor.extraClassPath", ExecutorClasses.CLASS_PATH)
                .config("spark.executor.extraJavaOptions", ExecutorClasses.OPTIONS);
        for (int i = 0; i < settings.length; i += 2) {
            builder.config(settings[i], settings[i + 1]);
        }
        SparkSession started = builder.getOrCreate();
        await(
                "executors",
                () -> executors(started) == workers.size()); // Spark waits for their cores, not for their blocks
        return started;
    }

    /** Whether the executors have addresses of their own. */
    static boolean hasHosts() {
        return !host(2).equals(host(1));
    }

    private static String host(int number) {
        String own = "127.0.0." + number;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName(own))) {
            return probe.isBound() ? own : DRIVER_HOST;
        } catch (IOException notHere) {
            return DRIVER_HOST;
        }
    }

    SparkSession session() {
        return session;
    }

    SparkContext context() {
        return session.sparkContext();
    }

    Broadloom broadloom() {
        return Broadloom.on(session);
    }

    int executors() {
        return executors(session);
    }

    private static int executors(SparkSession session) {
        return session.sparkContext().getExecutorMemoryStatus().size() - 1; // this JVM is among them
    }

    /**
     * Collects the garbage of all JVMs until no executor holds off-heap memory. What this JVM refers to, executors may hold: Spark drops broadcast
     * variables when their handles are collected here. No task waits for that: one that did would be a slow one, of which Spark tries a duplicate in another
     * executor and takes its answer.
     *
     * @return for each executor an empty text, or what is held in it, for whom
     */
    List<String> held() throws IOException {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
        List<String> held = ask(Cluster::heldHere);
        while (!held.stream().allMatch(String::isEmpty) && System.nanoTime() < deadline) {
            System.gc();
            held = ask(Cluster::heldHere);
        }
        return held;
    }

    /** Something to be called in another JVM. */
    interface Question<T> extends Callable<T>, Serializable {}

    /** What each executor answers. Meanwhile garbage is collected here, where handles of what executors hold may be. */
    <T> List<T> ask(Question<T> question) throws IOException {
        int executors = executors();
        String meeting = Files.createDirectory(folder.resolve("asked-" + System.nanoTime()))
                .toString();
        JavaFutureAction<List<T>> answers = JavaSparkContext.fromSparkContext(context())
                .parallelize(Collections.nCopies(executors, 0), executors)
                .map(nothing -> {
                    meet(Path.of(meeting), executors);
                    return question.call();
                })
                .collectAsync();
        try {
            while (true) {
                System.gc();
                try {
                    return answers.get(COLLECT_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    continue; // in vain, where the executors give up
                }
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("The executors do not answer", e);
        }
    }

    /** Whether Spark has not heard of the end of an executor. */
    boolean hasExecutor(String id) {
        return context().getExecutorIds().contains(id);
    }

    /**
     * An executor.
     *
     * @param held what it holds, for whom, if anything
     */
    record Executor(String id, long pid, String held) implements Serializable {
        /** Where this is called. */
        static Executor here() {
            return new Executor(
                    SparkEnv.get().executorId(), ProcessHandle.current().pid(), heldHere());
        }
    }

    /** Collects the garbage of this JVM until there is nothing of a kind left, or patience is. */
    static List<String> eventuallyEmpty(Supplier<List<String>> left) {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
        List<String> seen = left.get();
        while (!seen.isEmpty() && System.nanoTime() < deadline) {
            System.gc();
            seen = left.get();
        }
        return seen;
    }

    private static String heldHere() {
        for (int i = 0; i < COLLECTIONS && Memory.allocatedBytes() > 0; i++) {
            Memory.collectGarbage();
        }
        long bytes = Memory.allocatedBytes();
        return bytes == 0
                ? ""
                : bytes + " bytes in executor " + SparkEnv.get().executorId() + ", where Spark keeps "
                        + SparkEnv.get().blockManager().getMatchingBlockIds(id -> true);
    }

    /** Returns when that many tasks have come here: with one core for each, no executor has two of them. */
    private static void meet(Path meeting, int executors) throws IOException {
        Files.writeString(meeting.resolve(String.valueOf(ProcessHandle.current().pid())), "");
        await("a task in each executor", () -> count(meeting) == executors);
    }

    private static long count(Path folder) {
        try (var files = Files.list(folder)) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Polls: what is awaited happens in other processes. */
    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("Waited in vain for " + what);
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while waiting for " + what, e);
            }
        }
    }

    @Override
    public void close() {
        context().setLogLevel("WARN");
        session.stop();
        workers.forEach(RpcEnv::shutdown);
        workers.forEach(RpcEnv::awaitTermination);
        master.shutdown();
        master.awaitTermination();
        Utils$.MODULE$.clearLocalRootDirs();
        // Their folders can be deleted when they are gone.
        processes().stream()
                .filter(process -> !others.contains(process))
                .forEach(process -> process.onExit().join());
    }

    /** What this JVM started, the executors among it. */
    private static Set<ProcessHandle> processes() {
        return ProcessHandle.current().children().collect(Collectors.toSet());
    }
}
