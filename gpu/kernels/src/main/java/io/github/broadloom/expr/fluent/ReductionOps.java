package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reductions;
import io.github.broadloom.expr.ops.Reduction;

/**
 * Sums, products, extremes and truth over dimensions, of which negative ones count from the end; part of {@link
 * TensorOps}.
 */
public interface ReductionOps<T extends TensorOps<T>> extends OpsBase<T> {
    /**
     * The sum; bools and integers are summed in int64. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    default T sum(int... dims) {
        return sum(KeepDim.DROP, dims);
    }

    /** As {@link #sum(int...)}, and the reduced dimensions may stay with size one. */
    default T sum(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.SUM, expr(), keepDim, dims));
    }

    /** The sum of the values converted to {@code dtype}, in that dtype. */
    default T sum(DType dtype, KeepDim keepDim, int... dims) {
        return withExpr(Reductions.inDType(Reduction.SUM, expr(), dtype, keepDim, dims));
    }

    /**
     * The arithmetic mean. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice, and for bools and integers
     */
    default T mean(int... dims) {
        return mean(KeepDim.DROP, dims);
    }

    /** As {@link #mean(int...)}, and the reduced dimensions may stay with size one. */
    default T mean(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.MEAN, expr(), keepDim, dims));
    }

    /** The mean of the values converted to {@code dtype}, which is a floating one. */
    default T mean(DType dtype, KeepDim keepDim, int... dims) {
        return withExpr(Reductions.inDType(Reduction.MEAN, expr(), dtype, keepDim, dims));
    }

    /**
     * The product; bools and integers are multiplied in int64. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    default T prod(int... dims) {
        return prod(KeepDim.DROP, dims);
    }

    /** As {@link #prod(int...)}, and the reduced dimensions may stay with size one. */
    default T prod(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.PROD, expr(), keepDim, dims));
    }

    /** The product of the values converted to {@code dtype}, in that dtype. */
    default T prod(DType dtype, KeepDim keepDim, int... dims) {
        return withExpr(Reductions.inDType(Reduction.PROD, expr(), dtype, keepDim, dims));
    }

    /**
     * The smallest value, or NaN where there is one. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    default T amin(int... dims) {
        return amin(KeepDim.DROP, dims);
    }

    /** As {@link #amin(int...)}, and the reduced dimensions may stay with size one. */
    default T amin(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.AMIN, expr(), keepDim, dims));
    }

    /**
     * The greatest value, or NaN where there is one. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    default T amax(int... dims) {
        return amax(KeepDim.DROP, dims);
    }

    /** As {@link #amax(int...)}, and the reduced dimensions may stay with size one. */
    default T amax(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.AMAX, expr(), keepDim, dims));
    }

    /**
     * Whether no value is zero, as bool; of uint8 as uint8. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    default T all(int... dims) {
        return all(KeepDim.DROP, dims);
    }

    /** As {@link #all(int...)}, and the reduced dimensions may stay with size one. */
    default T all(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.ALL, expr(), keepDim, dims));
    }

    /**
     * Whether a value is not zero, as bool; of uint8 as uint8. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    default T any(int... dims) {
        return any(KeepDim.DROP, dims);
    }

    /** As {@link #any(int...)}, and the reduced dimensions may stay with size one. */
    default T any(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.ANY, expr(), keepDim, dims));
    }

    /**
     * How many values are not zero, in int64; NaN is not zero. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    default T countNonzero(int... dims) {
        return countNonzero(KeepDim.DROP, dims);
    }

    /** As {@link #countNonzero(int...)}, and the reduced dimensions may stay with size one. */
    default T countNonzero(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.countNonzero(expr(), keepDim, dims));
    }

    /**
     * The sum of what is not NaN. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    default T nansum(int... dims) {
        return nansum(KeepDim.DROP, dims);
    }

    /** As {@link #nansum(int...)}, and the reduced dimensions may stay with size one. */
    default T nansum(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.NANSUM, expr(), keepDim, dims));
    }

    /**
     * The mean of what is not NaN. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice, and for bools and integers
     */
    default T nanmean(int... dims) {
        return nanmean(KeepDim.DROP, dims);
    }

    /** As {@link #nanmean(int...)}, and the reduced dimensions may stay with size one. */
    default T nanmean(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.nanmean(expr(), keepDim, dims));
    }
}
