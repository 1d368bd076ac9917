package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.exec.Failures;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.testkit.random.Property;
import io.github.broadloom.testkit.random.RandomTensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BroadcastBlockId;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Programs of random seeds on one cluster, where something goes wrong at a random moment: each ends with the right bits or with one sentence, and leaves nothing behind.
 */
final class Chaos implements AutoCloseable {
    static final String GROUP = "chaos";
    private static final int PATIENCE_SECONDS = 120;
    private static final int MOST_TASKS = 6;
    private static final int MOST_MILLIS = 40;
    private static final int MOST_LOOKS = 4;

    /** What is counted of programs. */
    private static final int RIGHT = 0;

    private static final int SENTENCE = 1;
    private static final int STRUCK = 2;
    private static final Pattern BLOCK_FILE = Pattern.compile("(shuffle|rdd|broadcast|taskresult)_.*");
    /** What a sentence for a user does not have. */
    private static final Pattern CHECKPOINT = Pattern.compile("/rdd-\\d+");

    private static final Pattern NO_SENTENCE =
            Pattern.compile("\n|Exception|Job aborted|Lost task|\\bnull\\b|\\b(java|scala|org\\.apache)\\.");

    private final Path folder;
    private final Faults faults;
    /** Where executors and driver keep blocks. */
    private final Optional<SmallDisk> disk;

    private final Cluster cluster;
    private final AtomicInteger tasks = new AtomicInteger();
    private final Map<ChaosFault, int[]> outcomes = new EnumMap<>(ChaosFault.class);
    private final Map<String, Integer> sentences = new TreeMap<>();
    private List<Cluster.Executor> executors = List.of();
    private Thread driver = Thread.currentThread();

    Chaos(Path folder, String... settings) throws IOException {
        this.folder = folder;
        disk = SmallDisk.at(folder.resolve("local"));
        faults = new Faults(folder.resolve("orders"));
        String[] own = {
            "spark.speculation", "true",
            "spark.speculation.interval", "50ms",
            "spark.speculation.quantile", "0.5",
            "spark.cleaner.referenceTracking.cleanCheckpoints", "true",
            "spark.local.dir", folder.resolve("local").toString()
        };
        cluster = new Cluster(
                folder,
                Stream.of(faults.settings(), own, settings).flatMap(Stream::of).toArray(String[]::new));
        cluster.context().setCheckpointDir("remote://" + checkpoints());
        cluster.context().addSparkListener(new SparkListener() {
            @Override
            public void onTaskStart(SparkListenerTaskStart start) {
                tasks.incrementAndGet();
            }
        });
        executors = cluster.ask(Cluster.Executor::here);
    }

    private Path checkpoints() {
        return folder.resolve("checkpoints");
    }

    Cluster cluster() {
        return cluster;
    }

    Faults faults() {
        return faults;
    }

    SmallDisk disk() {
        return disk.orElseThrow();
    }

    /** Whether that fault can be had here. */
    boolean has(ChaosFault fault) {
        return fault != ChaosFault.DISK || disk.isPresent();
    }

    /** The thread of the program. */
    Thread driver() {
        return driver;
    }

    /** As they were before the program. */
    List<Cluster.Executor> executors() {
        return executors;
    }

    /** What executors keep on disk. */
    List<Path> blockFiles() {
        try (Stream<Path> files = Files.walk(folder.resolve("local"))) {
            return files.filter(file ->
                            BLOCK_FILE.matcher(file.getFileName().toString()).matches())
                    .toList();
        } catch (UncheckedIOException | IOException e) {
            return List.of(); // files come and go
        }
    }

    static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the programs of these seeds, one after the other, while faults of a kind strike, and then looks for what they left. */
    void run(ChaosFault fault, long... seeds) throws Exception {
        for (long seed : seeds) {
            run(fault, seed);
        }
        assertThat(leftovers())
                .as("what was left by %s during one of the programs %s", fault, Arrays.toString(seeds))
                .isEmpty();
    }

