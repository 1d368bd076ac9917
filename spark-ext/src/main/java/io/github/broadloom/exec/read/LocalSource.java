package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KnownTensor;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A tensor in the driver's memory. It is not copied: it stands for the elements that it had when this was made, and is
 * refused when it was written to since.
 *
 * @param version of the tensor's storage
 * @param grid the cuts that were asked for, or null
 */
public record LocalSource(
        Tensor tensor, long version, @Nullable ChunkGrid grid, String name) implements Source, KnownTensor {
    public LocalSource(Tensor tensor, @Nullable ChunkGrid grid, String name) {
        this(tensor, tensor.storage().version(), grid, name);
    }

    @Override
    public Tensor unchanged() {
        requireUnchanged();
        return tensor;
    }

    @Override
    public LocalSource beside(Tensor other, String called) {
        return new LocalSource(other, null, called);
    }

    public void requireUnchanged() {
        if (tensor.storage().version() != version) {
            throw new IllegalStateException(Input.changed(dtype(), shape()));
        }
    }

    /** A box of it as tasks read it, to whom it is sent. */
    public BlockReader sent(Box box) {
        return new Sent(new Block(box.of(unchanged()), box.starts()));
    }

    private record Sent(Block block) implements BlockReader {
        @Override
        public Tensor read(Box box) {
            return box.of(block.tensor(), block.box()).copy();
        }
    }

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

    @Override
    public LocalSource named(String other) {
        return new LocalSource(tensor, version, grid, other);
    }

    @Override
    public Residence residence() {
        return Residence.DRIVER;
    }

    /** What is sent: a dimension that repeats one element is sent as one. */
    @Override
    public long sizeBytes() {
        return BlockCodec.payloadBytes(tensor);
    }
}
