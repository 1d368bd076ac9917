package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduction;

/**
 * How two partial results of a reduction become one, for vectors of them: in {@code double} for floating values, in
 * {@code long} (wrapping) for integers and bools. The minimum and maximum of numbers and NaN is NaN.
 *
 * <p>A vector is a {@code double[]} or a {@code long[]}; the loops stand in the two subclasses, so that each is compiled
 * for one operation on one array type.
 */
public abstract class Accumulators {

    Accumulators() {}

    /** The accumulators of a reduction over values of that dtype. */
    public static Accumulators of(Reduction reduction, DType operand) {
        boolean floating = operand.isFloatingPoint();
        return switch (reduction) {
            case SUM, MEAN -> floating ? DoubleAccumulators.SUM : LongAccumulators.SUM;
            case AMIN -> floating ? DoubleAccumulators.MIN : LongAccumulators.MIN;
            case AMAX -> floating ? DoubleAccumulators.MAX : LongAccumulators.MAX;
        };
    }

    /** A vector of that many accumulators, of which a sum's are zero. */
    public abstract Object allocate(int count);

    /** {@code into[at + k] = into[at + k] ∘ other[from + k]} for {@code count} accumulators. */
    public abstract void combine(Object into, int at, Object other, int from, int count);

    /**
     * Combines neighbouring vectors of {@code width} accumulators: two become one, {@code pairs} times, written from
     * {@code at} on. {@code into} may be {@code values} itself where {@code at <= from}.
     */
    public abstract void foldPairs(Object values, int from, int pairs, int width, Object into, int at);

    /** As three times {@link #foldPairs}: eight become one, {@code groups} times. */
    public abstract void foldEights(Object values, int from, int groups, int width, Object into, int at);

    /**
     * Folds each of {@code segments} neighbouring runs of {@code count} vectors into one, as {@link DyadicFold} folds a
     * stream: its aligned blocks by the dyadic tree, those from the left. {@code into} is not {@code values}.
     */
    public abstract void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at);

    /** Stored elements (an array of the dtype's {@link DType#javaName()}) as accumulators. */
    public abstract void lift(DType dtype, Object elements, int count, Object into);

    /**
     * Writes final accumulators to memory as elements of a dtype.
     *
     * @param divisor what each is divided by, in double: the count of a mean, else 1
     */
    public abstract void store(Object values, int from, int count, double divisor, DType dtype, long address);

    /**
     * Folds {@code 2^level} neighbouring vectors from {@code from} on into the one at {@code at} of {@code scratch}, by
     * the dyadic tree.
     *
     * @param scratch at least as long as the block; may be {@code values}, which is then overwritten
     */
    final void foldBlock(Object values, int from, int level, int width, Object scratch, int at) {
        Object source = values;
        int start = from;
        int left = level;
        while (left > 0) {
            if (left >= 3) {
                foldEights(source, start, 1 << (left - 3), width, scratch, at);
                left -= 3;
            } else {
                foldPairs(source, start, 1 << (left - 1), width, scratch, at);
                left--;
            }
            source = scratch;
            start = at;
        }
        if (level == 0) {
            System.arraycopy(values, from, scratch, at, width);
        }
    }
}
