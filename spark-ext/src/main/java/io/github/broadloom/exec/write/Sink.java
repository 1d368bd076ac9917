package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Part;
import java.io.IOException;
import java.util.List;

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
     * @param parts what the tasks that wrote them told, in the order of the chunks
     * @throws IOException where something of that is not there
     */
    void commit(List<Part> parts) throws IOException;

    /** Deletes what was written. */
    void abort() throws IOException;

    /** The target, for messages. */
    String name();
}
