package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever interrupts a thread that writes finds the whole output or nothing, wherever that thread was. */
class InterruptedWritesTest {
    private static final int CHUNKS = 3;
    private static final int RANDOM_INTERRUPTS = 12;
    private static final int LATEST_MILLIS = 80;

    @TempDir
    Path folder;

    private Path outputs;
    private DistributedTensor x;

    @BeforeEach
    void begin() throws IOException {
        outputs = Files.createDirectory(folder.resolve("outputs"));
        LocalSpark.session()
                .sparkContext()
                .hadoopConfiguration()
                .set("fs.remote.impl", RemoteFileSystem.class.getName());
        Npy.write(numbers(), folder.resolve("x.npy"), WriteMode.CREATE);
        x = LocalSpark.broadloom()
                .withChunkBytes(8 * 8)
                .readNpy("remote://" + folder.resolve("x.npy"))
                .add(0);
        assertThat(x.chunks()).isEqualTo(CHUNKS);
    }

    private static Tensor numbers() {
        return Tensors.arange(8 * CHUNKS).view(CHUNKS, 8);
    }

    @AfterEach
    void unwatch() {
        RemoteFileSystem.unwatch();
    }

    /** What comes after an interrupt fails, too, as in clients that see it. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"y.npy", "y", "y.arrow"})
    void atEachOperationOfTheDriverOnAFileSystemThatIsFar(String name) throws IOException {
        Thread driver = Thread.currentThread();
        for (WriteMode mode : WriteMode.values()) {
            boolean more = true;
            for (int point = 0; more; point++) {
                int when = point;
                AtomicInteger asked = new AtomicInteger();
                if (mode == WriteMode.OVERWRITE) {
                    write("remote://", name, WriteMode.CREATE);
                }
                RemoteFileSystem.watch((operation, path) -> {
                    if (Thread.currentThread() == driver) {
                        if (asked.getAndIncrement() == when) {
                            driver.interrupt();
                        }
                        if (driver.isInterrupted()) {
                            throw new InterruptedIOException("interrupted");
                        }
                    }
                });
                write("remote://", name, mode);
                RemoteFileSystem.unwatch();
                more = asked.get() > when;
                assertWholeOrAbsent("remote://", name, mode == WriteMode.CREATE);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"y.npy", "y", "y.arrow"})
    void beforeItBeginsAndWhenEachTaskReads(String name) throws IOException {
        Thread driver = Thread.currentThread();
        driver.interrupt();
        write("", name, WriteMode.CREATE);
        assertWholeOrAbsent("", name, true);
        for (int task = 0; task < CHUNKS; task++) {
            int when = task;
            AtomicInteger opened = new AtomicInteger();
            RemoteFileSystem.watch((operation, path) -> {
                boolean reads = operation == RemoteFileSystem.Operation.OPEN && Thread.currentThread() != driver;
                if (reads && opened.getAndIncrement() == when) {
                    driver.interrupt();
                }
            });
            write("", name, WriteMode.CREATE);
            RemoteFileSystem.unwatch();
            assertWholeOrAbsent("", name, true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"y.npy", "y", "y.arrow"})
    void atAnyMoment(String name) throws IOException {
        Thread driver = Thread.currentThread();
        Random random = new Random(21);
        for (int i = 0; i < RANDOM_INTERRUPTS; i++) {
            CompletableFuture<Void> interrupt = CompletableFuture.runAsync(
                    driver::interrupt,
                    CompletableFuture.delayedExecutor(random.nextInt(LATEST_MILLIS), TimeUnit.MILLISECONDS));
            write("", name, WriteMode.CREATE);
            joinUninterrupted(interrupt);
            assertWholeOrAbsent("", name, true);
        }
    }

    private static void joinUninterrupted(CompletableFuture<Void> future) {
        future.join(); // heeds no interrupt
        assertThat(Thread.interrupted() || future.isDone()).isTrue();
    }

    /** Clears the interrupt. */
    private void write(String scheme, String name, WriteMode mode) throws IOException {
        String path = scheme + outputs.resolve(name);
        try {
            if (name.endsWith("arrow")) {
                x.writeArrow(path, mode);
            } else {
                x.writeNpy(path, mode);
            }
        } catch (CancellationException e) {
            assertThat(e).hasMessageContaining("was interrupted");
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("interrupted");
        } finally {
            Thread.interrupted();
        }
    }

    private void assertWholeOrAbsent(String scheme, String name, boolean mayBeAbsent) throws IOException {
        // A task may still have to learn that it is over.
        Cluster.await(
                "nothing hidden beside the output",
                () -> outputs.toFile().list((dir, file) -> file.startsWith(".")).length == 0);
        if (!mayBeAbsent || Files.exists(outputs.resolve(name))) {
            assertThat(outputs.toFile().list()).containsExactly(name);
            Broadloom broadloom = LocalSpark.broadloom();
            String path = scheme + outputs.resolve(name);
            Bits.assertSame(
                    (name.endsWith("arrow") ? broadloom.readArrow(path) : broadloom.readNpy(path)).collect(),
                    numbers());
        }
        FileUtils.cleanDirectory(outputs.toFile());
    }
}
