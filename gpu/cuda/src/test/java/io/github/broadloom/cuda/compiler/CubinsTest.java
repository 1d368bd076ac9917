package io.github.broadloom.cuda.compiler;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.code.CudaSource;
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
        private final String version;
        private final List<String> compiled = Collections.synchronizedList(new ArrayList<>());

        Compiler(String version) {
            this.version = version;
        }

        @Override
        public byte[] compile(CudaSource source, String architecture) {
            compiled.add(source.entry() + " " + architecture);
            return (source.text() + " for " + architecture + " by " + version).getBytes(UTF_8);
        }

        @Override
        public Optional<String> name() {
            return Optional.of("nvcc");
        }

        @Override
        public Optional<String> version() {
            return Optional.of(version);
        }
    }

    private static final CudaCompiler NONE = (source, architecture) -> {
        throw new NoCudaCompilerException("no compiler for " + source.entry(), null);
    };

    /** A compiler that is known, and not here. */
    private static final CudaCompiler MISSING = new CudaCompiler() {
        @Override
        public byte[] compile(CudaSource source, String architecture) {
            return NONE.compile(source, architecture);
        }

        @Override
        public Optional<String> name() {
            return Optional.of("nvcc");
        }
    };

    private final Compiler compiler = new Compiler("A");

    private Cubins cubins(CudaCompiler compiler) {
        return cubins(compiler, 1 << 20);
    }

    private Cubins cubins(CudaCompiler compiler, long limitBytes) {
        return new Cubins(compiler, CubinJar.NONE, () -> Optional.of(new CubinFolder(folder, limitBytes)));
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
    void aCompilerWithoutANameLeavesTheDiskAlone() throws IOException {
        cubins((source, architecture) -> new byte[] {1}).cubin(ONE, "sm_90");
        assertThat(files()).isEmpty();
    }

    @Test
    void whatIsOnDiskNeedsNoCompilerToBeRead() {
        byte[] image = cubins(compiler).cubin(ONE, "sm_90");
        Cubins without = cubins(MISSING);
        assertThat(without.cubin(ONE, "sm_90")).isEqualTo(image);
        assertThat(without.stats().diskHits()).isEqualTo(1);
        assertThatThrownBy(() -> without.cubin(ONE, "sm_80")).hasMessage("no compiler for one");
        assertThatThrownBy(() -> without.cubin(TWO, "sm_90")).hasMessage("no compiler for two");
    }

    @Test
    void aFolderOfCubinsMayBeCopiedToAnotherMachine(@TempDir Path elsewhere) throws IOException {
        byte[] image = cubins(compiler).cubin(ONE, "sm_90");
        for (Path file : files()) {
            Path copy = Files.copy(file, elsewhere.resolve(file.getFileName()));
            Files.setLastModifiedTime(copy, FileTime.fromMillis(1_000));
        }
        Cubins there =
                new Cubins(new Compiler("A"), CubinJar.NONE, () -> Optional.of(new CubinFolder(elsewhere, 1 << 20)));
        assertThat(there.cubin(ONE, "sm_90")).isEqualTo(image);
        assertThat(there.stats().compilations()).isZero();
    }

    @Test
    void whatWasCompiledAheadNeedsNoCompiler() throws IOException {
        List<Cubin> made = new Cubins(compiler).cubins(List.of(ONE, TWO), List.of("sm_80", "sm_90"));
        Path file = folder.resolve("kernels.jar");
        CubinJar.write(file, made);
        Cubins cubins = new Cubins(NONE, CubinJar.of(file, ClassLoader.getPlatformClassLoader()), Optional::empty);
        assertThat(cubins.cubin(ONE, "sm_90")).asString(UTF_8).isEqualTo("kernel one for sm_90 by A");
        assertThat(cubins.cubin(TWO, "sm_86")).asString(UTF_8).isEqualTo("kernel two for sm_80 by A");
        assertThat(cubins.stats().diskHits()).isEqualTo(2);
        assertThatThrownBy(() -> cubins.cubin(ONE, "sm_75")).hasMessage("no compiler for one");
    }

    @Test
    void equalKernelsMakeEqualFiles() throws IOException {
        List<Cubin> made = new ArrayList<>(new Cubins(compiler).cubins(List.of(ONE, TWO), List.of("sm_90")));
        Path one = folder.resolve("one.jar");
        CubinJar.write(one, made);
        Collections.reverse(made);
        made.add(made.get(0));
        Path other = folder.resolve("other.jar");
        CubinJar.write(other, made);
        assertThat(other).hasSameBinaryContentAs(one);
    }

    @Test
    void aDamagedFileOfKernelsCostsNothingButCompilations() throws IOException {
        Path file = folder.resolve("kernels.jar");
        CubinJar.write(file, new Cubins(compiler).cubins(List.of(ONE), List.of("sm_90")));
        byte[] whole = Files.readAllBytes(file);
        byte[] damaged = whole.clone();
        int image =
                new String(whole, ISO_8859_1).indexOf(ONE.hash()) + ONE.hash().length();
        for (int i = image + 16; i < image + 48; i++) {
            damaged[i] ^= 0x55;
        }
        for (byte[] content : List.of(damaged, Arrays.copyOf(whole, whole.length / 2), new byte[0])) {
            Files.write(file, content);
            CubinJar ahead = CubinJar.of(file, ClassLoader.getPlatformClassLoader());
            Cubins cubins = new Cubins(new Compiler("B"), ahead, Optional::empty);
            assertThat(cubins.cubin(ONE, "sm_90")).asString(UTF_8).isEqualTo("kernel one for sm_90 by B");
        }
        Files.delete(file);
        assertThat(CubinJar.of(file, ClassLoader.getPlatformClassLoader()).image(ONE.hash(), "sm_90"))
                .isEmpty();
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
        Cubins cubins = new Cubins(
                compiler, CubinJar.NONE, () -> Optional.of(new CubinFolder(folder.resolve("gone"), 1 << 20)));
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
    void whatACompilerRefusesItIsAskedForOnce() {
        Cubins cubins = cubins(new Compiler("A") {
            @Override
            public byte[] compile(CudaSource source, String architecture) {
                byte[] image = super.compile(source, architecture);
                if (source.equals(ONE)) {
                    throw new CudaCompileException(source, architecture, "A", "error: too much of it");
                }
                return image;
            }
        });
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> cubins.cubin(ONE, "sm_90"))
                    .isInstanceOf(CudaCompileException.class)
                    .hasMessageStartingWith("Cannot compile kernel one for sm_90: A says error: too much of it");
        }
        assertThat(cubins.stats().compilations()).isOne();
        List<NoKernelException> missing = new ArrayList<>();
        assertThat(cubins.cubins(List.of(ONE, TWO), List.of("sm_90"), missing::add))
                .singleElement()
                .satisfies(cubin -> assertThat(cubin.hash()).isEqualTo(TWO.hash()));
        assertThat(missing).hasSize(1);
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
