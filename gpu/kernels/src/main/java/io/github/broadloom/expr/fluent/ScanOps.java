package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.expr.ops.LineOp.Kind;
import io.github.broadloom.tensor.Tensor;
import java.util.OptionalInt;

/**
 * Running sums, medians and quantiles along a dimension, which a negative one counts from the end; part of {@link
 * TensorOps}. Along the leading dimension of a distributed tensor what runs stays in its chunks, and one task takes all
 * rows for a median or a quantile.
 */
public interface ScanOps<T extends TensorOps<T>> extends OpsBase<T> {
    /**
     * The running sums along a dimension; bools and integers in int64.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    default T cumsum(int dim) {
        return withExpr(Lines.cumsum(expr(), dim));
    }

    /** The running sums of the values converted to {@code dtype}, in that dtype. */
    default T cumsum(int dim, DType dtype) {
        return withExpr(Lines.runningIn(dtype, Kind.CUMSUM, expr(), dim));
    }

    /** The running products along a dimension; bools and integers in int64. */
    default T cumprod(int dim) {
        return withExpr(Lines.cumprod(expr(), dim));
    }

    /** The running products of the values converted to {@code dtype}, in that dtype. */
    default T cumprod(int dim, DType dtype) {
        return withExpr(Lines.runningIn(dtype, Kind.CUMPROD, expr(), dim));
    }

    /** The greatest values so far along a dimension, or NaN after one, and where each is: the last of equal ones. */
    default ValuesAndIndices<T> cummax(int dim) {
        return Lines.cummax(expr(), dim).map(this::withExpr);
    }

    /** The smallest values so far along a dimension, or NaN after one, and where each is: the last of equal ones. */
    default ValuesAndIndices<T> cummin(int dim) {
        return Lines.cummin(expr(), dim).map(this::withExpr);
    }

    /**
     * The median of all values, of two middle ones the lower; NaN where there is one.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools
     */
    default T median() {
        return withExpr(Lines.median(Kind.MEDIAN, expr()));
    }

    /**
     * The medians along a dimension, of two middle values the lower, and where each is: the first of equal ones, where
     * PyTorch leaves open which.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist or has no elements
     */
    default ValuesAndIndices<T> median(KeepDim keepDim, int dim) {
        return Lines.median(Kind.MEDIAN, expr(), keepDim, dim).map(this::withExpr);
    }

    /** The {@link #median()} of what is not NaN. */
    default T nanmedian() {
        return withExpr(Lines.median(Kind.NANMEDIAN, expr()));
    }

    /** The {@link #median(KeepDim, int)} of what is not NaN. */
    default ValuesAndIndices<T> nanmedian(KeepDim keepDim, int dim) {
        return Lines.median(Kind.NANMEDIAN, expr(), keepDim, dim).map(this::withExpr);
    }

    /**
     * The value below which a part {@code q} of all values lies, on the line between its neighbours; NaN where there is
     * one.
     *
     * @throws IllegalArgumentException with PyTorch's text, for dtypes other than float32 and float64, a {@code q} outside
     *     of 0 to 1, and a tensor without elements
     */
    default T quantile(double q) {
        return withExpr(new Lines.Quantile(Kind.QUANTILE, Interpolation.LINEAR, KeepDim.DROP, OptionalInt.empty())
                .at(expr(), q));
    }

    /**
     * As {@link #quantile(double)}, at the value of a scalar {@code q}, or along a new leading dimension at the values of a vector, which
     * are read at once.
     *
     * @throws IllegalArgumentException with PyTorch's text, also where {@code q} has another dtype or more than one dimension
     */
    default T quantile(Tensor q) {
        return withExpr(new Lines.Quantile(Kind.QUANTILE, Interpolation.LINEAR, KeepDim.DROP, OptionalInt.empty())
                .at(expr(), Input.of(q)));
    }

    /** As {@link #quantile(double)}, along a dimension. */
    default T quantile(double q, int dim) {
        return quantile(q, Interpolation.LINEAR, KeepDim.DROP, dim);
    }

    /** As {@link #quantile(double)}, along a dimension that may stay with size one. */
    default T quantile(double q, Interpolation interpolation, KeepDim keepDim, int dim) {
        return withExpr(along(Kind.QUANTILE, interpolation, keepDim, dim).at(expr(), q));
    }

    /** As {@link #quantile(Tensor)}, along a dimension that may stay with size one. */
    default T quantile(Tensor q, Interpolation interpolation, KeepDim keepDim, int dim) {
        return withExpr(along(Kind.QUANTILE, interpolation, keepDim, dim).at(expr(), Input.of(q)));
    }

    /** As {@link #quantile(double, Interpolation, KeepDim, int)}, of what is not NaN. */
    default T nanquantile(double q, Interpolation interpolation, KeepDim keepDim, int dim) {
        return withExpr(along(Kind.NANQUANTILE, interpolation, keepDim, dim).at(expr(), q));
    }

    /** As {@link #quantile(Tensor, Interpolation, KeepDim, int)}, of what is not NaN. */
    default T nanquantile(Tensor q, Interpolation interpolation, KeepDim keepDim, int dim) {
        return withExpr(along(Kind.NANQUANTILE, interpolation, keepDim, dim).at(expr(), Input.of(q)));
    }

    private static Lines.Quantile along(Kind kind, Interpolation interpolation, KeepDim keepDim, int dim) {
        return new Lines.Quantile(kind, interpolation, keepDim, OptionalInt.of(dim));
    }
}
