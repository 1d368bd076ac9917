package io.github.broadloom.io;

/**
 * What becomes of a file that is already there. In either mode the new content is written under a temporary name in
 * the same folder and renamed when it is complete, so that nobody ever sees half a file under the final name.
 */
public enum WriteMode {
    /** An existing file is kept, and writing fails with {@link java.nio.file.FileAlreadyExistsException}. */
    CREATE,
    /** An existing file is replaced, atomically, by the complete new one. */
    OVERWRITE
}
