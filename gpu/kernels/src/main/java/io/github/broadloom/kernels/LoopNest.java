package io.github.broadloom.kernels;

import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The loops over an output and its broadcast operands, in as few dimensions as the strides allow: those of size one are
 * dropped, the rest sorted by the output's stride, and neighbours joined where every operand agrees. Strides are in
 * elements; a broadcast is stride 0.
 */
public final class LoopNest {

    private final long[] sizes;
    private final long[] outputStrides;
    private final long[][] strides;

    private LoopNest(long[] sizes, long[] outputStrides, long[][] strides) {
        this.sizes = sizes;
        this.outputStrides = outputStrides;
        this.strides = strides;
    }

    /**
     * The nest over an output.
     *
     * @param operands each of the output's shape or broadcastable to it
     */
    public static LoopNest of(Layout output, List<Layout> operands) {
        Shape shape = output.shape();
        List<long[]> expanded = new ArrayList<>();
        expanded.add(output.strides());
        for (Layout operand : operands) {
            expanded.add(operand.expand(shape).strides());
        }
        int[] order = IntStream.range(0, shape.rank())
                .filter(dim -> shape.size(dim) != 1)
                .boxed()
                .sorted(Comparator.comparingLong((Integer dim) -> -output.stride(dim)))
                .mapToInt(Integer::intValue)
                .toArray();
        return coalesce(shape, order, expanded);
    }

    private static LoopNest coalesce(Shape shape, int[] order, List<long[]> expanded) {
        int count = expanded.size();
        long[] sizes = new long[order.length];
        long[][] strides = new long[count][order.length];
        int rank = 0;
        for (int dim : order) {
            long size = shape.size(dim);
            int at = rank;
            boolean joins = rank > 0
                    && IntStream.range(0, count).allMatch(k -> strides[k][at - 1] == expanded.get(k)[dim] * size);
            if (joins) {
                rank--;
            }
            sizes[rank] = joins ? sizes[rank] * size : size;
            for (int k = 0; k < count; k++) {
                strides[k][rank] = expanded.get(k)[dim];
            }
            rank++;
        }
        int kept = rank;
        long[][] cut =
                Arrays.stream(strides).map(row -> Arrays.copyOf(row, kept)).toArray(long[][]::new);
        return new LoopNest(Arrays.copyOf(sizes, rank), cut[0], Arrays.copyOfRange(cut, 1, cut.length));
    }

    public int rank() {
        return sizes.length;
    }

    /** The iterations of a loop; loop 0 is the outermost. */
    public long size(int loop) {
        return sizes[loop];
    }

    public int operands() {
        return strides.length;
    }

    /** The step of an operand in a loop, in elements. */
    public long stride(int operand, int loop) {
        return strides[operand][loop];
    }

    /** The step of the output in a loop, in elements. */
    public long outputStride(int loop) {
        return outputStrides[loop];
    }

    /** The iterations of the loops, for example {@code [1536, 50176]}. */
    @Override
    public String toString() {
        return Arrays.toString(sizes);
    }
}
