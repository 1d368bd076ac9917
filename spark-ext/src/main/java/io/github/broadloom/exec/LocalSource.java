package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A tensor in the driver's memory.
 *
 * @param grid the cuts that were asked for, or null
 */
public record LocalSource(Tensor tensor, @Nullable RowGrid grid, String name) implements Source {
    @Override
    public DType dtype() {
        return tensor.dtype();
    }

    @Override
    public Shape shape() {
        return tensor.shape();
    }

    @Override
    public String origin() {
        return "local";
    }

    /** The same tensor under another name. */
    public LocalSource named(String other) {
        return new LocalSource(tensor, grid, other);
    }

    @Override
    public Residence residence() {
        return Residence.DRIVER;
    }

    /** What travels: a dimension that repeats one element travels as one. */
    @Override
    public long sizeBytes() {
        return BlockCodec.payloadBytes(tensor);
    }
}
