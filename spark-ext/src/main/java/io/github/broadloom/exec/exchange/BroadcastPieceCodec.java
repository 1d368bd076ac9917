package io.github.broadloom.exec.exchange;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.Checksum;
import io.github.broadloom.plan.Box;
import io.github.broadloom.shape.Shape;
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

/**
 * A {@linkplain BroadcastPiece piece} as bytes: its label and the places of its blocks, a checksum, the elements of the blocks, a checksum. The CRC-32C runs through all of it, so the second one
 * covers the first part again; the first one is there because memory is taken as the label says.
 */
final class BroadcastPieceCodec {
    private BroadcastPieceCodec() {}

    /**
     * A piece that was read.
     *
     * @param blocks views of the tensor that it is a part of
     */
    record Arrived(BroadcastPiece.Label label, List<Block> blocks, Assembly assembly) {}

    static void write(BroadcastPiece.Label label, List<Block> blocks, DataOutput to) throws IOException {
        Checksum sum = new Checksum();
        DataOutputStream out = sum.over(to);
        BlockCodec.writeByteOrder(out);
        out.writeLong(label.whole().getMostSignificantBits());
        out.writeLong(label.whole().getLeastSignificantBits());
        out.writeInt(label.number());
        out.writeByte(label.dtype().ordinal());
        out.writeByte(label.shape().rank());
        BlockCodec.writeAll(label.shape().toArray(), out);
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

    /** Reads a piece into the tensor that it is a part of. */
    static Arrived read(DataInput from) throws IOException {
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
        BroadcastPiece.Label label = new BroadcastPiece.Label(whole, number, DType.values()[dtype], Shape.of(sizes));
        Assembly assembly = Assembly.of(whole, label.dtype(), label.shape());
        boolean again = assembly.has(number);
        List<Block> blocks = new ArrayList<>();
        long elements = 0;
        for (int i = 0; i < count; i++) {
            Box box = Box.at(places.get(2 * i), Shape.of(places.get(2 * i + 1)));
            Tensor view = box.of(assembly.tensor());
            readElements(view, again, in);
            blocks.add(new Block(view, box.starts()));
            elements += view.numel();
        }
        sum.check(from, "piece " + number + " of a tensor of " + label.dtype() + " " + label.shape());
        assembly.add(number, elements);
        return new Arrived(label, List.copyOf(blocks), assembly);
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
