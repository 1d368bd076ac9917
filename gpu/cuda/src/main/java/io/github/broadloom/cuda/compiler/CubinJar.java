package io.github.broadloom.cuda.compiler;

import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.io.AtomicFile;
import io.github.broadloom.io.WriteMode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kernels that were compiled ahead, for machines without a compiler: entries {@code META-INF/broadloom/cubins/ARCHITECTURE/HASH} of a jar, each a {@link CubinFile}, whatever version
 * of the compiler made it. Such a jar is {@linkplain #write written} once and goes on the class path, or into another jar, or is named by the system
 * property {@code broadloom.cuda.cubins}.
 *
 * <pre>{@code
 * List<CudaSource> sources = CudaRecording.of(expr).sources();
 * CubinJar.write(path, Cubins.shared().cubins(sources, List.of("sm_80", "sm_90"))); // compiles several at a time
 * }</pre>
 */
public final class CubinJar {
    private static final Logger LOG = LoggerFactory.getLogger(CubinJar.class);
    private static final String ENTRIES = "META-INF/broadloom/cubins/";

    static final CubinJar NONE = new CubinJar(new URLClassLoader(new URL[0], null));

    private final ClassLoader jars;

    private CubinJar(ClassLoader jars) {
        this.jars = jars;
    }

    /** Those of the class path, and of the file that {@code broadloom.cuda.cubins} names; one that cannot be read is told in the log. */
    static CubinJar installed() {
        ClassLoader classPath = CubinJar.class.getClassLoader();
        return DeviceSettings.CUDA_CUBINS
                .inJvm()
                .map(file -> of(Path.of(file), classPath))
                .orElseGet(() -> new CubinJar(classPath));
    }

    static CubinJar of(Path file, ClassLoader classPath) {
        try (JarFile readable = new JarFile(file.toFile())) {
            LOG.debug("{} compiled kernels in {}", readable.size(), file);
            return new CubinJar(new URLClassLoader(new URL[] {file.toUri().toURL()}, classPath));
        } catch (IOException e) {
            LOG.warn(
                    "{} is {}, which is no file of compiled kernels ({}); they are compiled when they are needed",
                    DeviceSettings.CUDA_CUBINS,
                    file,
                    e.getMessage());
            return new CubinJar(classPath);
        }
    }

    /** The image of a kernel for an architecture, or for one below it whose code runs there, too. */
    Optional<byte[]> image(String hash, String architecture) {
        return CudaArchitecture.runOn(architecture).stream()
                .flatMap(name -> read(ENTRIES + name + "/" + hash).stream())
                .findFirst();
    }

    private Optional<byte[]> read(String entry) {
        try (InputStream image = jars.getResourceAsStream(entry)) {
            if (image == null) {
                return Optional.empty();
            }
            Optional<byte[]> sound = CubinFile.image(image.readAllBytes());
            if (sound.isEmpty()) {
                LOG.warn("{} is damaged; its kernel is compiled again", entry);
            }
            return sound;
        } catch (IOException e) {
            LOG.warn("Cannot read {} ({}); its kernel is compiled again", entry, e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Writes kernels to a file, which then has these and no others. The bytes are the same for the same kernels.
     *
     * @throws IOException where the file cannot be written; it is as it was then
     */
    public static void write(Path file, List<Cubin> cubins) throws IOException {
        List<Cubin> ordered =
                cubins.stream().sorted(Comparator.comparing(CubinJar::entry)).toList();
        AtomicFile.write(file, WriteMode.OVERWRITE, channel -> {
            JarOutputStream jar = new JarOutputStream(Channels.newOutputStream(channel));
            Set<String> written = new HashSet<>();
            for (Cubin cubin : ordered) {
                if (written.add(entry(cubin))) {
                    ZipEntry entry = new ZipEntry(entry(cubin));
                    entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0)); // the first that there is
                    jar.putNextEntry(entry);
                    jar.write(CubinFile.of(cubin.image()));
                    jar.closeEntry();
                }
            }
            jar.finish();
        });
    }

    private static String entry(Cubin cubin) {
        return ENTRIES + cubin.architecture() + "/" + cubin.hash();
    }
}
