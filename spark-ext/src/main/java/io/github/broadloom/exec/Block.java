package io.github.broadloom.exec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.github.broadloom.tensor.Tensor;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.util.KnownSizeEstimation;
import org.jspecify.annotations.Nullable;

/**
 * A tensor as an element of an RDD or the value of a broadcast variable: the rows of a larger tensor from {@link
 * #firstRow()} on, off-heap, freed when nothing refers to it.
 *
 * <p>A block that was computed to be cached owns its memory: Spark closes the elements that it drops from its memory, and the memory goes
 * back to the pool at once, or when the last task that {@linkplain #hold holds} the block ends. Any other block shares its memory, and closing it does
 * nothing. Spark counts blocks at their true size, and both of its serialisers carry them.
 */
public final class Block implements Externalizable, KryoSerializable, KnownSizeEstimation, AutoCloseable {
    private static final long serialVersionUID = 1L;
    /** The objects around the elements, roughly. */
    private static final long OVERHEAD_BYTES = 256;

    private transient @Nullable Tensor tensor;
    private transient long firstRow;
    /** Who may read the memory that this owns, Spark's cache being one; null where the memory is shared. */
    private transient @Nullable AtomicInteger holders;

    private transient boolean closed;

    /** For the serialisers. */
    public Block() {}

    /** Shares the tensor's memory. */
    public Block(Tensor tensor, long firstRow) {
        this.tensor = tensor;
        this.firstRow = firstRow;
    }

    /** A block that owns a tensor which nobody else knows. */
    static Block owning(Tensor tensor, long firstRow) {
        Block block = new Block(tensor, firstRow);
        block.holders = new AtomicInteger(1);
        return block;
    }

    /**
     * Keeps the memory until {@link #letGo}. Spark locks the blocks that a task reads until it ends; this holds also where it does not.
     *
     * @throws IllegalStateException where Spark has dropped the block
     */
    void hold() {
        if (holders != null && holders.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
            throw new IllegalStateException("Cannot read " + this + ": Spark dropped it meanwhile");
        }
    }

    /** Ends what one {@link #hold} began. */
    void letGo() {
        if (holders != null && holders.decrementAndGet() == 0) {
            tensor().release();
        }
    }

    /** Spark drops the block; more than once does no harm. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        letGo();
    }

    /** The rows. */
    public Tensor tensor() {
        if (tensor == null) {
            throw new IllegalStateException("Cannot use block: its serialiser lost the tensor");
        }
        return tensor;
    }

    /** The index of the first row in the whole tensor. */
    public long firstRow() {
        return firstRow;
    }

    /** The bytes of its elements, off-heap as they are, for Spark's accounting. */
    @Override
    public long estimatedSize() {
        return OVERHEAD_BYTES + BlockCodec.payloadBytes(tensor());
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        out.writeLong(firstRow);
        BlockCodec.write(tensor(), out);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        firstRow = in.readLong();
        tensor = BlockCodec.read(in);
    }

    @Override
    public void write(Kryo kryo, Output out) {
        out.writeLong(firstRow);
        try {
            DataOutputStream data = new DataOutputStream(out);
            BlockCodec.write(tensor(), data);
            data.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void read(Kryo kryo, Input in) {
        firstRow = in.readLong();
        try {
            // Not closed and not buffered: what follows in the stream belongs to Kryo.
            tensor = BlockCodec.read(new DataInputStream(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "block of " + tensor().dtype() + " " + tensor().shape() + " from row " + firstRow;
    }
}
