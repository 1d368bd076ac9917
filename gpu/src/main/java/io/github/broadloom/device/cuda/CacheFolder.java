package io.github.broadloom.device.cuda;

import io.github.broadloom.device.DeviceSettings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where things are kept that are costly to make again: compiled kernels, unpacked libraries. Named by the system property
 * {@code broadloom.cuda.cache}, else {@code $XDG_CACHE_HOME/broadloom} or {@code ~/.cache/broadloom}, else a folder of this user's in
 * {@code java.io.tmpdir}. What lies there is executed, so a folder that belongs to somebody else is not used.
 */
final class CacheFolder {
    private static final String OFF = "off";

    private CacheFolder() {}

    /** Whether {@code broadloom.cuda.cache} is {@code off}: compiled kernels are then kept in memory alone. */
    static boolean isOff() {
        return DeviceSettings.CUDA_CACHE.inJvm().equals(Optional.of(OFF));
    }

    /**
     * A folder for one kind of things, made if it is not there.
     *
     * @throws IOException where none can be written, naming each that was tried
     */
    static Path of(String kind) throws IOException {
        return of(kind, roots());
    }

    /** The first of these roots in which the folder can be had. */
    static Path of(String kind, List<Path> roots) throws IOException {
        IOException failure = new IOException(
                "Cannot write to a cache folder: tried " + roots + "; set " + DeviceSettings.CUDA_CACHE);
        for (Path root : roots) {
            try {
                return owned(root.resolve(kind));
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    private static List<Path> roots() {
        Optional<String> chosen = DeviceSettings.CUDA_CACHE.inJvm();
        if (chosen.isPresent() && !isOff()) {
            return List.of(Path.of(chosen.get()));
        }
        List<Path> roots = new ArrayList<>();
        addAbsolute(roots, System.getenv("XDG_CACHE_HOME"), "broadloom");
        addAbsolute(roots, System.getProperty("user.home"), ".cache/broadloom");
        addAbsolute(roots, System.getProperty("java.io.tmpdir"), "broadloom-" + System.getProperty("user.name"));
        return roots;
    }

    /** A user without a home has {@code "?"} for one, and a relative cache would litter whatever folder is current. */
    private static void addAbsolute(List<Path> roots, @Nullable String folder, String name) {
        if (folder != null && Path.of(folder).isAbsolute()) {
            roots.add(Path.of(folder).resolve(name));
        }
    }

    private static Path owned(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        // Only a file of ours tells who we are: the name of a user may stand for several numbers, or none, in a
        // container.
        Path mine = Files.createTempFile(folder, ".owner", ".tmp");
        try {
            if (!Files.getOwner(mine).equals(Files.getOwner(folder))) {
                throw new AccessDeniedException(folder.toString(), null, "it belongs to " + Files.getOwner(folder));
            }
        } finally {
            Files.delete(mine);
        }
        return folder;
    }
}
