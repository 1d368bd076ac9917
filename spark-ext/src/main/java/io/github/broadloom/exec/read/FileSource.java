package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.shape.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A tensor in files, of which tasks read what they need.
 *
 * @param grid the cuts that the files dictate, or null where any rows are read as easily
 * @param piece the sizes of a file's chunk; null where any box is read alone
 */
public record FileSource(
        String name,
        String file,
        DType dtype,
        Shape shape,
        @Nullable ChunkGrid grid,
        @Nullable Shape piece,
        BlockReader reader)
        implements ReadSource {
    @Override
    public String origin() {
        return "file " + file;
    }

    @Override
    public FileSource named(String other) {
        return new FileSource(other, file, dtype, shape, grid, piece, reader);
    }
}
