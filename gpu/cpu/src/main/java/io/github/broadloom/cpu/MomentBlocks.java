package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.cpu.reduce.WideElements;
import io.github.broadloom.cpu.simd.Folds;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.reduce.PairwiseTree;

/**
 * The innermost stage of a {@link RowPipeline} for squared deviations along a stretch of neighbours: each block of values that is
 * there in full gives a mean and the squared distances from it, which is both faster and more accurate than to join single values;
 * the blocks are then joined by the pairwise tree. The blocks begin at the stretch's first value, wherever a tile ends.
 */
final class MomentBlocks implements TileLoop.Sink {
    private static final int BLOCK_LEVEL = Integer.numberOfTrailingZeros(PairwiseTree.BLOCK);
    private static final int COMPONENTS = 2;

    private final Accumulators accumulators;
    private final DType dtype;
    private final long count;
    private final RowPipeline.Output next;
    private final PairwiseFold fold;
    private final double[] widened;
    private final double[] nodes;
    private final double[] pending = new double[PairwiseTree.BLOCK];
    private final WholeBlocks blocks = new WholeBlocks(PairwiseTree.BLOCK, pending, this::fold);
    private final double[] lifted = new double[COMPONENTS * PairwiseTree.BLOCK];
    private long position;

    /** @param count how long a stretch is */
    MomentBlocks(Accumulators accumulators, DType dtype, long count, int tileElements, RowPipeline.Output next) {
        this.accumulators = accumulators;
        this.dtype = dtype;
        this.count = count;
        this.next = next;
        this.fold = new PairwiseFold(accumulators, COMPONENTS, 0, 1);
        this.widened = new double[dtype == DType.FLOAT64 ? 0 : tileElements];
        this.nodes = new double[COMPONENTS * (tileElements / PairwiseTree.BLOCK + 1)];
    }

    @Override
    public void accept(Object elements, int length, TileCursor tile) {
        double[] values = values(elements, length);
        int at = 0;
        while (at < length) {
            int taken = (int) Math.min(length - at, count - position);
            blocks.accept(values, at, taken);
            at += taken;
            position += taken;
            if (position == count) {
                finishStretch();
            }
        }
    }

    private double[] values(Object elements, int length) {
        if (dtype == DType.FLOAT64) {
            return (double[]) elements;
        }
        WideElements.read(dtype, elements, length, widened);
        return widened;
    }

    private void fold(Object values, int from, int count) {
        Folds.moments((double[]) values, from, count, nodes);
        fold.acceptFolded(nodes, 0, count, BLOCK_LEVEL);
    }

    /** What is left is no block: it is joined value by value. */
    private void finishStretch() {
        int rest = blocks.takeRest();
        if (rest > 0) {
            accumulators.lift(DType.FLOAT64, pending, rest, 0, lifted);
            fold.accept(lifted, 0, COMPONENTS * rest);
        }
        next.accept(fold.finish(), 0, COMPONENTS);
        position = 0;
    }
}
