package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryFigures;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.Property;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What the operating system says that a process holds, after evaluations of random sizes by several threads: counted, and given back. */
@EnabledOnOs(OS.LINUX)
class MemorySoakTest {
    private static final long MEBIBYTE = 1 << 20;
    /** What the JVM holds beside heap and tensors: classes, compiled code, threads, the compiler and the collector at work. */
    private static final long JVM_MEBIBYTES = 350;

    @Test
    @Tag("full")
    void whatIsHeldIsWhatIsCountedAndGoesBack() throws Exception {
        soak(256, 300);
    }

    @Test
    @Tag("full")
    void whatIsHeldAfterThousandsOfEvaluationsIsWhatIsCountedAndGoesBack() throws Exception {
        soak(768, 12_000 * Integer.getInteger(Property.EFFORT, 1));
    }

    private static void soak(long limit, int evaluations) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-javaagent") && !argument.startsWith("-Xm"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx512m", "-Dbroadloom.memory.limit=" + limit + "m"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Program.class.getName(), "" + evaluations));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text;
        try (InputStream output = process.getInputStream()) {
            text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(process.waitFor()).as(text).isZero();
        assertThat(figure(text, "past the limit")).as(text).isNotPositive();
        assertThat(figure(text, "hits")).as(text).isGreaterThan(figure(text, "misses"));
        assertThat(figure(text, "most resident")).as(text).isLessThan(limit + 512 + JVM_MEBIBYTES);
        assertThat(figure(text, "resident at the end"))
                .as(text)
                .isLessThan(figure(text, "heap at the end") + JVM_MEBIBYTES);
    }

    private static long figure(String text, String name) {
        return Long.parseLong(text.replaceAll("(?s).*" + name + ": (-?\\d+).*", "$1"));
    }

    /** What the other JVM runs. */
    static final class Program {
        private static final int THREADS = 6;
        private static final double MOST_ELEMENTS = 6_000_000;
        private static final int LOOK = 50;

        private final AtomicLong pastLimit = new AtomicLong(Long.MIN_VALUE);
        private final AtomicLong mostResident = new AtomicLong();

        public static void main(String[] counts) throws Exception {
            new Program().run(Integer.parseInt(counts[0]) / THREADS);
        }

        private void run(int each) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(THREADS);
            List<Callable<Void>> threads = new ArrayList<>();
            for (int seed = 0; seed < THREADS; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                threads.add(() -> evaluate(random, each));
            }
            try {
                for (Future<Void> thread : pool.invokeAll(threads)) {
                    thread.get();
                }
            } finally {
                pool.shutdownNow();
            }
            MemoryFigures figures = Memory.figures();
            tell("past the limit", pastLimit.get());
            tell("hits", figures.hits());
            tell("misses", figures.misses());
            tell("most resident", mostResident.get());
            Memory.awaitReleased();
            Memory.trim();
            tell("resident at the end", residentMebibytes());
            tell("heap at the end", Runtime.getRuntime().totalMemory() / MEBIBYTE);
        }

        private static void tell(String name, long figure) {
            System.out.println(name + ": " + figure);
        }

        private Void evaluate(SplittableRandom random, int times) throws IOException {
            for (int i = 0; i < times; i++) {
                long elements = (long) Math.pow(MOST_ELEMENTS, random.nextDouble());
                long rows = 1 + random.nextLong(Math.min(elements, 100));
                Tensor x = Tensors.full(
                        Shape.of(rows, 1 + elements / rows), 1.5, random.nextBoolean() ? DType.FLOAT32 : DType.FLOAT64);
                Tensor y = LazyTensor.of(x).mul(2).add(random.nextInt(9)).compute();
                LazyTensor.of(y).sub(x).exp().sum().compute();
                if (random.nextBoolean()) {
                    x.release();
                }
                if (random.nextInt(3) > 0) {
                    y.release();
                }
                MemoryFigures figures = Memory.figures();
                pastLimit.accumulateAndGet(
                        figures.heldBytes() + figures.pooledBytes() - figures.limitBytes(), Math::max);
                if (i % LOOK == 0) {
                    mostResident.accumulateAndGet(residentMebibytes(), Math::max);
                }
            }
            return null;
        }

        private static long residentMebibytes() throws IOException {
            String resident = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS"))
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(resident.replaceAll("\\D", "")) / 1024;
        }
    }
}
