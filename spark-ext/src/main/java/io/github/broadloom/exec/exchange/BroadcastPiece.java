package io.github.broadloom.exec.exchange;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.shape.Shape;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import org.apache.spark.util.KnownSizeEstimation;
import org.jspecify.annotations.Nullable;

/**
 * A checked piece of a tensor that travels to every executor: some blocks of it, with their places and a checksum. A tensor goes in several, because Spark has all bytes of a broadcast
 * variable on the heap at a time, where it is made and where it arrives.
 *
 * <p>On every machine a piece is a view: where it arrives, its elements go straight to their places in the one tensor that is {@linkplain Assembly assembled} there, which lives as long
 * as Spark keeps one of its pieces.
 */
public final class BroadcastPiece implements Externalizable, KryoSerializable, KnownSizeEstimation {
    private static final long serialVersionUID = 1L;
    /** The objects: the elements are not Spark's to count, because dropping the piece frees none of them. */
    private static final long OVERHEAD_BYTES = 256;

    private transient @Nullable Label label;
    private transient List<Block> blocks = List.of();
    private transient @Nullable Assembly assembly;

    /**
     * What belongs together.
     *
     * @param whole the tensor's own name, in all JVMs
     * @param number of the piece among those of the tensor
     * @param shape of the tensor
     */
    record Label(UUID whole, int number, DType dtype, Shape shape) {}

    /** For the serialisers. */
    public BroadcastPiece() {}

    /** @param blocks at their places in the whole */
    BroadcastPiece(Label label, List<Block> blocks) {
        this.label = label;
        this.blocks = List.copyOf(blocks);
    }

    /**
     * Its elements are in the assembly of this JVM.
     *
     * @throws IllegalStateException where it was made here and did not travel
     */
    void requireArrived() {
        if (assembly == null) {
            throw new IllegalStateException("Cannot assemble from piece: it did not travel");
        }
    }

    @Override
    public long estimatedSize() {
        return OVERHEAD_BYTES;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        BroadcastPieceCodec.write(labelled(), blocks, out);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        take(BroadcastPieceCodec.read(in));
    }

    @Override
    public void write(Kryo kryo, Output out) {
        try {
            DataOutputStream data = new DataOutputStream(out);
            BroadcastPieceCodec.write(labelled(), blocks, data);
            data.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public void read(Kryo kryo, Input in) {
        try {
            // Not closed and not buffered: what follows in the stream belongs to Kryo.
            take(BroadcastPieceCodec.read(new DataInputStream(in)));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private void take(BroadcastPieceCodec.Arrived arrived) {
        label = arrived.label();
        blocks = arrived.blocks();
        assembly = arrived.assembly();
    }

    private Label labelled() {
        if (label == null) {
            throw new IllegalStateException("Cannot use piece: its serialiser lost the label");
        }
        return label;
    }
}
