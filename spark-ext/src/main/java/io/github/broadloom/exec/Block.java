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
import org.apache.spark.util.KnownSizeEstimation;
import org.jspecify.annotations.Nullable;

/**
 * A tensor as an element of an RDD or the value of a broadcast variable: the rows of a larger tensor from {@link
 * #firstRow()} on, off-heap, freed when nothing refers to it.
 *
 * <p>It is not {@code AutoCloseable}: Spark closes cached elements that are, on eviction and unpersist, while others may still
 * hold them. Spark counts it at its true size, and both of its serialisers carry it.
 */
public final class Block implements Externalizable, KryoSerializable, KnownSizeEstimation {
    private static final long serialVersionUID = 1L;
    /** The objects around the elements, roughly. */
    private static final long OVERHEAD_BYTES = 256;

    private transient @Nullable Tensor tensor;
    private transient long firstRow;

    /** For the serialisers. */
    public Block() {}

    public Block(Tensor tensor, long firstRow) {
        this.tensor = tensor;
        this.firstRow = firstRow;
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
