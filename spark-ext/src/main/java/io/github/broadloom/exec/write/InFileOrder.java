package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.write.Sink.ChunkWriter;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;

/** Writes chunks whose elements have their bytes in the other order than this machine. */
record InFileOrder(ChunkWriter writer) implements ChunkWriter {
    private static final long serialVersionUID = 1L;

    /** The writer itself where the file has this machine's order. */
    static ChunkWriter of(FlatFile file, ChunkWriter writer) {
        return file.isSwapped() ? new InFileOrder(writer) : writer;
    }

    @Override
    public Part write(Tensor chunk, int index, long firstRow, long attempt) throws IOException {
        Tensor swapped = chunk.copy();
        try {
            RawMemory.swapBytes(
                    swapped.address(), swapped.numel(), swapped.dtype().bytes());
            return writer.write(swapped, index, firstRow, attempt);
        } finally {
            swapped.release();
        }
    }
}
