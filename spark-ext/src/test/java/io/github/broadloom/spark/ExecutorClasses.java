package io.github.broadloom.spark;

import io.github.broadloom.cuda.compiler.CacheFolder;
import io.github.broadloom.tensor.Tensors;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of the tests' executors, and an archive of the classes of its jars (JEP 310), with which one starts in half the time. Jars come first there: the archive is
 * of them alone, because folders cannot be archived, and so one is good for every state of the project's own classes. It is kept in the user's {@link CacheFolder}.
 */
final class ExecutorClasses {
    /** What executors compute is nothing beside their start. */
    private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final List<String> ENTRIES =
            List.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                    .split(File.pathSeparator));

    private static final List<String> JARS =
            ENTRIES.stream().filter(ExecutorClasses::isOfOthers).toList();

    /** Where another JVM finds the tests' classes, too. */
    static final String CLASS_PATH =
            joined(Stream.concat(JARS.stream(), ENTRIES.stream().filter(entry -> !isOfOthers(entry))));

    /** The options of a JVM that starts soon. */
    static final String OPTIONS = archive()
            .map(file -> QUICK_START + " -XX:SharedArchiveFile=" + file)
            .orElse(QUICK_START);

    private static final int PATIENCE_MINUTES = 5;

    private ExecutorClasses() {}

    private static boolean isOfOthers(String entry) {
        return entry.endsWith(".jar")
                && !Path.of(entry).getFileName().toString().startsWith("broadloom-");
    }

    private static String joined(Stream<String> entries) {
        return entries.collect(Collectors.joining(File.pathSeparator));
    }

    private static Optional<Path> archive() {
        try {
            Path folder = CacheFolder.of("test-archives");
            Path archive = folder.resolve(UUID.nameUUIDFromBytes(key().getBytes(StandardCharsets.UTF_8)) + ".jsa");
            try (FileChannel lock = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var held = lock.lock()) {
                if (held.isValid() && !Files.exists(archive)) {
                    make(archive);
                }
            }
            return Optional.of(archive);
        } catch (IOException e) {
            return Optional.empty(); // it only saves time
        }
    }

    /** Another JVM, and other jars, need another archive. */
    private static String key() throws IOException {
        StringBuilder key = new StringBuilder(System.getProperty("java.vm.version"));
        for (String jar : JARS) {
            key.append(jar).append(Files.size(Path.of(jar)));
        }
        return key.toString();
    }

    private static void make(Path archive) throws IOException {
        try (Stream<Path> old = Files.list(archive.getParent())) {
            for (Path file :
                    old.filter(file -> file.toString().endsWith(".jsa")).toList()) {
                Files.delete(file); // who has it open keeps it
            }
        }
        Path list = Files.createTempFile("broadloom-classes", ".txt");
        Path fresh = Path.of(archive + ".part");
        try {
            java(List.of("-XX:DumpLoadedClassList=" + list, "-cp", CLASS_PATH, Loading.class.getName()));
            java(List.of(
                    "-Xshare:dump",
                    "-XX:SharedClassListFile=" + list,
                    "-XX:SharedArchiveFile=" + fresh,
                    "-cp",
                    joined(JARS.stream())));
            Files.move(fresh, archive, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
            Files.deleteIfExists(list);
        }
    }

    private static void java(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(QUICK_START.split(" ")));
        command.add("@../examples/jvm-flags.txt");
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException("Cannot archive the classes of executors");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A program that loads what an executor loads: tasks, a shuffle, a broadcast variable, and rows of a table. */
    static final class Loading {
        private Loading() {}

        public static void main(String[] none) throws ReflectiveOperationException {
            Class.forName("org.apache.spark.executor.CoarseGrainedExecutorBackend");
            Class.forName("org.apache.spark.deploy.worker.WorkerWatcher");
            Broadloom broadloom = LocalSpark.broadloom();
            DistributedTensor tensor = broadloom.tensor(Tensors.ones(64, 64), 4);
            tensor.sub(tensor.mean(0)).t().reshape(32, 128).collect();
            try {
                LocalSpark.session()
                        .range(100)
                        .repartition(2)
                        .selectExpr("sum(id)")
                        .collectAsList();
            } finally {
                LocalSpark.stop();
            }
        }
    }
}
