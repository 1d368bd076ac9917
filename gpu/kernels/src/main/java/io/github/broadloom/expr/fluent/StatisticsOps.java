package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reductions;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.expr.ops.Reduction;

/** Statistics over dimensions, of which negative ones count from the end; part of {@link TensorOps}. */
public interface StatisticsOps<T extends TensorOps<T>> extends OpsBase<T> {
    /**
     * The variance: the squared deviations from the mean, over their count less one. Over these dimensions; none named
     * means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice, and for bools and integers
     */
    default T var(int... dims) {
        return var(KeepDim.DROP, dims);
    }

    /** As {@link #var(int...)}, and the reduced dimensions may stay with size one. */
    default T var(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.VAR, expr(), keepDim, dims));
    }

    /**
     * As {@link #var(KeepDim, int...)}, with the count lessened by {@code correction}: 0 is PyTorch's {@code
     * unbiased=False}.
     */
    default T var(double correction, KeepDim keepDim, int... dims) {
        return withExpr(Expr.reduce(Reduction.VAR, expr(), dims, keepDim == KeepDim.KEEP, correction));
    }

    /**
     * The standard deviation: the square root of the {@link #var(int...)}. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice, and for bools and integers
     */
    default T std(int... dims) {
        return std(KeepDim.DROP, dims);
    }

    /** As {@link #std(int...)}, and the reduced dimensions may stay with size one. */
    default T std(KeepDim keepDim, int... dims) {
        return withExpr(Reductions.reduce(Reduction.STD, expr(), keepDim, dims));
    }

    /**
     * As {@link #std(KeepDim, int...)}, with the count lessened by {@code correction}: 0 is PyTorch's {@code
     * unbiased=False}.
     */
    default T std(double correction, KeepDim keepDim, int... dims) {
        return withExpr(Expr.reduce(Reduction.STD, expr(), dims, keepDim == KeepDim.KEEP, correction));
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
     * Where in the tensor, read row-major, the greatest value is, or the first NaN; of equal values the first. In int64.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools
     * @throws IndexOutOfBoundsException with PyTorch's text, for a tensor without elements
     */
    default T argmax() {
        return withExpr(Reductions.reduce(Reduction.ARGMAX, expr(), KeepDim.DROP));
    }

    /** Where along a dimension the greatest value is: see {@link #argmax()}. */
    default T argmax(int dim) {
        return argmax(dim, KeepDim.DROP);
    }

    /** As {@link #argmax(int)}, and the dimension may stay with size one. */
    default T argmax(int dim, KeepDim keepDim) {
        return withExpr(Reductions.reduce(Reduction.ARGMAX, expr(), keepDim, dim));
    }

    /**
     * Where in the tensor, read row-major, the smallest value is, or the first NaN; of equal values the first. In int64.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools
     * @throws IndexOutOfBoundsException with PyTorch's text, for a tensor without elements
     */
    default T argmin() {
        return withExpr(Reductions.reduce(Reduction.ARGMIN, expr(), KeepDim.DROP));
    }

    /** Where along a dimension the smallest value is: see {@link #argmin()}. */
    default T argmin(int dim) {
        return argmin(dim, KeepDim.DROP);
    }

    /** As {@link #argmin(int)}, and the dimension may stay with size one. */
    default T argmin(int dim, KeepDim keepDim) {
        return withExpr(Reductions.reduce(Reduction.ARGMIN, expr(), keepDim, dim));
    }

    /**
     * The greatest value along a dimension, and where it is: the first of equal values, or the first NaN.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist or has no elements
     */
    default ValuesAndIndices<T> max(int dim, KeepDim keepDim) {
        return Reductions.extreme("max", Reduction.AMAX, expr(), dim, keepDim).map(this::withExpr);
    }

    /**
     * The smallest value along a dimension, and where it is: the first of equal values, or the first NaN.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist or has no elements
     */
    default ValuesAndIndices<T> min(int dim, KeepDim keepDim) {
        return Reductions.extreme("min", Reduction.AMIN, expr(), dim, keepDim).map(this::withExpr);
    }
}
