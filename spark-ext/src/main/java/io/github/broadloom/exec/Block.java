package io.github.broadloom.exec;

import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A tensor as an element of an RDD or the value of a broadcast variable: a block of a larger tensor, at {@link
 * #box()}, off-heap, freed when nothing refers to it.
 *
 * <p>A block that was computed to be cached owns its memory: Spark closes the elements that it drops from its memory, and the memory goes
 * back to the pool at once, or when the last task that {@linkplain #hold holds} the block ends. Any other block shares its memory, and closing it does
 * nothing. Spark counts blocks at their true size, and both of its serialisers carry them.
 */
public final class Block extends OwnBytes implements AutoCloseable {
    private static final long serialVersionUID = 1L;
    /** The objects around the elements, roughly. */
    private static final long OVERHEAD_BYTES = 256;

    private transient @Nullable Tensor tensor;
    private transient long[] starts = {};
    /** Whether the memory goes when Spark drops this. */
    private transient boolean owns;

    private transient volatile long usedNanos = System.nanoTime();
    /** Whether it was made of bytes, so that nobody else has it but where Spark keeps what it made. */
    private transient boolean copy;

    public Block() {}

    /**
     * Shares the tensor's memory.
     *
     * @param starts the place of its first element in the larger tensor; 0 in the dimensions that are not given
     */
    public Block(Tensor tensor, long... starts) {
        this.tensor = tensor;
        this.starts = Arrays.copyOf(starts, tensor.rank());
    }

    /** A block that owns a tensor which nobody else knows. */
    public static Block owning(Tensor tensor, long... starts) {
        Block block = new Block(tensor, starts);
        block.owns = true;
        return block;
    }

    /**
     * Keeps the memory until {@link #letGo}. Spark locks the blocks that a task reads until it ends; this holds also where it does not.
     *
     * @throws IllegalStateException where Spark has dropped the block, or the tensor that shares its memory was released
     */
    public void hold() {
        usedNanos = System.nanoTime();
        try {
            tensor().storage().hold();
        } catch (IllegalStateException e) {
            throw owns ? new IllegalStateException("Cannot read " + this + ": Spark dropped it meanwhile", e) : e;
        }
    }

    /** Ends what one {@link #hold} began. */
    public void letGo() {
        tensor().storage().letGo();
    }

    /** Spark drops the block; more than once does no harm. */
    @Override
    public void close() {
        if (owns) {
            tensor().release();
        }
    }

    /** How long ago it was made, or a task began to read it. */
    public long idleNanos() {
        return System.nanoTime() - usedNanos;
    }

    public boolean isCopy() {
        return copy;
    }

    public Tensor tensor() {
        if (tensor == null) {
            throw new IllegalStateException("Cannot use block: its serialiser lost the tensor");
        }
        return tensor;
    }

    public Box box() {
        return Box.at(starts, tensor().shape());
    }

    /** The index of the first row in the larger tensor. */
    public long firstRow() {
        return starts.length == 0 ? 0 : starts[0];
    }

    /** The bytes of its elements, off-heap as they are, for Spark's accounting. */
    @Override
    public long estimatedSize() {
        return OVERHEAD_BYTES + BlockCodec.payloadBytes(tensor());
    }

    @Override
    protected void writeTo(DataOutput out) throws IOException {
        BlockCodec.write(tensor(), starts, out);
    }

    @Override
    protected void readFrom(DataInput in) throws IOException {
        BlockCodec.Arrived arrived = BlockCodec.read(in);
        tensor = arrived.tensor();
        starts = arrived.starts();
        copy = true;
    }

    @Override
    public String toString() {
        return "block of " + tensor().dtype() + " " + tensor().shape() + " from row " + firstRow();
    }
}
