package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.MemoryMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Folds wide rows stripe by stripe, as {@link Tiling.Cut#STRIPES} gives them: some columns of all rows, whose accumulators stay in the first cache, then the next ones. Whole rows one after the other
 * would carry the accumulators of all columns through memory for each. Of every stripe the same nodes are left, which stand side by side in those of the whole rows.
 */
final class StripedFold implements TileLoop.Sink {
    private final Accumulators accumulators;
    private final DType dtype;
    private final long columns;
    private final long firstRow;
    private final long rows;
    private final Object lifted;
    private final List<FoldNode> wide = new ArrayList<>();
    private PairwiseFold stripe;

    /**
     * Of rows that are a chunk of more.
     *
     * @param dtype of the values that come
     * @param columns the elements of a row
     * @param firstRow the number of the first row among all
     * @param rows how many come
     */
    StripedFold(Accumulators accumulators, DType dtype, long columns, long firstRow, long rows) {
        this.accumulators = accumulators;
        this.dtype = dtype;
        this.columns = columns;
        this.firstRow = firstRow;
        this.rows = rows;
        this.lifted = accumulators.allocate(TileKernel.CAPACITY * accumulators.components());
        this.stripe = stripe(0);
    }

    private PairwiseFold stripe(int width) {
        return new PairwiseFold(accumulators, width, firstRow, 1);
    }

    @Override
    public void accept(Object elements, int count, TileCursor at) {
        int tileRows = at.form().extents()[0];
        int width = count / tileRows * accumulators.components();
        long row = at.firstElement() / columns;
        if (row == 0) {
            stripe = stripe(width);
        }
        if (accumulators.areElements(dtype)) {
            stripe.accept(elements, 0, count);
        } else {
            accumulators.lift(dtype, elements, count, 0, lifted);
            stripe.accept(lifted, 0, count * accumulators.components());
        }
        if (row + tileRows == rows) {
            place(stripe.nodes(), (int) (at.firstElement() % columns) * accumulators.components(), width);
        }
    }

    private void place(List<FoldNode> nodes, int column, int width) {
        if (wide.isEmpty()) {
            int all = Math.toIntExact(columns * accumulators.components());
            for (FoldNode node : nodes) {
                MemoryMeter.array((long) all * Long.BYTES);
                wide.add(new FoldNode(node.level(), node.index(), accumulators.allocate(all)));
            }
        }
        for (int i = 0; i < nodes.size(); i++) {
            System.arraycopy(nodes.get(i).values(), 0, wide.get(i).values(), column, width);
        }
    }

    /** Gives the nodes away, in the order of their rows, once all rows came. */
    void nodes(Consumer<FoldNode> target) {
        wide.forEach(target);
    }
}
