package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import org.jspecify.annotations.Nullable;

/** A tensor in files, of which tasks read the rows that they need. */
record FileSource(String name, DType dtype, Shape shape, RowReader reader) implements Source {
    @Override
    public Residence residence() {
        return Residence.FILE;
    }

    @Override
    public @Nullable RowGrid grid() {
        return null;
    }
}
