package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.shape.Shape;
import org.jspecify.annotations.Nullable;

/** A tensor that lies nowhere: tasks make the elements that they need. */
public record MadeSource(String name, DType dtype, Shape shape, BlockReader reader) implements ReadSource {
    @Override
    public MadeSource named(String other) {
        return new MadeSource(other, dtype, shape, reader);
    }

    @Override
    public String origin() {
        return "made";
    }

    @Override
    public @Nullable ChunkGrid grid() {
        return null;
    }

    @Override
    public String fetching() {
        return "each task makes its own";
    }
}
