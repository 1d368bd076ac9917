package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.plan.Box;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * A {@linkplain Parcel parcel} as bytes: its label and the places of its blocks, a checksum, the elements of the blocks, a checksum. The CRC-32C runs through all of it, so the second one
 * covers the first part again; the first one is there because memory is taken as the label says.
 */
final class ParcelCodec {
    private ParcelCodec() {}

    /**
     * A parcel that was read.
     *
     * @param blocks views of the tensor that it is a part of
     */
    record Arrived(Parcel.Label label, List<Block> blocks, Assembly assembly) {}

    static void write(Parcel.Label label, List<Block> blocks, DataOutput to) throws IOException {
        CRC32C sum = new CRC32C();
        DataOutputStream out = new DataOutputStream(new CheckedOutputStream(new Sink(to), sum));
        BlockCodec.writeByteOrder(out);
        out.writeLong(label.whole().getMostSignificantBits());
        out.writeLong(label.whole().getLeastSignificantBits());
        out.writeInt(label.number());
        out.writeByte(label.dtype().ordinal());
        out.writeByte(label.shape().rank());
        writeAll(label.shape().toArray(), out);
        out.writeInt(blocks.size());
        for (Block block : blocks) {
            writeAll(block.box().starts(), out);
            writeAll(block.box().shape().toArray(), out);
        }
        to.writeInt((int) sum.getValue());
        for (Block block : blocks) {
            BlockCodec.writeElements(block.tensor(), out);
        }
        to.writeInt((int) sum.getValue());
    }

    /** Reads a parcel into the tensor that it is a part of. */
    static Arrived read(DataInput from) throws IOException {
        CRC32C sum = new CRC32C();
        DataInputStream in = new DataInputStream(new CheckedInputStream(new Origin(from), sum));
        BlockCodec.checkByteOrder(in);
        UUID whole = new UUID(in.readLong(), in.readLong());
        int number = in.readInt();
        byte dtype = in.readByte();
        int rank = in.readUnsignedByte();
        long[] sizes = readAll(rank, in);
        int count = in.readInt();
        List<long[]> places = new ArrayList<>();
        for (int i = 0; i < 2 * count; i++) {
            places.add(readAll(rank, in));
        }
        check(sum, from, "the label of a piece of a tensor");
        Parcel.Label label = new Parcel.Label(whole, number, DType.values()[dtype], Shape.of(sizes));
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
        check(sum, from, "piece " + number + " of a tensor of " + label.dtype() + " " + label.shape());
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

    private static void check(CRC32C sum, DataInput from, String what) throws IOException {
        int seen = (int) sum.getValue();
        int sent = from.readInt();
        if (seen != sent) {
            throw new IOException("Cannot receive " + what + ": it arrived damaged, with CRC-32C "
                    + Integer.toHexString(seen) + " where " + Integer.toHexString(sent)
                    + " was sent; look at the network and the disks of this machine");
        }
    }

    private static void writeAll(long[] numbers, DataOutput out) throws IOException {
        for (long number : numbers) {
            out.writeLong(number);
        }
    }

    private static long[] readAll(int count, DataInput in) throws IOException {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = in.readLong();
        }
        return numbers;
    }

    /** What a checked stream writes to. */
    private static final class Sink extends OutputStream {
        private final DataOutput out;

        Sink(DataOutput out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }
    }

    /** What a checked stream reads from: exactly the bytes that it is asked for. */
    private static final class Origin extends InputStream {
        private final DataInput in;

        Origin(DataInput in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            return in.readUnsignedByte();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            in.readFully(bytes, offset, length);
            return length;
        }
    }
}
