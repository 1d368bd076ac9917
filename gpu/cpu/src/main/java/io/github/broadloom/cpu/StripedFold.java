package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.MemoryMeter;
import java.util.ArrayList;
import java.util.List;

/**
 * Folds wide rows stripe by stripe, as {@link Tiling.Cut#STRIPES} gives them: some columns of all rows, whose accumulators stay in the first cache, then the next ones. Whole rows one after the other
 * would carry the accumulators of all columns through memory for each. Of every stripe the same nodes are left, which stand side by side in those of the whole rows.
 */
final class StripedFold {
    private static final int EIGHT = 8;
    private static final int EIGHT_LEVEL = 3;

    private final Accumulators accumulators;
    private final int columns;
    private final long firstRow;
    private final long rows;
    private final List<FoldNode> before;
    private final List<FoldNode> wide = new ArrayList<>();
    private PairwiseFold stripe;
    private int stripeWidth;

    /**
     * Of rows that are a chunk of more.
     *
     * @param columns the elements of a row
     * @param firstRow the number of the first row among all
     * @param rows how many come
     * @param before the nodes of rows before, whose arrays are taken
     */
    StripedFold(Accumulators accumulators, int columns, long firstRow, long rows, List<FoldNode> before) {
        this.accumulators = accumulators;
        this.columns = columns;
        this.firstRow = firstRow;
        this.rows = rows;
        this.before = before;
        this.stripe = new PairwiseFold(accumulators, stripeWidth, firstRow, 1);
    }

    /**
     * Takes the tiles.
     *
     * @param dtype of what is in them
     * @param lifted makes accumulators of it for {@link #accept}
     */
    TileLoop.Sink of(DType dtype, TileLoop.Sink lifted) {
        boolean liftsRows = accumulators.liftsRows(dtype);
        Object eights = accumulators.allocate(liftsRows ? TileKernel.CAPACITY / EIGHT : 0);
        return (elements, count, at) -> {
            int components = accumulators.components();
            int tileRows = at.form().extents()[0];
            int number = (int) (at.firstElement() % columns) * components;
            long row = at.firstElement() / columns;
            if (row == 0) {
                begin(number, count / tileRows * components);
            }
            if (liftsRows && tileRows == EIGHT && (firstRow + row) % EIGHT == 0) {
                accumulators.liftRows(dtype, elements, count / EIGHT, eights);
                stripe.acceptFolded(eights, 0, 1, EIGHT_LEVEL);
            } else {
                lifted.accept(elements, count, at);
            }
            if (row + tileRows == rows) {
                place(stripe.nodes(), number);
            }
        };
    }

    private void begin(int number, int width) {
        if (stripeWidth != width) {
            stripeWidth = width;
            stripe = new PairwiseFold(accumulators, width, firstRow, 1);
        }
        stripe.begin(firstRow, before, number);
    }

    /** Takes accumulators, in the order of the tiles. */
    void accept(Object values, int from, int count) {
        stripe.accept(values, from, count);
    }

    /** @param number of a row's, where the stripe begins */
    private void place(List<FoldNode> nodes, int number) {
        if (number == 0) {
            for (int i = 0; i < nodes.size(); i++) {
                // What came before is read stripe by stripe, each before what takes its place.
                Object values = i < before.size() ? before.get(i).values() : allocate();
                wide.add(new FoldNode(nodes.get(i).level(), nodes.get(i).index(), values));
            }
        }
        for (int i = 0; i < nodes.size(); i++) {
            System.arraycopy(nodes.get(i).values(), 0, wide.get(i).values(), number, stripeWidth);
        }
    }

    private Object allocate() {
        int numbers = columns * accumulators.components();
        MemoryMeter.array((long) numbers * Long.BYTES);
        return accumulators.allocate(numbers);
    }

    /** The nodes of all rows, in their order, once all came. */
    List<FoldNode> nodes() {
        return wide;
    }
}
