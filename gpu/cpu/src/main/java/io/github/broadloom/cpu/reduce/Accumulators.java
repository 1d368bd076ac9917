package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Join;
import io.github.broadloom.expr.ops.Reduction;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a reduction or a scan gathers, from the elements to the result: in {@code double} for floating values, in {@code long}
 * (wrapping) for integers and bools.
 *
 * <p>A vector of accumulators is a {@code double[]} or a {@code long[]}, in which the components of each stand side by
 * side: {@link #components()} numbers for each accumulator. All counts and positions here are in numbers, but where
 * elements are meant.
 */
public abstract class Accumulators {
    private static final Map<String, FoldLoops> LOOPS = new ConcurrentHashMap<>();

    private final FoldLoops loops;
    private final Join join;
    private final boolean floating;

    Accumulators(Join join, String type) {
        this.join = join;
        this.floating = type.equals("double");
        this.loops = LOOPS.computeIfAbsent(
                FoldRenderer.render(join, type),
                source -> SourceCompiler.compile(FoldRenderer.CLASS_NAME, source, FoldLoops.class));
    }

    /** The accumulators of a reduction. */
    public static Accumulators of(Reduce reduce) {
        Reduction reduction = reduce.reduction();
        boolean floating = reduce.operand().dtype().isFloatingPoint();
        if (reduction.isDeviation()) {
            return new MomentAccumulators(reduce);
        }
        if (reduction.isPosition()) {
            return PositionAccumulators.forReduction(reduce);
        }
        double divisor = reduction == Reduction.MEAN ? reduce.reducedCount() : 1;
        return floating ? new DoubleAccumulators(reduction, divisor) : new LongAccumulators(reduction);
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

    /** The loops that fold them. */
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
    public abstract void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into);

    /** Whether stored elements of that dtype are accumulators as they stand, which {@link #lift} would only copy. */
    public boolean areElements(DType dtype) {
        return false;
    }

    /** Whether {@link #add} and {@link #liftEights} take stored elements of that dtype. */
    public boolean addsElements(DType dtype) {
        return false;
    }

    /**
     * Joins stored elements to accumulators, in one pass over both: what {@link #lift} and {@link #combine} come to.
     *
     * @throws UnsupportedOperationException of a dtype that {@link #addsElements} denies
     */
    public void add(DType dtype, Object elements, int elementCount, Object into) {
        throw new UnsupportedOperationException("Cannot add " + dtype + ": lift the elements");
    }

    /**
     * Stored elements as accumulators of eight neighbours each, joined by the pairwise tree.
     *
     * @param eights how many accumulators
     * @throws UnsupportedOperationException of a dtype that has none
     */
    public void liftEights(DType dtype, Object elements, int from, int eights, Object into) {
        throw new UnsupportedOperationException("Cannot fold eights of " + dtype + ": lift the elements");
    }

    /** Writes final accumulators to memory as elements of the result's dtype. */
    public abstract void store(Object values, int from, int count, DType dtype, long address);

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
        if (level == 0) {
            System.arraycopy(values, from, scratch, at, width);
        }
    }
}
