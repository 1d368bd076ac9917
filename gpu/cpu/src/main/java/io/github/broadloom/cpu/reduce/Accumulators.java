package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.simd.Folds;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Join;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.tensor.RawMemory;
import java.util.Arrays;

/**
 * What a reduction or a scan gathers, from the elements to the result: in {@code double} for floating values, in {@code long}
 * (wrapping) for integers and bools. These are those of one component that are stored as they are.
 *
 * <p>A vector of accumulators is a {@code double[]} or a {@code long[]}, in which the components of each stand side by
 * side: {@link #components()} numbers for each accumulator. All counts and positions here are in numbers, but where
 * elements are meant.
 */
public class Accumulators {
    private final FoldLoops loops;
    private final Join join;
    private final boolean floating;

    Accumulators(Join join, boolean floating) {
        this.join = join;
        this.floating = floating;
        this.loops = FoldRenderer.loops(join, floating ? "double" : "long");
    }

    public static Accumulators of(Reduce reduce) {
        Reduction reduction = reduce.reduction();
        if (reduction.isDeviation()) {
            return new Moments(reduce);
        }
        if (reduction.isPosition()) {
            return PositionAccumulators.forReduction(reduce);
        }
        double divisor = reduction == Reduction.MEAN ? reduce.reducedCount() : 1;
        return reduce.operand().dtype().isFloatingPoint()
                ? new DoubleAccumulators(reduction, divisor)
                : new Accumulators(reduction.join(), false);
    }

    /**
     * The accumulators of a scan: what is stored of each is the scan's result at its place.
     *
     * @throws IllegalStateException where it is no scan
     */
    public static Accumulators of(Along scan) {
        return scan.total().map(Accumulators::of).orElseGet(() -> PositionAccumulators.forScan(scan));
    }

    /** Whether the order in which they are joined never shows. */
    public final boolean isExact() {
        return !floating || join.isExact();
    }

    public final FoldLoops loops() {
        return loops;
    }

    /** {@link FoldLoops#combine}, where it is faster in a loop of its own. */
    public void combine(Object into, int at, Object other, int from, int count, double weight, double otherWeight) {
        loops.combine(into, at, other, from, count, weight, otherWeight);
    }

    /** How many numbers an accumulator has. */
    public final int components() {
        return join.components();
    }

    /** A vector of that many numbers, all zero. */
    public final Object allocate(int count) {
        return floating ? new double[count] : new long[count];
    }

    /** A vector of {@code elements} accumulators of no values at all. */
    public final Object identities(int elements) {
        Object identities = allocate(join.components() * elements);
        if (identities instanceof double[] doubles) {
            Arrays.fill(doubles, join.identity());
        } else {
            Arrays.fill((long[]) identities, join.identity());
        }
        return identities;
    }

    /**
     * Stored elements (an array of the dtype's {@link DType#primitive()}) as accumulators.
     *
     * @param firstElement the place of the first in the whole tensor, row-major
     */
    public void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into) {
        WideElements.read(dtype, elements, elementCount, into);
    }

    /** Whether stored elements of that dtype are accumulators as they stand, which {@link #lift} would only copy. */
    public final boolean areElements(DType dtype) {
        return join.components() == 1 && dtype == (floating ? DType.FLOAT64 : DType.INT64);
    }

    /** Whether {@link #add} and {@link #liftEights} take stored elements of that dtype. */
    public boolean addsElements(DType dtype) {
        return false;
    }

    /** Whether a place goes with each value, which {@link #lift} wants to know. */
    public boolean isOfPlaces() {
        return false;
    }

    /** Whether {@link #liftRows} takes stored elements of that dtype. */
    public boolean liftsRows(DType dtype) {
        return false;
    }

    /**
     * Eight rows of stored elements, one after the other, as a row of accumulators, joined by the pairwise tree.
     *
     * @param width the elements of a row
     * @param firstElement the place of the first in the whole tensor, row-major
     * @param rowElements how many places farther on that of the next row's first is
     * @throws UnsupportedOperationException of a dtype that {@link #liftsRows} denies
     */
    public void liftRows(DType dtype, Object elements, int width, long firstElement, long rowElements, Object into) {
        throw notAdded(dtype);
    }

    /**
     * Joins stored elements to accumulators, in one pass over both: what {@link #lift} and {@link #combine} come to.
     *
     * @throws UnsupportedOperationException of a dtype that {@link #addsElements} denies
     */
    public void add(DType dtype, Object elements, int elementCount, Object into) {
        throw notAdded(dtype);
    }

    /**
     * Stored elements as accumulators of eight neighbours each, joined by the pairwise tree.
     *
     * @param eights how many accumulators
     * @throws UnsupportedOperationException of a dtype that {@link #addsElements} denies
     */
    public void liftEights(DType dtype, Object elements, int from, int eights, Object into) {
        throw notAdded(dtype);
    }

    private static UnsupportedOperationException notAdded(DType dtype) {
        return new UnsupportedOperationException("Cannot add " + dtype + ": lift the elements");
    }

    /** Writes final accumulators to memory as elements of the result's dtype. */
    public void store(Object values, int from, int count, DType dtype, long address) {
        if (dtype == DType.INT64) {
            RawMemory.copy((long[]) values, from, address, count);
        } else {
            WideElements.write(values, from, 1, count, dtype, address);
        }
    }

    /**
     * Folds {@code 2^level} neighbouring vectors from {@code from} on into the one at {@code at} of {@code scratch}, by
     * the pairwise tree.
     *
     * @param scratch at least as long as the block; may be {@code values}, which is then overwritten
     * @param weight how many values are in each accumulator
     */
    final void foldBlock(Object values, int from, int level, int width, Object scratch, int at, double weight) {
        Object source = values;
        int start = from;
        double inEach = weight;
        int left = level;
        while (left > 0) {
            if (left >= 3) {
                loops.foldEights(source, start, 1 << (left - 3), width, scratch, at, inEach);
                left -= 3;
                inEach *= 8;
            } else {
                loops.foldPairs(source, start, 1 << (left - 1), width, scratch, at, inEach);
                left--;
                inEach *= 2;
            }
            source = scratch;
            start = at;
        }
    }

    /** The means and the sums of the squared deviations of floating values, for the variance and its square root. */
    private static final class Moments extends Accumulators {
        private final boolean root;
        private final double divisor;

        Moments(Reduce reduce) {
            super(reduce.reduction().join(), true);
            this.root = reduce.reduction() == Reduction.STD;
            this.divisor = Math.max(0, reduce.reducedCount() - reduce.correction());
        }

        @Override
        public void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into) {
            super.lift(dtype, elements, elementCount, firstElement, into);
            Folds.liftMoments((double[]) into, elementCount);
        }

        @Override
        public void combine(Object into, int at, Object other, int from, int count, double weight, double otherWeight) {
            double share = otherWeight / (weight + otherWeight);
            Folds.joinMoments((double[]) into, at, (double[]) other, from, count, share, weight * share);
        }

        @Override
        public void store(Object values, int from, int count, DType dtype, long address) {
            double[] source = (double[]) values;
            for (int i = 0; i < count / 2; i++) {
                double variance = source[from + 2 * i + 1] / divisor;
                WideElements.write(root ? Math.sqrt(variance) : variance, dtype, address, i);
            }
        }
    }
}
