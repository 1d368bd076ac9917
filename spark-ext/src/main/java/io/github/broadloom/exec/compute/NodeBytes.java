package io.github.broadloom.exec.compute;

import io.github.broadloom.dtype.Primitive;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.RawMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The nodes of several trees as bytes, for results of tasks: in an array that is just as large as they are, with numbers as they lie in memory. */
final class NodeBytes {
    /** The level, the index, what the numbers are, and how many. */
    private static final int HEAD_BYTES = Integer.BYTES + Long.BYTES + 1 + Integer.BYTES;

    private NodeBytes() {}

    /** @throws ArithmeticException where they are more than an array can hold */
    static byte[] of(List<List<FoldNode>> trees) {
        long size = Integer.BYTES;
        for (List<FoldNode> nodes : trees) {
            size += Integer.BYTES
                    + nodes.stream()
                            .mapToLong(node -> HEAD_BYTES + node.sizeBytes())
                            .sum();
        }
        byte[] bytes = new byte[Math.toIntExact(size)];
        MemoryMeter.array(size);
        ByteBuffer out = ByteBuffer.wrap(bytes);
        out.putInt(trees.size());
        for (List<FoldNode> nodes : trees) {
            out.putInt(nodes.size());
            nodes.forEach(node -> put(node, out));
        }
        return bytes;
    }

    private static void put(FoldNode node, ByteBuffer out) {
        Object values = node.values();
        out.putInt(node.level())
                .putLong(node.index())
                .put((byte) Primitive.of(values).ordinal())
                .putInt(FoldNode.numbers(values));
        RawMemory.copy(values, RawMemory.firstElement(values), out.array(), place(out), node.sizeBytes());
        out.position(out.position() + (int) node.sizeBytes());
    }

    private static long place(ByteBuffer bytes) {
        return RawMemory.firstElement(bytes.array()) + bytes.position();
    }

    static List<List<FoldNode>> read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        List<List<FoldNode>> trees = new ArrayList<>();
        for (int tree = in.getInt(); tree > 0; tree--) {
            List<FoldNode> nodes = new ArrayList<>();
            for (int node = in.getInt(); node > 0; node--) {
                nodes.add(node(in));
            }
            trees.add(nodes);
        }
        return trees;
    }

    private static FoldNode node(ByteBuffer in) {
        int level = in.getInt();
        long index = in.getLong();
        Primitive primitive = Primitive.values()[in.get()];
        Object values = primitive.newArray(in.getInt());
        FoldNode node = new FoldNode(level, index, values);
        RawMemory.copy(in.array(), place(in), values, RawMemory.firstElement(values), node.sizeBytes());
        in.position(in.position() + (int) node.sizeBytes());
        return node;
    }
}
