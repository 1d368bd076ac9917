package io.github.broadloom.exec.exchange;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.Checksum;
import io.github.broadloom.exec.OwnBytes;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A checked piece of a tensor that is broadcast to every executor: some blocks of it, with their places and a checksum. A tensor goes in several, because Spark has all bytes of a broadcast
 * variable on the heap at a time, where it is made and where it arrives.
 *
 * <p>On every machine a piece is a view: where it arrives, its elements go straight to their places in the one tensor that is {@linkplain Assembly assembled} there, which lives as long
 * as Spark keeps one of its pieces.
 */
public final class BroadcastPiece extends OwnBytes {
    private static final long serialVersionUID = 1L;
    /** The objects: the elements are not Spark's to count, because dropping the piece frees none of them. */
    private static final long OVERHEAD_BYTES = 256;

    private transient @Nullable Label label;
    private transient List<Block> blocks = List.of();
    private transient @Nullable Assembly assembly;

    /** @param whole the tensor's own name, in all JVMs */
    record Label(UUID whole, int number, DType dtype, Shape shape) {}

    public BroadcastPiece() {}

    BroadcastPiece(Label label, List<Block> blocks) {
        this.label = label;
        this.blocks = List.copyOf(blocks);
    }

    /** @throws IllegalStateException where it was made here and not sent, so that it is in no assembly */
    void requireArrived() {
        if (assembly == null) {
            throw new IllegalStateException("Cannot assemble from piece: it did not travel");
        }
    }

    @Override
    public long estimatedSize() {
        return OVERHEAD_BYTES;
    }

    /** Its label and the places of its blocks, a checksum, the elements of the blocks, a checksum of all: memory is taken as the label says, so that is checked first. */
    @Override
    protected void writeTo(DataOutput to) throws IOException {
        Label own = label;
        if (own == null) {
            throw new IllegalStateException("Cannot use piece: its serialiser lost the label");
        }
        Checksum sum = new Checksum();
        DataOutputStream out = sum.over(to);
        BlockCodec.writeByteOrder(out);
        out.writeLong(own.whole().getMostSignificantBits());
        out.writeLong(own.whole().getLeastSignificantBits());
        out.writeInt(own.number());
        out.writeByte(own.dtype().ordinal());
        out.writeByte(own.shape().rank());
        BlockCodec.writeAll(own.shape().toArray(), out);
        out.writeInt(blocks.size());
        for (Block block : blocks) {
            BlockCodec.writeAll(block.box().starts(), out);
            BlockCodec.writeAll(block.box().shape().toArray(), out);
        }
        sum.write(to);
        for (Block block : blocks) {
            BlockCodec.writeElements(block.tensor(), out);
        }
        sum.write(to);
    }

    @Override
    protected void readFrom(DataInput from) throws IOException {
        Checksum sum = new Checksum();
        DataInputStream in = sum.over(from);
        BlockCodec.checkByteOrder(in);
        UUID whole = new UUID(in.readLong(), in.readLong());
        int number = in.readInt();
        byte dtype = in.readByte();
        int rank = in.readUnsignedByte();
        long[] sizes = BlockCodec.readAll(rank, in);
        int count = in.readInt();
        List<long[]> places = new ArrayList<>();
        for (int i = 0; i < 2 * count; i++) {
            places.add(BlockCodec.readAll(rank, in));
        }
        sum.check(from, "the label of a piece of a tensor");
        Label read = new Label(whole, number, DType.values()[dtype], Shape.of(sizes));
        Assembly into = Assembly.of(whole, read.dtype(), read.shape());
        boolean again = into.has(number);
        List<Block> views = new ArrayList<>();
        long elements = 0;
        for (int i = 0; i < count; i++) {
            Box box = Box.at(places.get(2 * i), Shape.of(places.get(2 * i + 1)));
            Tensor view = box.of(into.tensor());
            readElements(view, again, in);
            views.add(new Block(view, box.starts()));
            elements += view.numel();
        }
        sum.check(from, "piece " + number + " of a tensor of " + read.dtype() + " " + read.shape());
        into.add(number, elements);
        label = read;
        blocks = List.copyOf(views);
        assembly = into;
    }

    private static void readElements(Tensor view, boolean again, DataInput in) throws IOException {
        if (view.isContiguous() && !again) {
            BlockCodec.readElements(in, view);
            return;
        }
        Tensor apart = Tensors.empty(view.dtype(), view.shape());
        try {
            BlockCodec.readElements(in, apart);
            if (!again) {
                view.copy_(apart);
            }
        } finally {
            apart.release();
        }
    }
}
