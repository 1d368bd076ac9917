package io.github.broadloom.cuda.compiler;

import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.io.AtomicFile;
import io.github.broadloom.io.WriteMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.Channels;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * The NVRTC in {@code org.bytedeco:cuda-redist}, a jar of 362 MB with much of CUDA. Its two libraries are unpacked to a folder named by their
 * checksums, where every later JVM finds them; each is checked as it is written and before it is used, and appears whole, by an atomic move, so that JVMs
 * that start together do not disturb each other.
 */
final class NvrtcJar {
    private static final String LIBRARY = "org/bytedeco/cuda/linux-x86_64/libnvrtc.so.12";
    private static final Pattern LIBRARIES =
            Pattern.compile("org/bytedeco/cuda/linux-x86_64/(libnvrtc\\.so\\.12|libnvrtc-builtins\\.so\\.12\\.\\d+)");

    private final @Nullable URL library;

    NvrtcJar(@Nullable URL library) {
        this.library = library;
    }

    static NvrtcJar onTheClassPath() {
        return new NvrtcJar(NvrtcJar.class.getResource("/" + LIBRARY));
    }

    /** The libraries in the cache folder: the class path's, unpacked now if need be, else what an earlier JVM unpacked; or none. */
    Optional<NvrtcFiles> unpacked() throws IOException {
        try {
            return unpacked(CacheFolder.of("nvrtc"));
        } catch (IOException e) {
            if (library == null) {
                return Optional.empty(); // nothing to unpack, and nowhere that it could have been unpacked to
            }
            throw e;
        }
    }

    Optional<NvrtcFiles> unpacked(Path cache) throws IOException {
        if (library == null) {
            return earlier(cache);
        }
        URLConnection connection = library.openConnection();
        if (!(connection instanceof JarURLConnection inJar)) {
            throw new IOException(
                    "Cannot unpack NVRTC: " + library + " lies in no jar; set " + DeviceSettings.NVRTC_PATH);
        }
        inJar.setUseCaches(false); // else closing it would close it for everybody
        try (JarFile jar = inJar.getJarFile()) {
            ZipEntry whole = jar.getEntry(LIBRARY);
            Path folder = Files.createDirectories(cache.resolve("12-%08x".formatted(whole.getCrc())));
            for (ZipEntry entry : libraries(jar)) {
                place(
                        jar,
                        entry,
                        folder.resolve(entry.getName().substring(entry.getName().lastIndexOf('/') + 1)));
            }
            return NvrtcFiles.at(folder).stream().findFirst();
        }
    }

    private static Optional<NvrtcFiles> earlier(Path cache) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(cache, "12-*")) {
            for (Path folder : folders) {
                Optional<NvrtcFiles> found = NvrtcFiles.at(folder).stream().findFirst();
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static List<? extends ZipEntry> libraries(JarFile jar) {
        return jar.stream()
                .filter(entry -> LIBRARIES.matcher(entry.getName()).matches())
                .toList();
    }

    private static void place(JarFile jar, ZipEntry entry, Path file) throws IOException {
        if (CacheFolder.isOrdinary(file) && Files.size(file) == entry.getSize() && checksum(file) == entry.getCrc()) {
            return;
        }
        AtomicFile.write(file, WriteMode.OVERWRITE, channel -> {
            try (InputStream content = jar.getInputStream(entry)) {
                check(entry, copy(content, Channels.newOutputStream(channel)));
            }
        });
    }

    private static void check(ZipEntry entry, long checksum) throws IOException {
        if (checksum != entry.getCrc()) { // a JarFile does not look
            throw new IOException("Cannot unpack %s: its checksum is %08x, not %08x; fetch the jar again"
                    .formatted(entry.getName(), checksum, entry.getCrc()));
        }
    }

    static long checksum(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            return copy(content, OutputStream.nullOutputStream());
        }
    }

    private static long copy(InputStream from, OutputStream to) throws IOException {
        CheckedInputStream content = new CheckedInputStream(from, new CRC32());
        content.transferTo(to);
        return content.getChecksum().getValue();
    }
}
