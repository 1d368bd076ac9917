package io.github.broadloom.exec.files;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;

/** Deletes folders in which tasks may still put files. */
final class Deletion {
    /** A folder whose writers are gone is empty long before. */
    private static final int ATTEMPTS = 1_000;

    private Deletion() {}

    static void of(Location location) throws IOException {
        if (!location.isLocal()) {
            tree(location);
        } else if (Files.isDirectory(location.local(), LinkOption.NOFOLLOW_LINKS)) {
            tree(aside(location));
        } else {
            Files.deleteIfExists(location.local());
        }
    }

    /**
     * A folder of the machine's own under a hidden name, so that tasks cannot find it any more and put files there as fast as they are deleted; where
     * it stands if it cannot have one. Hadoop's file systems are not asked to: of those, some delete a folder in one step, and others rename it by copying.
     */
    private static Location aside(Location folder) {
        Location hidden = Temporaries.of(folder);
        try {
            folder.moveTo(hidden);
            return hidden;
        } catch (IOException e) {
            return folder;
        } finally {
            Temporaries.over(hidden);
        }
    }

    private static void tree(Location folder) throws IOException {
        for (int left = ATTEMPTS; !all(folder); left--) {
            if (left == 0) {
                throw new DirectoryNotEmptyException(folder.name());
            }
        }
    }

    /** Returns false where something appeared in the folder meanwhile. */
    private static boolean all(Location folder) throws IOException {
        if (!folder.isLocal()) {
            return folder.fileSystem().delete(folder.hadoop(), true)
                    || !folder.fileSystem().exists(folder.hadoop());
        }
        for (Location.Entry entry : folder.list()) {
            Location child = folder.child(entry.name());
            if (entry.folder()) {
                tree(child);
            } else {
                Files.deleteIfExists(child.local());
            }
        }
        try {
            Files.deleteIfExists(folder.local());
            return true;
        } catch (DirectoryNotEmptyException e) {
            return false;
        }
    }
}