    private void run(ChaosFault fault, long seed) throws Exception {
        ChaosProgram program =
                new ChaosProgram(seed, cluster.broadloom(), folder.resolve("program"), fault.isOfDisks());
        try {
            awaitExecutors();
            check(seed, fault, program);
        } catch (AssertionError | Exception e) {
            throw new AssertionError(
                    "with seed " + seed + " (run again with -D" + Property.SEED + "=" + seed + "), " + fault
                            + " during " + program + ": " + e.getMessage(),
                    e);
        } finally {
            faults.clear();
            if (disk.isPresent()) {
                disk.get().empty();
            }
            program.end();
        }
    }

    /** Choices of a seed: neighbouring seeds of Java's generator begin alike. */
    static RandomTensors choices(long seed, long of) {
        return new RandomTensors(new SplittableRandom(2 * seed + of).nextLong());
    }

    private void awaitExecutors() throws IOException {
        Cluster.await("executors", () -> cluster.executors() == Cluster.EXECUTORS);
        if (!executors.stream().allMatch(known -> cluster.hasExecutor(known.id()))) {
            executors = cluster.ask(Cluster.Executor::here);
        }
    }

    private void check(long seed, ChaosFault fault, ChaosProgram program) throws Exception {
        Tensor expected = program.expected();
        RandomTensors choices = choices(seed, 1);
        fault.order(faults, choices);
        Strike strike = new Strike(fault, choices);
        CompletableFuture<Outcome> running = begin(program, strike);
        CompletableFuture<Void> striking = CompletableFuture.runAsync(() -> {
            try {
                strike.atItsMoment();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            Outcome outcome = running.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (outcome.failure == null) {
                assertSame(outcome.value, expected);
                count(fault, RIGHT);
            } else {
                String sentence = requireSentence(outcome.failure);
                count(fault, SENTENCE);
                sentences.merge(sentence.replaceAll("[0-9a-f-]{30,}|\\d+|(/[^ :/]+)+", "N"), 1, Integer::sum);
            }
        } catch (TimeoutException e) {
            AssertionError late = new AssertionError("does not end");
            late.setStackTrace(driver.getStackTrace());
            throw late;
        } finally {
            faults.goOn();
            striking.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** The end of a program: one of both. */
    private record Outcome(@Nullable Tensor value, @Nullable Throwable failure) {}

    /** When a fault strikes: when so many tasks have begun, and a moment later, or when so many times the program has paused; at last when it is over. */
    private final class Strike {
        private final ChaosFault fault;
        private final RandomTensors choices;
        private final boolean paused;
        private final int firstTask;
        private final int millis;
        private final AtomicInteger pauses;
        private volatile boolean over;

        Strike(ChaosFault fault, RandomTensors choices) {
            this.fault = fault;
            this.choices = choices;
            paused = !fault.isOrdered() && choices.below(2) == 0;
            pauses = new AtomicInteger(paused ? 1 + choices.below(2) : 0);
            firstTask = fault.isOrdered() ? 0 : choices.below(MOST_TASKS);
            millis = paused ? 0 : choices.below(MOST_MILLIS);
        }

        void atItsMoment() throws IOException {
            while (!over && (paused ? pauses.get() > 0 : tasks.get() < firstTask)) {
                sleep(1);
            }
            if (!paused || pauses.get() > 0) {
                sleep(millis);
                strike(() -> over);
            }
            while (!over) {
                faults.goOn(); // a task may begin to hang only now
                sleep(MOST_MILLIS);
            }
        }

        void pause() {
            if (pauses.getAndDecrement() == 1) {
                AtomicInteger looks = new AtomicInteger();
                strike(() -> looks.incrementAndGet() > MOST_LOOKS);
            }
        }

        private void strike(BooleanSupplier enough) {
            try {
                if (fault.strike(Chaos.this, choices, enough) > 0) {
                    count(fault, STRUCK);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private synchronized void count(ChaosFault fault, int which) {
        outcomes.computeIfAbsent(fault, any -> new int[3])[which]++;
    }

    private CompletableFuture<Outcome> begin(ChaosProgram program, Strike strike) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        tasks.set(0);
        driver = new Thread(
                () -> {
                    Outcome end;
                    try {
                        cluster.context().setJobGroup(GROUP, "chaos", false);
                        end = new Outcome(program.run(strike::pause), null);
                    } catch (Throwable failure) {
                        end = new Outcome(null, failure);
                    }
                    strike.over = true;
                    outcome.complete(end);
                },
                "chaos");
        driver.setDaemon(true);
        driver.start();
        return outcome;
    }

    private static void assertSame(Tensor got, Tensor expected) {
        assertThat(got.dtype()).isEqualTo(expected.dtype());
        assertThat(got.shape()).isEqualTo(expected.shape());
        if (!Arrays.equals(Bits.of(got), Bits.of(expected))) {
            assertThat(got.values()).isEqualTo(expected.values()); // NaN is one value
        }
    }

    /** What a user is told, where Spark's own actions throw it: by its cause. */
    private static String requireSentence(Throwable failure) {
        String sentence = failure instanceof IOException || failure instanceof RuntimeException
                ? String.valueOf(failure.getMessage())
                : Failures.sentence(failure);
        if (!sentence.startsWith("Cannot ") || NO_SENTENCE.matcher(sentence).find()) {
            throw new AssertionError("is no sentence: " + sentence, failure);
        }
        return sentence;
    }

    /** What programs that are over have left, everywhere. */
    private List<String> leftovers() throws IOException {
        List<String> left = new ArrayList<>();
        awaitExecutors();
        left.addAll(Cluster.eventuallyEmpty(this::persisted));
        left.addAll(Cluster.eventuallyEmpty(this::blocks));
        left.addAll(Cluster.eventuallyEmpty(this::checkpointFiles));
        executors = cluster.ask(Cluster.Executor::here);
        for (Cluster.Executor executor : executors) {
            if (!executor.held().isEmpty()) {
                left.add(executor.held());
            }
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!thread.isDaemon() && thread.getName().startsWith("broadloom")) {
                left.add("thread " + thread.getName());
            }
        }
        return left;
    }

    private List<String> persisted() {
        return CollectionConverters.asJava(cluster.context().getPersistentRDDs()).values().stream()
                .map(Object::toString)
                .toList();
    }

    /** Without those of one broadcast variable: an application that has read a file keeps the configuration of file systems. */
    private List<String> blocks() {
        List<BlockId> blocks = CollectionConverters.asJava(
                SparkEnv.get().blockManager().master().getMatchingBlockIds(new ChaosFault.AnyBlock(), true));
        long broadcasts = blocks.stream()
                .filter(BlockId::isBroadcast)
                .map(Chaos::broadcast)
                .distinct()
                .count();
        return blocks.stream()
                .filter(block -> !block.isBroadcast() || broadcasts > 1)
                .map(Object::toString)
                .toList();
    }

    private static long broadcast(BlockId block) {
        return ((BroadcastBlockId) block).broadcastId();
    }

    private List<String> checkpointFiles() {
        try (Stream<Path> files = Files.walk(checkpoints())) {
            return files.map(Path::toString).filter(CHECKPOINT.asPredicate()).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (UncheckedIOException | IOException e) {
            return List.of(e.toString()); // files go while we look
        }
    }

    /** How often which fault had which end. */
    String summary() {
        StringBuilder out = new StringBuilder();
        outcomes.forEach((fault, counts) -> out.append(fault + ": " + counts[RIGHT] + " right, " + counts[SENTENCE]
                + " with a sentence; struck " + counts[STRUCK] + "\n"));
        sentences.forEach((sentence, times) -> out.append("  " + times + " × " + sentence + "\n"));
        return out.toString();
    }

    @Override
    public void close() {
        cluster.close();
        disk.ifPresent(SmallDisk::close);
    }
}
