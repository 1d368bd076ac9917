package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.cpu.reduce.WideElements;
import io.github.broadloom.cpu.simd.Folds;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Join;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import io.github.broadloom.kernels.reduce.ReductionOrder;
import io.github.broadloom.kernels.reduce.ReductionOrder.Stretch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reduces a row-major stream of values over all reduced dimensions but the leading one, in their {@linkplain ReductionOrder order}: the rest of a
 * row is alternately kept and reduced, and each reduced stretch is a stage that folds vectors as wide as what is kept inside it, and hands
 * its results to the stage around it.
 *
 * @param dtype of the values that come: the operand's, or float64 where they are widened already
 * @param elementsBefore how many elements of the whole tensor come before this chunk of it
 * @param tileElements the most that are accepted at a time
 */
record RowPipeline(Reduce reduce, DType dtype, Accumulators accumulators, long elementsBefore, int tileElements) {

    /** Takes accumulators in row-major order of what is kept. */
    interface Output {
        /** The next {@code count} numbers, whole accumulators; the array is valid during the call. */
        void accept(Object values, int from, int count);
    }

    /** As many elements are joined in one loop. */
    static final int EIGHT = 8;

    /** Of the node of the tree that they are. */
    static final int EIGHT_LEVEL = 3;

    private static final int BLOCK_LEVEL = Integer.numberOfTrailingZeros(PairwiseTree.BLOCK);

    /** Shorter stretches that are no whole number of eights are as soon folded many at a time. */
    private static final int LONG = 256;

    TileLoop.Sink into(Output output) {
        Output next = output;
        ReductionOrder order = ReductionOrder.of(
                reduce.operand().shape(), reduce.dims(), reduce.reduction().isDeviation());
        List<Stretch> stretches = order.stretches();
        // From the outermost stage inwards: each vector is as wide as what is kept inside it.
        for (int i = 0; i < stretches.size(); i++) {
            if (stretches.get(i).isReduced()) {
                long width = accumulators.components();
                long weight = 1;
                for (Stretch inside : stretches.subList(i + 1, stretches.size())) {
                    width *= inside.isReduced() ? 1 : inside.size();
                    weight *= inside.isReduced() ? inside.size() : 1;
                }
                long count = stretches.get(i).size();
                boolean innermost = i == stretches.size() - 1;
                TileLoop.@Nullable Sink lines = innermost ? lines(order.isInBlocks(), count, next) : null;
                if (lines != null) {
                    return lines;
                }
                next = new Stage(accumulators, Math.toIntExact(width), count, weight, next);
            }
        }
        return lifting(accumulators, dtype, elementsBefore, tileElements, next);
    }

    /** The innermost stage, where its stretches of neighbours are not just folded by the pairwise tree; null where they are. */
    private TileLoop.@Nullable Sink lines(boolean inBlocks, long count, Output next) {
        Join join = reduce.reduction().join();
        if (inBlocks) {
            return moments(count, next);
        }
        if (reduce.reduction().isPosition()) {
            return new PositionLines(reduce, accumulators, dtype, count, elementsBefore, tileElements, next);
        }
        if (ExtremeLines.takes(join, dtype, count)) {
            return new ExtremeLines(join, count, tileElements, next);
        }
        if (!accumulators.addsElements(dtype)) {
            return null;
        }
        if (count % EIGHT == 0) {
            return eights(count == EIGHT ? next : new Stage(accumulators, 1, count / EIGHT, EIGHT, next));
        }
        LineBlocks.Lift lift =
                (elements, from, blocks, lifted) -> accumulators.liftEights(dtype, elements, from, blocks, lifted);
        return count < LONG ? null : new LineBlocks(accumulators, dtype, EIGHT_LEVEL, count, tileElements, lift, next);
    }

    /** Each block of values gives a mean and the squared distances from it, which is both faster and more accurate than to join single values. */
    private TileLoop.Sink moments(long count, Output next) {
        LineBlocks.Lift moments =
                (elements, from, blocks, lifted) -> Folds.moments((double[]) elements, from, blocks, (double[]) lifted);
        TileLoop.Sink blocks =
                new LineBlocks(accumulators, DType.FLOAT64, BLOCK_LEVEL, count, tileElements, moments, next);
        return dtype == DType.FLOAT64 ? blocks : widened(dtype, tileElements, blocks);
    }

    /** Takes floating elements, at most so many at a time, and hands them on as float64. */
    static TileLoop.Sink widened(DType stored, int tileElements, TileLoop.Sink next) {
        double[] values = new double[tileElements];
        return (elements, count, at) -> {
            WideElements.read(stored, elements, count, values);
            next.accept(values, count, at);
        };
    }

    /** Takes elements, at most so many at a time, and hands them on as accumulators. */
    static TileLoop.Sink lifting(
            Accumulators accumulators, DType dtype, long elementsBefore, int tileElements, Output next) {
        if (accumulators.areElements(dtype)) {
            return (elements, count, at) -> next.accept(elements, 0, count);
        }
        Object lifted = accumulators.allocate(tileElements * accumulators.components());
        return (elements, count, at) -> {
            accumulators.lift(dtype, elements, count, elementsBefore + at.firstElement(), lifted);
            next.accept(lifted, 0, count * accumulators.components());
        };
    }

    /** Elements become accumulators eight at a time. They never wait for the next stretch, which begins with an eight. */
    private TileLoop.Sink eights(Output next) {
        Object lifted = accumulators.allocate(tileElements / EIGHT + 1);
        WholeBlocks blocks = new WholeBlocks(EIGHT, dtype.primitive().newArray(EIGHT), (elements, from, eights) -> {
            accumulators.liftEights(dtype, elements, from, eights, lifted);
            next.accept(lifted, 0, eights);
        });
        return (elements, count, at) -> blocks.accept(elements, 0, count);
    }

    /** Folds every {@code count} vectors into one. */
    private static final class Stage implements Output {
        private final Accumulators accumulators;
        private final int width;
        private final long count;
        private final long weight;
        private final Output next;
        private final PairwiseFold fold;
        private Object folded;
        private int foldedLength;

        Stage(Accumulators accumulators, int width, long count, long weight, Output next) {
            this.accumulators = accumulators;
            this.width = width;
            this.count = count;
            this.weight = weight;
            this.next = next;
            this.fold = new PairwiseFold(accumulators, width, 0, weight);
            this.folded = accumulators.allocate(0);
        }

        /** Many short folds that are there as a whole: without a stack. */
        private int segments(Object values, int at, int segments) {
            int length = segments * width;
            if (foldedLength < length) {
                folded = accumulators.allocate(length);
                foldedLength = length;
            }
            accumulators.loops().foldSegments(values, at, segments, (int) count, width, folded, 0, weight);
            next.accept(folded, 0, length);
            return length * (int) count;
        }

        @Override
        public void accept(Object values, int from, int length) {
            int at = from;
            int end = from + length;
            while (at < end) {
                long missing = fold.missing(count);
                long whole = missing == count * width ? (end - at) / missing : 0;
                if (whole > 0) {
                    at += segments(values, at, (int) whole);
                    continue;
                }
                int taken = (int) Math.min(missing, end - at);
                fold.accept(values, at, taken);
                at += taken;
                if (taken == missing) {
                    next.accept(fold.finish(), 0, width);
                }
            }
        }
    }
}
