package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.RowNodes;
import io.github.broadloom.tensor.MemoryMeter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folds the rows of matrices stripe by stripe, as {@link Tiling.Cut#STRIPES} gives them: some columns of all rows, whose accumulators stay in the first cache, then the next ones. Whole rows one
 * after the other would carry the accumulators of all columns through memory for each. What is left of a stripe is what the whole rows leave in its columns.
 */
final class StripedFold implements TileLoop.Sink {
    private final Accumulators accumulators;
    private final DType dtype;
    private final Matrix matrix;
    private final Ending ending;
    private final boolean liftsRows;
    private final TileLoop.Sink lifting;
    private final Object row;
    private final Object lifted;
    private PairwiseFold stripe;
    private int stripeWidth;

    /**
     * What is folded.
     *
     * @param rows how many come
     * @param firstRow the number of the first one among all
     * @param firstElement the number of the first element among all, row-major
     */
    record Matrix(long rows, long columns, long firstRow, long firstElement) {}

    /** Where the folded stripes go, in their order. */
    interface Ending {
        /** @param number of a row's accumulators, where the stripe begins */
        default void begin(PairwiseFold stripe, int number) {}

        void end(PairwiseFold stripe, int number, int width);
    }

    /** @param dtype of what is in the tiles */
    StripedFold(Accumulators accumulators, DType dtype, Matrix matrix, Ending ending) {
        this.accumulators = accumulators;
        this.dtype = dtype;
        this.matrix = matrix;
        this.ending = ending;
        this.liftsRows = accumulators.liftsRows(dtype);
        this.lifting = RowPipeline.lifting(accumulators, dtype, 0, TileKernel.CAPACITY, this::fold);
        this.row = dtype.primitive().newArray(accumulators.isOfPlaces() ? TileKernel.CAPACITY : 0);
        this.lifted = accumulators.allocate(TileKernel.CAPACITY * accumulators.components());
        this.stripe = new PairwiseFold(accumulators, stripeWidth, 0, 1);
    }

    /** Stripes whose folded rows are results. */
    static Ending results(RowPipeline.Output output) {
        return (stripe, number, width) -> output.accept(stripe.finish(), 0, width);
    }

    @Override
    public void accept(Object elements, int count, TileCursor at) {
        int tileRows = at.rows();
        int tileColumns = count / tileRows;
        int width = tileColumns * accumulators.components();
        int number = (int) (at.firstElement() % matrix.columns) * accumulators.components();
        long first = at.firstElement() / matrix.columns % matrix.rows;
        if (first == 0) {
            begin(number, width);
        }
        if (liftsRows && tileRows == RowPipeline.EIGHT && (matrix.firstRow + first) % RowPipeline.EIGHT == 0) {
            long place = matrix.firstElement + at.firstElement();
            accumulators.liftRows(dtype, elements, tileColumns, place, matrix.columns, lifted);
            stripe.acceptFolded(lifted, 0, 1, RowPipeline.EIGHT_LEVEL);
        } else if (accumulators.isOfPlaces()) {
            foldPlaces(elements, tileRows, tileColumns, matrix.firstElement + at.firstElement());
        } else {
            lifting.accept(elements, count, at);
        }
        if (first + tileRows == matrix.rows) {
            ending.end(stripe, number, width);
        }
    }

    private void begin(int number, int width) {
        if (stripeWidth != width) {
            stripeWidth = width;
            stripe = new PairwiseFold(accumulators, width, 0, 1);
        }
        stripe.begin(matrix.firstRow);
        ending.begin(stripe, number);
    }

    private void fold(Object values, int from, int count) {
        stripe.accept(values, from, count);
    }

    /** Row by row: their places are no neighbours. */
    private void foldPlaces(Object elements, int tileRows, int tileColumns, long firstPlace) {
        for (int i = 0; i < tileRows; i++) {
            System.arraycopy(elements, i * tileColumns, row, 0, tileColumns);
            accumulators.lift(dtype, row, tileColumns, firstPlace + i * matrix.columns, lifted);
            stripe.accept(lifted, 0, stripeWidth);
        }
    }

    /** Stripes whose rows are some of more: the nodes of their columns stand side by side in those of the whole rows. */
    static final class Nodes implements Ending {
        private final Accumulators accumulators;
        private final int numbers;
        private final List<FoldNode> before;
        private final RowNodes target;
        private final List<FoldNode> wide = new ArrayList<>();

        /**
         * None yet.
         *
         * @param numbers of all accumulators of a row
         * @param before the nodes of the rows before, whose arrays are taken
         * @param target takes them, and has arrays for them
         */
        Nodes(Accumulators accumulators, int numbers, List<FoldNode> before, RowNodes target) {
            this.accumulators = accumulators;
            this.numbers = numbers;
            this.before = before;
            this.target = target;
        }

        @Override
        public void begin(PairwiseFold stripe, int number) {
            stripe.goOn(before, number);
        }

        @Override
        public void end(PairwiseFold stripe, int number, int width) {
            List<FoldNode> nodes = stripe.nodes();
            if (number == 0) {
                for (int i = 0; i < nodes.size(); i++) {
                    // What came before is read stripe by stripe, each before what takes its place.
                    Object values = i < before.size() ? before.get(i).values() : array();
                    wide.add(new FoldNode(nodes.get(i).level(), nodes.get(i).index(), values));
                }
            }
            for (int i = 0; i < nodes.size(); i++) {
                System.arraycopy(nodes.get(i).values(), 0, wide.get(i).values(), number, width);
            }
        }

        private Object array() {
            @Nullable Object spare = target.takeSpare();
            if (spare != null) {
                return spare;
            }
            MemoryMeter.array((long) numbers * Long.BYTES);
            return accumulators.allocate(numbers);
        }

        /** Gives those of all rows to the target, once all came. */
        void finish() {
            wide.forEach(target::push);
            before.stream().skip(wide.size()).map(FoldNode::values).forEach(target::giveSpare);
        }
    }
}
