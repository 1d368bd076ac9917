package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reductions;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.expr.ops.Reduction;

/**
 * What is made of reductions, or takes more than they do, over dimensions of which negative ones count from the end; part of {@link TensorOps}.
 */
public interface StatisticsOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** The sum of the values converted to {@code dtype}, in that dtype. */
    default T sum(DType dtype, KeepDim keepDim, int... dims) {
        return withExpr(Reductions.inDType(Reduction.SUM, expr(), dtype, keepDim, dims));
    }

    /** The mean of the values converted to {@code dtype}, which is a floating one. */
    default T mean(DType dtype, KeepDim keepDim, int... dims) {
        return withExpr(Reductions.inDType(Reduction.MEAN, expr(), dtype, keepDim, dims));
    }

    /** The product of the values converted to {@code dtype}, in that dtype. */
    default T prod(DType dtype, KeepDim keepDim, int... dims) {
        return withExpr(Reductions.inDType(Reduction.PROD, expr(), dtype, keepDim, dims));
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

    /**
     * The {@link ReductionOps#var(KeepDim, int...)}, with the count lessened by {@code correction}: 0 is PyTorch's {@code
     * unbiased=False}.
     */
    default T var(double correction, KeepDim keepDim, int... dims) {
        return withExpr(Expr.reduce(Reduction.VAR, expr(), correction, keepDim, dims));
    }

    /**
     * The {@link ReductionOps#std(KeepDim, int...)}, with the count lessened by {@code correction}: 0 is PyTorch's {@code
     * unbiased=False}.
     */
    default T std(double correction, KeepDim keepDim, int... dims) {
        return withExpr(Expr.reduce(Reduction.STD, expr(), correction, keepDim, dims));
    }

    /**
     * The Euclidean norm: the square root of the sum of the squares. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice, and for bools and integers
     */
    default T norm(int... dims) {
        return norm(KeepDim.DROP, dims);
    }

    /** As {@link #norm(int...)}, and the reduced dimensions may stay with size one. */
    default T norm(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.norm(expr(), 2, keepDim, dims));
    }

    /**
     * The {@code p}-norm: the {@code p}th root of the sum of {@code |x| ** p}; the greatest or smallest {@code |x|} for an
     * infinite {@code p}, and for 0 the number of values that are not zero.
     */
    default T norm(double p, KeepDim keepDim, int... dims) {
        return withExpr(Reductions.norm(expr(), p, keepDim, dims));
    }

    /**
     * The logarithm of the sum of the exponentials, without overflow; of bools and integers in float32. Over these
     * dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    default T logsumexp(int... dims) {
        return logsumexp(KeepDim.DROP, dims);
    }

    /** As {@link #logsumexp(int...)}, and the reduced dimensions may stay with size one. */
    default T logsumexp(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.logsumexp(expr(), keepDim, dims));
    }

    /**
     * The exponentials over their sum along a dimension.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools and integers
     */
    default T softmax(int dim) {
        return withExpr(Reductions.softmax(expr(), dim));
    }

    /** As {@link #softmax(int)}, of the values converted to {@code dtype}. */
    default T softmax(int dim, DType dtype) {
        return withExpr(Reductions.softmax(Expr.cast(expr(), dtype), dim));
    }

    /** The logarithm of the {@link #softmax(int)}, without its underflow. */
    default T logSoftmax(int dim) {
        return withExpr(Reductions.logSoftmax(expr(), dim));
    }

    /** As {@link #logSoftmax(int)}, of the values converted to {@code dtype}. */
    default T logSoftmax(int dim, DType dtype) {
        return withExpr(Reductions.logSoftmax(Expr.cast(expr(), dtype), dim));
    }

    /**
     * The greatest value along a dimension, and where it is: the first of equal values, or the first NaN.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist or has no elements
     */
    default ValuesAndIndices<T> max(KeepDim keepDim, int dim) {
        return Reductions.extreme("max", Reduction.AMAX, expr(), keepDim, dim).map(this::withExpr);
    }

    /**
     * The smallest value along a dimension, and where it is: the first of equal values, or the first NaN.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist or has no elements
     */
    default ValuesAndIndices<T> min(KeepDim keepDim, int dim) {
        return Reductions.extreme("min", Reduction.AMIN, expr(), keepDim, dim).map(this::withExpr);
    }
}
