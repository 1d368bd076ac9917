package io.github.broadloom.zarr;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A chunk whose dimensions another codec has in another order.
 *
 * @param order the dimension of the chunk that is each one of the inner codec's
 */
record TransposedChunk(List<Integer> order, ChunkCodec inner) implements ChunkCodec {
    private static final long serialVersionUID = 1L;

    /** The order that makes row-major elements column-major. */
    static List<Integer> reversed(int rank) {
        Integer[] order = new Integer[rank];
        Arrays.setAll(order, d -> rank - 1 - d);
        return List.of(order);
    }

    /** A shape with its dimensions in an order. */
    static Shape permuted(Shape shape, List<Integer> order) {
        return Shape.of(order.stream().mapToLong(shape::size).toArray());
    }

    private Shape outside(Shape within) {
        long[] sizes = new long[within.rank()];
        for (int d = 0; d < sizes.length; d++) {
            sizes[order.get(d)] = within.size(d);
        }
        return Shape.of(sizes);
    }

    private Tensor within(Tensor tensor) {
        return tensor.permute(order.stream().mapToInt(Integer::intValue).toArray());
    }

    @Override
    public Shape shape() {
        return outside(inner.shape());
    }

    @Override
    public Shape piece() {
        return outside(inner.piece());
    }

    @Override
    public void read(ChunkRange bytes, Box part, Tensor target) throws IOException {
        long[] starts = order.stream().mapToLong(part::start).toArray();
        inner.read(bytes, Box.at(starts, permuted(part.shape(), order)), within(target));
    }

    @Override
    public List<Encoded> encode(Tensor chunk) {
        return inner.encode(within(chunk));
    }

    @Override
    public String describe() {
        boolean reversed = order.equals(reversed(order.size()));
        return (reversed ? "column-major, " : "transposed " + order + ", ") + inner.describe();
    }
}
