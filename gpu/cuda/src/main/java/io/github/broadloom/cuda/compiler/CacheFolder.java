package io.github.broadloom.cuda.compiler;

import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.io.AtomicFile;
import io.github.broadloom.io.WriteMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where things are kept that are costly to make again: compiled kernels, unpacked libraries. Named by the system property
 * {@code broadloom.cuda.cache}, else {@code $XDG_CACHE_HOME/broadloom} or {@code ~/.cache/broadloom}, else a folder of this user's in
 * {@code java.io.tmpdir}.
 *
 * <p>What lies there is executed. So a folder is used only where it belongs to this user and nobody else may look into it, and where nobody else can put
 * another in its place: every folder above it belongs to this user or to root, and only they may rename what is in it. Who names
 * {@code broadloom.cuda.cache} vouches for the folders above that.
 */
public final class CacheFolder {
    private static final String OFF = "off";
    private static final int ROOT = 0;
    private static final int OTHERS_ACCESS = 0077;
    private static final int OTHERS_WRITE = 0022;
    /** Only its owner, and the folder's, may rename or delete what is in such a folder: {@code /tmp} is one. */
    private static final int STICKY = 01000;

    private static final int SYMBOLIC_LINK = 0120000;
    private static final int KIND_OF_FILE = 0170000;

    private CacheFolder() {}

    /** Where a folder of this name would lie. */
    public record Root(Path path, Above above) {}

    /** What is known of the folders above a root. */
    enum Above {
        CHECKED,
        VOUCHED_FOR
    }

    /** Whether {@code broadloom.cuda.cache} is {@code off}: compiled kernels are then kept in memory alone. */
    static boolean isOff() {
        return DeviceSettings.CUDA_CACHE.inJvm().equals(Optional.of(OFF));
    }

    /**
     * A folder for one kind of things, made if it is not there: its real path, which no symbolic link can lead elsewhere.
     *
     * @throws IOException where there is none that can be written to and is safe, saying of each that was tried why not
     */
    public static Path of(String kind) throws IOException {
        return of(kind, roots());
    }

    public static Path of(String kind, List<Root> roots) throws IOException {
        List<String> reasons = new ArrayList<>();
        List<IOException> failures = new ArrayList<>();
        for (Root root : roots) {
            try {
                return ofThisUser(root.path.resolve(kind), root.above);
            } catch (IOException e) {
                boolean refused = e instanceof AccessDeniedException denied && denied.getReason() != null;
                reasons.add(refused ? e.getMessage() : root.path + ": it cannot be written to");
                failures.add(e);
            }
        }
        IOException failure = new IOException("Cannot use a cache folder (" + String.join("; ", reasons) + "); set "
                + DeviceSettings.CUDA_CACHE + " to a folder of this user's alone");
        failures.forEach(failure::addSuppressed);
        throw failure;
    }

    /** The file of a name with exactly this content: the one that is there, or a new one that appears whole in its place. */
    static Path keep(Path folder, String name, byte[] content) throws IOException {
        Path file = folder.resolve(name);
        if (!isOrdinary(file) || !Arrays.equals(Files.readAllBytes(file), content)) {
            AtomicFile.write(file, WriteMode.OVERWRITE, channel -> channel.write(ByteBuffer.wrap(content)));
        }
        return file;
    }

    /** Whether a file is there and no link to another; a link is deleted, so that nothing is written through it. */
    static boolean isOrdinary(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            Files.deleteIfExists(file);
        }
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static List<Root> roots() {
        Optional<String> chosen = DeviceSettings.CUDA_CACHE.inJvm();
        if (chosen.isPresent() && !isOff()) {
            return List.of(new Root(Path.of(chosen.get()), Above.VOUCHED_FOR));
        }
        List<Root> roots = new ArrayList<>();
        addAbsolute(roots, System.getenv("XDG_CACHE_HOME"), "broadloom");
        addAbsolute(roots, System.getProperty("user.home"), ".cache/broadloom");
        addAbsolute(roots, System.getProperty("java.io.tmpdir"), "broadloom-" + System.getProperty("user.name"));
        return roots;
    }

    /** A user without a home has {@code "?"} for one, and a relative cache would litter whatever folder is current. */
    private static void addAbsolute(List<Root> roots, @Nullable String folder, String name) {
        if (folder != null && Path.of(folder).isAbsolute()) {
            roots.add(new Root(Path.of(folder).resolve(name), Above.CHECKED));
        }
    }

    private static Path ofThisUser(Path folder, Above above) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        int user = userOf(folder);
        Path real = folder.toRealPath();
        for (Path path :
                List.of(folder.toAbsolutePath().normalize(), real)) { // whoever can change a link chooses the folder
            if (above == Above.CHECKED) {
                refuseAbove(path, user);
            }
            if (Owned.of(path).user != user) {
                throw refusal(path, "it belongs to " + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS));
            }
        }
        int mode = Owned.of(real).mode;
        if ((mode & OTHERS_ACCESS) != 0) {
            throw refusal(real, "others have access to it: its mode is %o, not 700".formatted(mode & 07777));
        }
        return real;
    }

    /** Only a file of ours tells who we are: the name of a user may stand for several numbers, or none, in a container. */
    private static int userOf(Path folder) throws IOException {
        Path mine = Files.createTempFile(folder, ".owner", ".tmp");
        try {
            return Owned.of(mine).user;
        } finally {
            Files.delete(mine);
        }
    }

    private static void refuseAbove(Path folder, int user) throws IOException {
        for (Path at = folder; at != null; at = at.getParent()) {
            Owned owned = Owned.of(at);
            if (owned.user != user && owned.user != ROOT) {
                throw refusal(at, "it belongs to " + Files.getOwner(at, LinkOption.NOFOLLOW_LINKS));
            }
            boolean othersRename = (owned.mode & OTHERS_WRITE) != 0 && (owned.mode & STICKY) == 0;
            if (othersRename && (owned.mode & KIND_OF_FILE) != SYMBOLIC_LINK) {
                throw refusal(at, "others can write to it");
            }
        }
    }

    private static AccessDeniedException refusal(Path path, String reason) {
        return new AccessDeniedException(path.toString(), null, reason);
    }

    /** Whose something is, and its kind and permissions as {@code stat} has them; of a link, not of what it leads to. */
    private record Owned(int user, int mode) {
        static Owned of(Path path) throws IOException {
            return new Owned((int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS), (int)
                    Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS));
        }
    }
}
