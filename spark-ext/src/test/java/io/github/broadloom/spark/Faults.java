package io.github.broadloom.spark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What goes wrong in the tasks of a test. It happens where a task reads the middle of a file {@code faulty:}, so that other tasks are done, others wait,
 * and this one holds memory. The test and the tasks, in whatever process, share a folder of orders: the task that deletes an order carries it out.
 */
final class Faults {
    private static final String FAIL = "fail-";
    private static final String KILL = "kill";
    private static final String HANG = "hang";
    private static final String HANG_ALL = "hang-all";
    private static final String LOSE = "lose";
    private static final String LAG = "lag";
    private static final String RENAME = "rename-";
    private static final String PROCESS = "process";
    /** There is this file as long as the task hangs. */
    private static final String HANGING = "hanging";

    private static final int POLL_MILLIS = 10;

    private final Path orders;

    Faults(Path orders) throws IOException {
        this.orders = Files.createDirectory(orders);
    }

    /** What Spark has to know: names and values in turn. */
    String[] settings() {
        return new String[] {
            "spark.hadoop.fs.remote.impl",
            RemoteFileSystem.class.getName(),
            "spark.hadoop.fs.faulty.impl",
            FaultyFileSystem.class.getName(),
            "spark.hadoop." + FaultyFileSystem.ORDERS,
            orders.toString()
        };
    }

    /** The name under which reading a file goes wrong, where it is told to. */
    static String path(Path file) {
        return "faulty://" + file.toAbsolutePath();
    }

    /** The next {@code times} tasks fail, of which each but the first is the same task, tried again. */
    void fail(int times) {
        for (int i = 0; i < times; i++) {
            order(FAIL + i);
        }
    }

    /** The next task waits until its process is killed, by the number that it tells. The result completes when the process is gone. */
    CompletableFuture<Long> kill() {
        order(KILL);
        return CompletableFuture.supplyAsync(() -> {
            Cluster.await("a task to kill", () -> Files.exists(orders.resolve(PROCESS)));
            try {
                long id = Long.parseLong(Files.readString(orders.resolve(PROCESS)));
                Files.delete(orders.resolve(PROCESS));
                ProcessHandle process = ProcessHandle.of(id).orElseThrow();
                process.destroyForcibly();
                process.onExit().join();
                return id;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** The next task waits, even where it is interrupted, until {@link #goOn}. */
    void hang() {
        order(HANG);
    }

    /** Every task waits, even where it is interrupted, until {@link #goOn}. */
    void hangAll() {
        order(HANG_ALL);
    }

    /** Returns when a task waits. */
    void awaitHanging() {
        Cluster.await("a task that hangs", () -> Files.exists(orders.resolve(HANGING)));
    }

    /** Lets the tasks that hang go on. */
    void goOn() throws IOException {
        Files.deleteIfExists(orders.resolve(HANG_ALL));
        Files.deleteIfExists(orders.resolve(HANGING));
    }

    /** The next task deletes the shuffle files of its executor, as a broken disk would, if it has some. */
    void loseShuffleFiles() {
        order(LOSE);
    }

    /** What becomes of a renaming in a file system that is far. */
    enum Renaming {
        DONE,
        /** It says that it is done, and nothing is. */
        LOST,
        /** It says that it is done, and it is a moment later. */
        LATE,
        /** It is done, and who asked for it does not learn that. */
        ANSWER_LOST,
        REFUSED,
        COPIED,
        /** The first files of a folder are. */
        HALF_COPIED
    }

    /** Who renames. */
    enum Who {
        TASK,
        DRIVER;

        private static Who here() {
            return TaskContext.get() == null ? DRIVER : TASK;
        }
    }

    /** That becomes of the next renaming. */
    void renaming(Renaming what, Who who) {
        order(RENAME + what + "-" + who);
    }

    /** The next list of parts that the driver sees lacks one. */
    void listLags() {
        order(LAG);
    }

    /** Carries out one order, if there is one. */
    static Renaming renaming(Path orders) throws IOException {
        for (Renaming ordered : Renaming.values()) {
            if (Files.deleteIfExists(orders.resolve(RENAME + ordered + "-" + Who.here()))) {
                return ordered;
            }
        }
        return Renaming.DONE;
    }

    static boolean listLags(Path orders) {
        try {
            return Who.here() == Who.DRIVER && Files.deleteIfExists(orders.resolve(LAG));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a task has carried out everything that was ordered. */
    boolean happened() throws IOException {
        try (var left = Files.list(orders)) {
            return left.map(order -> order.getFileName().toString())
                    .noneMatch(order -> !order.startsWith(PROCESS) && !order.equals(HANGING));
        }
    }

    /** Takes back what no task has carried out, and lets go on what hangs. */
    void clear() throws IOException {
        try (var files = Files.list(orders)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void order(String name) {
        try {
            Files.createFile(orders.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Carries out one order, if there is one; on the driver nothing happens. */
    static void strike(Path orders) throws IOException {
        if (TaskContext.get() == null) {
            return;
        }
        for (int i = 0; Files.exists(orders.resolve(FAIL + i)); i++) {
            // The last one first, so that there is a first one while there is any.
            if (!Files.exists(orders.resolve(FAIL + (i + 1))) && Files.deleteIfExists(orders.resolve(FAIL + i))) {
                throw new IOException("Cannot read: the network is down");
            }
        }
        if (Files.deleteIfExists(orders.resolve(KILL))) {
            awaitDeath(orders);
        }
        if (Files.exists(orders.resolve(HANG_ALL)) || Files.deleteIfExists(orders.resolve(HANG))) {
            awaitGoOn(orders);
        }
        List<File> files = shuffleFiles();
        if (!files.isEmpty() && Files.deleteIfExists(orders.resolve(LOSE))) {
            for (File file : files) {
                Files.delete(file.toPath());
            }
        }
    }

    private static void awaitDeath(Path orders) throws IOException {
        Path number = Files.writeString(
                orders.resolve(PROCESS + ".tmp"),
                String.valueOf(ProcessHandle.current().pid()));
        Files.move(number, orders.resolve(PROCESS), StandardCopyOption.ATOMIC_MOVE);
        Cluster.await("being killed", () -> false);
    }

    private static void awaitGoOn(Path orders) throws IOException {
        boolean interrupted = false;
        Path hanging = Files.writeString(orders.resolve(HANGING), "");
        while (Files.exists(hanging)) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Of this executor. */
    private static List<File> shuffleFiles() {
        var all = SparkEnv.get().blockManager().diskBlockManager().getAllFiles();
        return CollectionConverters.asJava(all).stream()
                .filter(file -> file.getName().startsWith("shuffle_"))
                .toList();
    }
}
