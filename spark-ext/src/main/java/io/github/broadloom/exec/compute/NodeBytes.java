package io.github.broadloom.exec.compute;

import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.MemoryMeter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The nodes of several trees as bytes, for results of tasks: in an array that is just as large as they are. */
final class NodeBytes {
    /** The level, the index, what the numbers are, and how many. */
    private static final int HEAD_BYTES = Integer.BYTES + Long.BYTES + 1 + Integer.BYTES;

    private enum Numbers {
        DOUBLE,
        LONG,
        FLOAT,
        INT;

        static Numbers of(Object array) {
            return array instanceof double[]
                    ? DOUBLE
                    : array instanceof long[] ? LONG : array instanceof float[] ? FLOAT : INT;
        }

        int bytes() {
            return this == DOUBLE || this == LONG ? Long.BYTES : Integer.BYTES;
        }
    }

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
        ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(trees.size());
        for (List<FoldNode> nodes : trees) {
            out.putInt(nodes.size());
            nodes.forEach(node -> put(node, out));
        }
        return bytes;
    }

    private static void put(FoldNode node, ByteBuffer out) {
        Object values = node.values();
        Numbers numbers = Numbers.of(values);
        int count = FoldNode.numbers(values);
        out.putInt(node.level())
                .putLong(node.index())
                .put((byte) numbers.ordinal())
                .putInt(count);
        switch (numbers) {
            case DOUBLE -> out.asDoubleBuffer().put((double[]) values);
            case LONG -> out.asLongBuffer().put((long[]) values);
            case FLOAT -> out.asFloatBuffer().put((float[]) values);
            case INT -> out.asIntBuffer().put((int[]) values);
        }
        out.position(out.position() + count * numbers.bytes());
    }

    static List<List<FoldNode>> read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
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
        Numbers numbers = Numbers.values()[in.get()];
        int count = in.getInt();
        Object values = values(numbers, count, in);
        in.position(in.position() + count * numbers.bytes());
        return new FoldNode(level, index, values);
    }

    private static Object values(Numbers numbers, int count, ByteBuffer in) {
        return switch (numbers) {
            case DOUBLE -> {
                double[] values = new double[count];
                in.asDoubleBuffer().get(values);
                yield values;
            }
            case LONG -> {
                long[] values = new long[count];
                in.asLongBuffer().get(values);
                yield values;
            }
            case FLOAT -> {
                float[] values = new float[count];
                in.asFloatBuffer().get(values);
                yield values;
            }
            case INT -> {
                int[] values = new int[count];
                in.asIntBuffer().get(values);
                yield values;
            }
        };
    }
}
