package io.github.broadloom.io;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Writes a file under a temporary name beside its final one and renames it when it is complete. */
public final class AtomicFile {
    private AtomicFile() {}

    @FunctionalInterface
    public interface Content {
        void writeTo(FileChannel channel) throws IOException;
    }

    /**
     * Makes {@code target} hold what {@code content} writes, or leaves everything as it was.
     *
     * @throws FileAlreadyExistsException under {@link WriteMode#CREATE}, where {@code target} exists
     * @throws IOException where writing fails, for instance on a full disk; the temporary file is then deleted
     */
    public static void write(Path target, WriteMode mode, Content content) throws IOException {
        Path destination = destination(target, mode);
        // Not made from the final name, which may be as long as names can be.
        Path temporary = destination.resolveSibling(".broadloom-" + UUID.randomUUID() + ".tmp");
        boolean complete = false;
        try {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                content.writeTo(channel);
            }
            publish(temporary, destination, mode);
            complete = true;
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (FileSystemException e) {
            // It names the temporary file, which means nothing to anyone.
            String reason = e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getReason());
            FileSystemException failure =
                    new FileSystemException(target.toString(), null, reason + "; nothing was left there");
            failure.initCause(e);
            throw failure;
        } catch (IOException e) {
            String problem = e instanceof ClosedByInterruptException
                    ? "its thread was interrupted"
                    : String.valueOf(e.getMessage());
            throw new IOException("Cannot write " + target + ": " + problem + "; nothing was left there", e);
        } finally {
            if (!complete) {
                Files.deleteIfExists(temporary);
            }
        }
    }

    /** Checks early what would otherwise fail only after the whole content has been written. */
    private static Path destination(Path target, WriteMode mode) throws IOException {
        if (Files.isDirectory(target)) {
            throw new FileAlreadyExistsException(target.toString(), null, "a folder has that name");
        }
        if (mode == WriteMode.CREATE && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw alreadyExists(target);
        }
        // Renaming onto a symbolic link would replace the link, not the file that its owner means.
        Path destination =
                Files.isSymbolicLink(target) && Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
        Path folder = destination.getParent();
        if (destination.getFileName() == null || folder == null || !Files.isDirectory(folder)) {
            throw new NoSuchFileException(target.toString(), null, "its folder does not exist");
        }
        return destination;
    }

    /**
     * Gives a finished file its final name, in one step.
     *
     * @throws FileAlreadyExistsException under {@link WriteMode#CREATE}, where something has that name by now
     */
    public static void publish(Path temporary, Path destination, WriteMode mode) throws IOException {
        if (mode == WriteMode.OVERWRITE) {
            Files.move(temporary, destination, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        try {
            // A hard link fails where the name was taken meanwhile; a rename would silently replace that file.
            Files.createLink(destination, temporary);
            Files.delete(temporary);
        } catch (FileAlreadyExistsException e) {
            throw alreadyExists(destination);
        } catch (UnsupportedOperationException | FileSystemException e) {
            if (Files.exists(destination, LinkOption.NOFOLLOW_LINKS)) {
                throw alreadyExists(destination);
            }
            Files.move(temporary, destination, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static FileAlreadyExistsException alreadyExists(Path target) {
        return new FileAlreadyExistsException(
                target.toString(), null, "it exists and is kept; overwrite it to replace it");
    }
}
