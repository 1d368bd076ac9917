package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reduces a row-major stream of values over all reduced dimensions but the leading one. Neighbouring dimensions of the
 * same fate count as one, so the rest of a row is alternately kept and reduced; each reduced stretch is a stage that folds
 * vectors as wide as what is kept inside it, by the pairwise tree, and hands its results to the stage around it. The
 * order of the additions is therefore a function of the row's shape alone.
 */
final class RowPipeline implements TileLoop.Sink {

    /** Takes accumulators in row-major order of what is kept. */
    interface Output {
        /** The next {@code count} numbers, whole accumulators; the array is valid during the call. */
        void accept(Object values, int from, int count);
    }

    private static final int EIGHT = 8;

    private final Accumulators accumulators;
    private final DType dtype;
    private final TileLoop.Sink first;
    private final long elementsBefore;

    /**
     * @param dtype of the values that come: the operand's, or float64 where they are widened already
     * @param elementsBefore how many elements of the whole tensor come before this chunk of it
     * @param tileElements the most that are accepted at a time
     */
    RowPipeline(
            Reduce reduce,
            DType dtype,
            Accumulators accumulators,
            long elementsBefore,
            int tileElements,
            Output output) {
        this.accumulators = accumulators;
        this.dtype = dtype;
        this.elementsBefore = elementsBefore;
        this.first = stages(reduce, tileElements, output);
    }

    private TileLoop.Sink stages(Reduce reduce, int tileElements, Output output) {
        Output next = output;
        // From the outermost stage inwards: each vector is as wide as what is kept inside it.
        List<Stretch> stretches = outermostFirst(reduce);
        for (int i = 0; i < stretches.size(); i++) {
            if (stretches.get(i).reduced()) {
                long width = accumulators.components();
                long weight = 1;
                for (Stretch inside : stretches.subList(i + 1, stretches.size())) {
                    width *= inside.reduced() ? 1 : inside.size();
                    weight *= inside.reduced() ? inside.size() : 1;
                }
                long count = stretches.get(i).size();
                boolean innermost = i == stretches.size() - 1;
                if (innermost && reduce.reduction().isDeviation() && count >= PairwiseTree.BLOCK) {
                    return new MomentBlocks(accumulators, dtype, count, tileElements, next);
                }
                if (innermost && reduce.reduction().isPosition()) {
                    return PositionLines.of(reduce, accumulators, dtype, count, elementsBefore, tileElements, next);
                }
                if (innermost && count % EIGHT == 0 && accumulators.addsElements(dtype)) {
                    return eights(tileElements, count == EIGHT ? next : stage(1, count / EIGHT, EIGHT, next));
                }
                next = stage(Math.toIntExact(width), count, weight, next);
            }
        }
        Output stage = next;
        if (accumulators.areElements(dtype)) {
            return (elements, count, tile, firstElement) -> stage.accept(elements, 0, count);
        }
        Object lifted = accumulators.allocate(tileElements * accumulators.components());
        return (elements, count, tile, firstElement) -> {
            accumulators.lift(dtype, elements, count, elementsBefore + firstElement, lifted);
            stage.accept(lifted, 0, count * accumulators.components());
        };
    }

    private Stage stage(int width, long count, long weight, Output next) {
        return new Stage(accumulators, width, count, weight, next);
    }

    /** Elements become accumulators eight at a time. They never wait for the next stretch, which begins with an eight. */
    private TileLoop.Sink eights(int tileElements, Output next) {
        Object lifted = accumulators.allocate(tileElements / EIGHT + 1);
        WholeBlocks blocks = new WholeBlocks(EIGHT, dtype.primitive().newArray(EIGHT), (elements, from, eights) -> {
            accumulators.liftEights(dtype, elements, from, eights, lifted);
            next.accept(lifted, 0, eights);
        });
        return (elements, count, tile, firstElement) -> blocks.accept(elements, 0, count);
    }

    private record Stretch(boolean reduced, long size) {}

    /** The dimensions after the leading one, those of size one dropped, neighbours of the same fate joined. */
    private static List<Stretch> outermostFirst(Reduce reduce) {
        Shape shape = reduce.operand().shape();
        List<Stretch> stretches = new ArrayList<>();
        for (int dim = 1; dim < shape.rank(); dim++) {
            if (shape.size(dim) == 1) {
                continue;
            }
            int current = dim;
            boolean reduced = Arrays.stream(reduce.dims()).anyMatch(d -> d == current);
            int last = stretches.size() - 1;
            if (last >= 0 && stretches.get(last).reduced() == reduced) {
                stretches.set(last, new Stretch(reduced, stretches.get(last).size() * shape.size(dim)));
            } else {
                stretches.add(new Stretch(reduced, shape.size(dim)));
            }
        }
        return stretches;
    }

    @Override
    public void accept(Object elements, int count, long tile, long firstElement) {
        first.accept(elements, count, tile, firstElement);
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
                long whole = fold.missing(count) == count * width ? (end - at) / (count * width) : 0;
                if (whole > 0) {
                    at += segments(values, at, (int) whole);
                    continue;
                }
                long missing = fold.missing(count);
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
