package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Part;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.Serializable;

/** Writes one chunk. It may be called several times for one chunk, also at the same time: tasks are retried and speculated. */
public interface ChunkWriter extends Serializable {
    /**
     * @param chunk contiguous
     * @param index the chunk's number
     * @param firstRow its first row
     * @param attempt a number that no other call has
     * @return what the chunk has become, which is the same for all calls
     */
    Part write(Tensor chunk, int index, long firstRow, long attempt) throws IOException;
}
