package io.github.broadloom.cuda.compiler;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.device.Memo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine code of kernels: in memory, compiled {@linkplain CubinJar ahead}, on disk, or compiled now. It is found by its content: the hash of
 * source and options, and the architecture; so a JVM without a compiler runs what another one {@linkplain #put gives} it. On disk the compiler and its
 * version count too, where there is a compiler to compare with. Each kernel is compiled once however many threads ask for it.
 */
public final class Cubins {
    private static final Logger LOG = LoggerFactory.getLogger(Cubins.class);
    /** How many kernels stay in memory. */
    public static final int CAPACITY = 4096;

    private static final int REFUSED_CAPACITY = 256;
    private static final long DISK_BYTES = 256L << 20;

    /** How many kernels are compiled at a time for other JVMs. */
    private static final int COMPILING = 4;

    private record Key(String hash, String architecture) {}

    private final Memo<Key, byte[]> images = new Memo<>(CAPACITY);
    private final Memo<Key, CudaCompileException> refused = new Memo<>(REFUSED_CAPACITY);
    private final CudaCompiler compiler;
    private final CubinJar ahead;
    private final Supplier<Optional<CubinFolder>> disk;
    private boolean shelfIsKnown;
    private Optional<Shelf> shelf = Optional.empty();

    private final LongAdder requests = new LongAdder();
    private final LongAdder diskHits = new LongAdder();
    private final LongAdder compilations = new LongAdder();
    private final LongAdder compileNanos = new LongAdder();

    /**
     * What was asked for so far.
     *
     * @param memoryHits kernels that were in memory, or were being compiled for another thread
     * @param diskHits kernels that were read from disk, those that were compiled ahead among them
     * @param compilations kernels that were compiled, or failed to
     * @param compileNanos time spent compiling
     */
    public record Stats(long memoryHits, long diskHits, long compilations, long compileNanos) {
        public String describe() {
            return "cubins: %d from memory, %d from disk, %d compiled in %s"
                    .formatted(
                            memoryHits, diskHits, compilations, KernelCache.inMillis(Duration.ofNanos(compileNanos)));
        }
    }

    /** What one compiler made, on disk; all its versions where none is here. Which is here it may know better once it has compiled. */
    private record Shelf(CubinFolder folder, String name, CudaCompiler compiler) {
        Optional<byte[]> read(Key key) {
            Optional<String> version = compiler.version();
            return version.isPresent() ? folder.read(prefix(key) + version.get()) : folder.readAny(prefix(key));
        }

        void write(Key key, byte[] image) {
            compiler.version().ifPresent(made -> folder.write(prefix(key) + made, image));
        }

        private String prefix(Key key) {
            return key.hash + "-" + key.architecture + "-" + name + "-";
        }
    }

    /** Made with its first kernel: a service may be installed until then. */
    private static final class Shared {
        static final Cubins CUBINS = new Cubins(CudaCompiler.installed(), CubinJar.installed(), Cubins::usersFolder);
    }

    /**
     * The kernels of this process, for all its devices: of {@link CubinJar#installed}, by {@link CudaCompiler#installed}, and in the user's
     * cache folder unless {@code broadloom.cuda.cache} is {@code off}.
     */
    public static Cubins shared() {
        return Shared.CUBINS;
    }

    /** Kernels by a compiler, kept in memory alone. */
    public Cubins(CudaCompiler compiler) {
        this(compiler, CubinJar.NONE, Optional::empty);
    }

    /** Kernels that were compiled ahead, and others by a compiler, kept in a folder, which is asked for when the first kernel is. */
    Cubins(CudaCompiler compiler, CubinJar ahead, Supplier<Optional<CubinFolder>> disk) {
        this.compiler = compiler;
        this.ahead = ahead;
        this.disk = disk;
    }

    private static Optional<CubinFolder> usersFolder() {
        if (CacheFolder.isOff()) {
            return Optional.empty();
        }
        try {
            Path folder = CacheFolder.of("cubins");
            return Optional.of(new CubinFolder(folder, DISK_BYTES));
        } catch (IOException e) {
            LOG.warn("{}; compiled kernels are not kept", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * The image of a kernel for an architecture ({@code sm_90}). It is shared: not to be written to.
     *
     * @throws NoCudaCompilerException where it must be compiled and there is no compiler
     * @throws CudaCompileException where the compiler refuses it
     */
    public byte[] cubin(CudaSource source, String architecture) {
        requests.increment();
        return images.value(
                new Key(source.hash(), architecture),
                key -> given(key)
                        .or(() -> counted(ahead.image(key.hash, key.architecture)))
                        .or(() -> counted(shelf().flatMap(found -> found.read(key))))
                        .orElseGet(() -> compile(key, source)));
    }

    /** What another JVM gave for an architecture whose code runs on this one, too. */
    private Optional<byte[]> given(Key key) {
        return CudaArchitecture.runOn(key.architecture).stream()
                .skip(1)
                .flatMap(lower -> images.peek(new Key(key.hash, lower)).stream())
                .findFirst();
    }

    /**
     * Kernels for other JVMs, compiled now as far as they are not here, several at a time.
     *
     * @throws NoKernelException where one is not to be had
     */
    public List<Cubin> cubins(List<CudaSource> sources, List<String> architectures) {
        return cubins(sources, architectures, missing -> {
            throw missing;
        });
    }

    /**
     * As {@link #cubins(List, List)}, as many as are to be had.
     *
     * @param missing hears of the others
     */
    public List<Cubin> cubins(
            List<CudaSource> sources, List<String> architectures, Consumer<NoKernelException> missing) {
        List<Supplier<Optional<Cubin>>> wanted = new ArrayList<>();
        for (CudaSource source : sources) {
            String hash = source.hash();
            architectures.forEach(architecture -> wanted.add(() -> {
                try {
                    return Optional.of(new Cubin(hash, architecture, cubin(source, architecture)));
                } catch (NoKernelException e) {
                    missing.accept(e);
                    return Optional.empty();
                }
            }));
        }
        ForkJoinPool threads = new ForkJoinPool(Math.max(
                1,
                Math.min(
                        Math.min(COMPILING, wanted.size()), Runtime.getRuntime().availableProcessors())));
        try {
            return threads.submit(() -> wanted.parallelStream()
                            .flatMap(kernel -> kernel.get().stream())
                            .toList())
                    .join();
        } finally {
            threads.shutdown();
        }
    }

    private Optional<byte[]> counted(Optional<byte[]> image) {
        image.ifPresent(bytes -> diskHits.increment());
        return image;
    }

    /** What a compiler refuses it refuses again, and takes as long as for what it makes: it is asked once. */
    private byte[] compile(Key key, CudaSource source) {
        Optional<CudaCompileException> known = refused.peek(key);
        if (known.isPresent()) {
            throw known.get().again();
        }
        long start = System.nanoTime();
        compilations.increment();
        byte[] image;
        try {
            image = compiler.compile(source, key.architecture);
        } catch (CudaCompileException e) {
            refused.put(key, e);
            throw e;
        } finally {
            compileNanos.add(System.nanoTime() - start);
        }
        shelf().ifPresent(found -> found.write(key, image));
        return image;
    }

    /** Where this compiler's kernels lie on disk; nowhere, if it cannot tell its work from another's. */
    private synchronized Optional<Shelf> shelf() {
        if (!shelfIsKnown) {
            shelf = compiler.name().flatMap(name -> disk.get().map(folder -> new Shelf(folder, name, compiler)));
            shelfIsKnown = true;
        }
        return shelf;
    }

    /** Adds an image that another JVM compiled, in memory alone; one that is there stays. */
    public void put(Cubin cubin) {
        images.put(new Key(cubin.hash(), cubin.architecture()), cubin.image());
    }

    public Stats stats() {
        long read = diskHits.sum();
        long compiled = compilations.sum();
        return new Stats(requests.sum() - read - compiled, read, compiled, compileNanos.sum());
    }
}
