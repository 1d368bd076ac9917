package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.dtype.DType;

/**
 * The innermost stage of a {@link RowPipeline} for a stretch of neighbours that is folded block by block: each block of values that is there in full becomes one accumulator in a loop of its
 * own, and these are then joined by the pairwise tree. The blocks begin at the stretch's first value, wherever a tile ends.
 */
final class LineBlocks implements TileLoop.Sink {

    /** Makes accumulators of blocks. */
    interface Lift {
        void of(Object elements, int from, int blocks, Object accumulators);
    }

    /** As many are folded at a time, wherever tiles begin: a power of two, which is one node of the tree. */
    private static final int NODES = 128;

    private final Accumulators accumulators;
    private final DType dtype;
    private final int level;
    private final long count;
    private final Lift lift;
    private final RowPipeline.Output next;
    private final PairwiseFold fold;
    private final Object nodes;
    private final Object pending;
    private final WholeBlocks blocks;
    private final Object lifted;
    private int waiting;
    private long position;

    /**
     * Blocks of {@code 2^level} values.
     *
     * @param dtype of the values that come, at most {@code most} at a time
     * @param count how long a stretch is
     */
    LineBlocks(
            Accumulators accumulators,
            DType dtype,
            int level,
            long count,
            int most,
            Lift lift,
            RowPipeline.Output next) {
        int length = 1 << level;
        int components = accumulators.components();
        this.accumulators = accumulators;
        this.dtype = dtype;
        this.level = level;
        this.count = count;
        this.lift = lift;
        this.next = next;
        this.fold = new PairwiseFold(accumulators, components, 0, 1);
        this.nodes = accumulators.allocate(components * NODES);
        this.pending = dtype.primitive().newArray(length);
        this.blocks = new WholeBlocks(length, pending, this::fold);
        this.lifted = accumulators.allocate(components * Math.max(length, most / length + 1));
    }

    @Override
    public void accept(Object elements, int length, TileCursor tile) {
        int at = 0;
        while (at < length) {
            int taken = (int) Math.min(length - at, count - position);
            blocks.accept(elements, at, taken);
            at += taken;
            position += taken;
            if (position == count) {
                finishStretch();
            }
        }
    }

    private void fold(Object elements, int from, int count) {
        lift.of(elements, from, count, lifted);
        int components = accumulators.components();
        for (int at = 0; at < count; ) {
            int taken = Math.min(count - at, NODES - waiting);
            System.arraycopy(lifted, at * components, nodes, waiting * components, taken * components);
            waiting += taken;
            at += taken;
            if (waiting == NODES) {
                foldWaiting();
            }
        }
    }

    private void foldWaiting() {
        fold.acceptFolded(nodes, 0, waiting, level);
        waiting = 0;
    }

    /** What is left is no block: it is joined value by value. */
    private void finishStretch() {
        foldWaiting();
        int rest = blocks.takeRest();
        if (rest > 0) {
            accumulators.lift(dtype, pending, rest, 0, lifted);
            fold.accept(lifted, 0, accumulators.components() * rest);
        }
        next.accept(fold.finish(), 0, accumulators.components());
        position = 0;
    }
}
