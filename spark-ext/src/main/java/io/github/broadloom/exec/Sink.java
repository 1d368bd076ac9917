package io.github.broadloom.exec;

import java.io.IOException;

/**
 * Where a tensor is written: under a temporary name that becomes the final one when everything is there. Whoever begins commits or
 * aborts.
 */
public interface Sink {
    /**
     * Checks that the target may be written, and makes room for it, before any job.
     *
     * @throws java.nio.file.FileAlreadyExistsException where something is there that must be kept
     */
    void begin() throws IOException;

    /** What the tasks call. */
    ChunkWriter writer();

    /**
     * Gives the written chunks their final name.
     *
     * @param chunks how many were written
     */
    void commit(int chunks) throws IOException;

    /** Deletes what was written. */
    void abort() throws IOException;

    /** The target, for messages. */
    String name();
}
