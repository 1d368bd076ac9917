package io.github.broadloom.exec;

import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Figures;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;

/** The checks before writing, and the temporary names. */
final class Targets {
    private static final Pattern PART =
            Pattern.compile("part-\\d{5,}\\.[a-z]+|_SUCCESS|\\..*\\.crc|\\.part-\\d{5,}\\.[a-z]+\\.\\d+\\.tmp");

    private Targets() {}

    /** A name beside the target that nobody else has, hidden from who lists parts. */
    static Location temporary(Location target) {
        return target.sibling("." + target.fileName() + "." + UUID.randomUUID() + ".tmp");
    }

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
        for (String name : target.list()) {
            if (!PART.matcher(name).matches()) {
                throw new FileAlreadyExistsException(
                        target.name(), null, "it is kept, because it holds more than the parts of a tensor: " + name);
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

    /** Fails early where the local disk obviously cannot hold the result. */
    static void checkSpace(Location target, long bytes) throws IOException {
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
