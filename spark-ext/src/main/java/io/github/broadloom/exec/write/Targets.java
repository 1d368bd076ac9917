package io.github.broadloom.exec.write;

import io.github.broadloom.exec.CleanUp;
import io.github.broadloom.exec.Failures;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.io.AtomicFile;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Figures;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The checks before writing, and the last step of it. */
final class Targets {
    private static final Pattern PART = Pattern.compile(
            "part-\\d{5,}\\.[a-z]+|_open|_broadloom\\.json|_SUCCESS|\\..*\\.crc|\\.part-\\d{5,}\\.[a-z]+\\.\\d+\\.tmp");

    private Targets() {}

    static void checkFile(Location target, WriteMode mode) throws IOException {
        checkFolderOf(target);
        if (target.isDirectory()) {
            throw new FileAlreadyExistsException(target.name(), null, "a folder has that name");
        }
        if (mode == WriteMode.CREATE && target.exists()) {
            throw alreadyExists(target);
        }
    }

    /** A folder is replaced only where nothing is in it but parts of a tensor. */
    static void checkParts(Location target, WriteMode mode) throws IOException {
        checkFolder(target, mode, PART, "the parts of a tensor");
    }

    /**
     * A folder is replaced only where nothing is in it but what we would write there.
     *
     * @param own the names of that
     * @param what that is
     */
    static void checkFolder(Location target, WriteMode mode, Pattern own, String what) throws IOException {
        checkFolderOf(target);
        if (!target.exists()) {
            return;
        }
        if (mode == WriteMode.CREATE) {
            throw alreadyExists(target);
        }
        if (!target.isDirectory()) {
            throw new FileAlreadyExistsException(target.name(), null, "a file has that name");
        }
        for (Location.Entry entry : target.list()) {
            if (!own.matcher(entry.name()).matches()) {
                throw new FileAlreadyExistsException(
                        target.name(), null, "it is kept, because it holds more than " + what + ": " + entry.name());
            }
        }
    }

    static FileAlreadyExistsException alreadyExists(Location target) {
        return new FileAlreadyExistsException(target.name(), null, "it exists and is kept; overwrite it to replace it");
    }

    private static void checkFolderOf(Location target) throws IOException {
        if (target.isLocal()) {
            Path folder = target.local().toAbsolutePath().getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw new NoSuchFileException(target.name(), null, "its folder does not exist");
            }
        }
    }

    /** Looks at what earlier writers left beside the target, and at the space that there is. */
    static void prepare(Location target, WriteMode mode, long bytes) throws IOException {
        if (mode == WriteMode.OVERWRITE) {
            Temporaries.deleteLeftovers(target);
        } else {
            Temporaries.tellLeftovers(target);
        }
        checkSpace(target, bytes);
    }

    /**
     * Gives what is complete its final name. Where a file system cannot replace in one step, what has that name is renamed first, and gets its name back where that fails.
     *
     * @throws FileAlreadyExistsException under {@link WriteMode#CREATE}, where something has that name by now
     */
    static void publish(Location complete, Location target, WriteMode mode) throws IOException {
        try {
            if (target.isLocal() && !target.isDirectory()) {
                AtomicFile.publish(complete.local(), target.local(), mode);
            } else if (mode == WriteMode.OVERWRITE && target.exists()) {
                replace(target, complete);
            } else {
                complete.moveTo(target);
            }
        } catch (FileAlreadyExistsException e) {
            throw alreadyExists(target);
        } catch (IOException e) {
            throw mode == WriteMode.CREATE && target.isDirectory()
                    ? new IOException(
                            "Cannot write " + target + ": it was renamed in part, " + Failures.sentence(e)
                                    + "; it is refused by readers, so overwrite it",
                            e)
                    : e;
        }
    }

    private static void replace(Location target, Location complete) throws IOException {
        Location old = Temporaries.of(target);
        target.moveTo(old);
        try {
            complete.moveTo(target);
        } catch (IOException | RuntimeException e) {
            CleanUp.run(() -> giveBack(old, target, e));
            throw e;
        }
        Temporaries.discard(old);
    }

    private static void giveBack(Location old, Location target, Exception failure) {
        try {
            // What came of it by copying.
            target.delete();
            old.moveTo(target);
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
        Temporaries.over(old);
    }

    private static void checkSpace(Location target, long bytes) throws IOException {
        if (!target.isLocal()) {
            return;
        }
        Path folder = target.local().toAbsolutePath().getParent();
        if (folder == null) {
            return;
        }
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < bytes) {
            throw new IOException("Cannot write " + target.name() + ": it needs " + Figures.bytes(bytes) + ", and "
                    + Figures.bytes(free) + " are free on its disk; nothing was left there");
        }
    }
}
