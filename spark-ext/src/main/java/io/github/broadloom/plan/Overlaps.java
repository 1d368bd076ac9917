package io.github.broadloom.plan;

import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much more than it needs each task of a stage would read of an operand that it follows.
 *
 * @param readBytes by all tasks together
 * @param neededBytes by all tasks together
 */
record Overlaps(double readBytes, double neededBytes, long sourceBytes) {
    /** A shuffle writes and reads everything once, in many small pieces. */
    private static final int WASTE = 4;

    /** Of the chunks that lie on the cluster: each is read whole. */
    static Overlaps ofChunks(Found operand, ChunkGrid grid) {
        ChunkGrid own = operand.source().grid();
        if (own == null) {
            return of(operand, grid, 0);
        }
        double chunkBytes = (double) operand.source().sizeBytes() / own.chunks();
        List<Integer> some = own.overlapping(operand.access().box(middle(grid)));
        return of(operand, grid, some.size() * chunkBytes);
    }

    /** Of blocks in files. */
    static Overlaps ofBlocks(Found operand, ChunkGrid grid) {
        return of(operand, grid, operand.source().costBytes(operand.access().box(middle(grid))));
    }

    private static Overlaps of(Found operand, ChunkGrid grid, double readByOne) {
        Shape needed = operand.access().box(middle(grid)).shape();
        double neededByOne = Sizes.bytes(operand.source().dtype(), needed);
        return new Overlaps(
                readByOne * grid.chunks(),
                neededByOne * grid.chunks(),
                operand.source().sizeBytes());
    }

    /** What all tasks together need. */
    static long neededBytes(Found operand, ChunkGrid grid) {
        return (long) ofChunks(operand, grid).neededBytes;
    }

    private static Box middle(ChunkGrid grid) {
        return grid.box(grid.chunks() / 2);
    }

    /** Whether a shuffle costs less: where what is needed is needed about once. */
    boolean isWasteful() {
        return readBytes > WASTE * (double) sourceBytes && readBytes > WASTE * neededBytes;
    }

    /** Whether each chunk of the stage needs just one chunk of the operand, all of it, or none. */
    static boolean areWholeChunks(Found operand, ChunkGrid grid) {
        ChunkGrid own = operand.source().grid();
        if (own == null) {
            return false;
        }
        boolean[] followed = new boolean[own.shape().rank()];
        Box all = Box.whole(grid.shape());
        for (int dim = 0; dim < grid.cutDims(); dim++) {
            RowGrid along = grid.along(dim);
            for (int i = 0; i < along.chunks(); i++) {
                Box needed = operand.access().box(all.with(dim, along.start(i), along.end(i)));
                for (int d = 0; d < followed.length; d++) {
                    boolean part = needed.size(d) < own.shape().size(d);
                    if (part && !needed.isEmpty() && !own.along(d).hasChunk(needed.start(d), needed.end(d))) {
                        return false;
                    }
                    followed[d] |= part;
                }
            }
        }
        return IntStream.range(0, followed.length).allMatch(d -> followed[d] || !own.cuts(d));
    }
}
