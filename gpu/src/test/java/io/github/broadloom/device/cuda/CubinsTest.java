package io.github.broadloom.device.cuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.codegen.cuda.CudaSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CubinsTest {
    private static final CudaSource ONE = new CudaSource("one", "kernel one");
    private static final CudaSource TWO = new CudaSource("two", "kernel two");

    @TempDir
    Path folder;

    /** Counts; its images say what they were made of. */
    private static class Compiler implements CudaCompiler {
        private final String identity;
        private final List<String> compiled = Collections.synchronizedList(new ArrayList<>());

        Compiler(String identity) {
            this.identity = identity;
        }

        @Override
        public byte[] compile(CudaSource source, String architecture) {
            compiled.add(source.entry() + " " + architecture);
            return (source.text() + " for " + architecture + " by " + identity).getBytes(UTF_8);
        }

        @Override
        public String identity() {
            return identity;
        }
    }

    private static final CudaCompiler NONE = (source, architecture) -> {
        throw new NoCudaCompilerException("no compiler for " + source.entry(), null);
    };

    private final Compiler compiler = new Compiler("A");

    private Cubins cubins(CudaCompiler compiler) {
        return cubins(compiler, 1 << 20);
    }

    private Cubins cubins(CudaCompiler compiler, long limitBytes) {
        return new Cubins(compiler, () -> Optional.of(new CubinFolder(folder, limitBytes)));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void aKernelIsCompiledOnceForEachArchitecture() {
        Cubins cubins = new Cubins(compiler);
        assertThat(cubins.cubin(ONE, "sm_80")).asString(UTF_8).isEqualTo("kernel one for sm_80 by A");
        assertThat(cubins.cubin(ONE, "sm_90")).asString(UTF_8).isEqualTo("kernel one for sm_90 by A");
        cubins.cubin(ONE, "sm_80");
        assertThat(compiler.compiled).containsExactly("one sm_80", "one sm_90");
        Cubins.Stats stats = cubins.stats();
        assertThat(stats.memoryHits()).isEqualTo(1);
        assertThat(stats.diskHits()).isZero();
        assertThat(stats.compilations()).isEqualTo(2);
        assertThat(stats.compileNanos()).isPositive();
        assertThat(stats.describe()).startsWith("cubins: 1 from memory, 0 from disk, 2 compiled in ");
    }

    @Test
    void theNextProcessFindsItOnDisk() {
        byte[] image = cubins(compiler).cubin(ONE, "sm_90");
        Cubins next = cubins(compiler);
        assertThat(next.cubin(ONE, "sm_90")).isEqualTo(image);
        assertThat(compiler.compiled).hasSize(1);
        assertThat(next.stats().diskHits()).isEqualTo(1);
        assertThat(next.stats().compilations()).isZero();
        assertThat(next.stats().memoryHits()).isZero();
    }

    @Test
    void anotherVersionOfTheCompilerCompilesAgain() {
        cubins(compiler).cubin(ONE, "sm_90");
        assertThat(cubins(new Compiler("B")).cubin(ONE, "sm_90"))
                .asString(UTF_8)
                .endsWith("by B");
    }

    @Test
    void aCompilerWithoutAnIdentityLeavesTheDiskAlone() throws IOException {
        cubins(new Compiler("")).cubin(ONE, "sm_90");
        assertThat(files()).isEmpty();
    }

    @Test
    void aDamagedFileIsCompiledAgain() throws IOException {
        byte[] image = cubins(compiler).cubin(ONE, "sm_90");
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        byte[] flipped = whole.clone();
        flipped[flipped.length - 1] ^= 1;
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        byte[] shorter = Arrays.copyOf(whole, whole.length - 1);
        byte[] other = whole.clone();
        other[0] = 'X';
        int compilations = 1;
        for (byte[] damaged : List.of(flipped, longer, shorter, other, new byte[0], new byte[24])) {
            Files.write(file, damaged);
            assertThat(cubins(compiler).cubin(ONE, "sm_90")).isEqualTo(image);
            assertThat(compiler.compiled).hasSize(++compilations);
            assertThat(file).hasBinaryContent(whole);
        }
    }

    @Test
    void aFolderThatFailsCostsNothingButCompilations() throws IOException {
        Cubins cubins = new Cubins(compiler, () -> Optional.of(new CubinFolder(folder.resolve("gone"), 1 << 20)));
        assertThat(cubins.cubin(ONE, "sm_90")).asString(UTF_8).startsWith("kernel one");
        assertThat(files()).isEmpty();
    }

    @Test
    void theLeastRecentlyUsedLeaveAFullFolder() throws IOException {
        Cubins cubins = cubins(compiler, 120); // room for two files of 24 + 25 bytes
        cubins.cubin(ONE, "sm_90");
        Path one = files().get(0);
        cubins.cubin(TWO, "sm_90");
        for (Path file : files()) {
            Files.setLastModifiedTime(file, FileTime.fromMillis(file.equals(one) ? 1_000 : 2_000));
        }
        cubins(compiler, 120).cubin(ONE, "sm_90"); // which is a use
        cubins.cubin(new CudaSource("six", "kernel six"), "sm_90");
        assertThat(files()).hasSize(2).contains(one);
    }

    @Test
    void whatADeadProcessLeftHalfWrittenGoesAfterADay() throws IOException {
        Path old = Files.createFile(folder.resolve(".broadloom-old.tmp"));
        Files.setLastModifiedTime(old, FileTime.fromMillis(1_000));
        Path fresh = Files.createFile(folder.resolve(".broadloom-fresh.tmp"));
        cubins(compiler).cubin(ONE, "sm_90");
        assertThat(files()).doesNotContain(old).contains(fresh);
    }

    @Test
    void whatAnotherProcessCompiledNeedsNoCompiler() {
        Cubins sender = new Cubins(compiler);
        byte[] one = sender.cubin(ONE, "sm_90");
        List<Cubin> sent = sender.cubins(List.of(ONE, TWO), List.of("sm_80", "sm_90"));
        assertThat(compiler.compiled)
                .startsWith("one sm_90")
                .containsExactlyInAnyOrder("one sm_90", "one sm_80", "two sm_80", "two sm_90");

        Cubins receiver = new Cubins(NONE);
        sent.forEach(receiver::put);
        assertThat(receiver.cubin(ONE, "sm_90")).isEqualTo(one);
        assertThat(receiver.cubin(TWO, "sm_80")).asString(UTF_8).isEqualTo("kernel two for sm_80 by A");
        assertThat(receiver.stats().compilations()).isZero();
    }

    @Test
    void machineCodeRunsOnLaterDevicesOfItsGeneration() {
        Cubins receiver = new Cubins(NONE);
        new Cubins(compiler).cubins(List.of(ONE), List.of("sm_80", "sm_90")).forEach(receiver::put);
        assertThat(receiver.cubin(ONE, "sm_86")).asString(UTF_8).isEqualTo("kernel one for sm_80 by A");
        assertThatThrownBy(() -> receiver.cubin(ONE, "sm_75")).hasMessage("no compiler for one");
        assertThatThrownBy(() -> receiver.cubin(ONE, "sm_120")).hasMessage("no compiler for one");
    }

    @Test
    void whatCannotBeCompiledForOthersIsSaid() {
        assertThatThrownBy(() -> new Cubins(NONE).cubins(List.of(ONE, TWO), List.of("sm_90")))
                .isInstanceOf(NoCudaCompilerException.class)
                .hasMessageStartingWith("no compiler for ");
    }

    @Test
    void threadsThatAskTogetherWaitForOneCompilation() throws Exception {
        CountDownLatch asked = new CountDownLatch(4);
        Cubins cubins = cubins(new Compiler("slow") {
            @Override
            public byte[] compile(CudaSource source, String architecture) {
                try {
                    asked.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return super.compile(source, architecture);
            }
        });
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<byte[]>> images = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                images.add(threads.submit(() -> {
                    asked.countDown();
                    return cubins.cubin(ONE, "sm_90");
                }));
            }
            for (Future<byte[]> image : images) {
                assertThat(image.get()).isSameAs(images.get(0).get());
            }
        } finally {
            threads.shutdown();
        }
        assertThat(cubins.stats().compilations()).isEqualTo(1);
        assertThat(cubins.stats().memoryHits()).isEqualTo(3);
    }
}
