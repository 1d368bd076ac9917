package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.LineOp.Kind;
import java.util.Arrays;
import java.util.OptionalInt;

/** Functions of whole lines along a dimension, checked and converted as in PyTorch. */
public final class Lines {
    private Lines() {}

    /** The running sums along a dimension; bools and integers in int64. */
    public static Expr cumsum(Expr operand, int dim) {
        return running(Kind.CUMSUM, operand, dim);
    }

    /** The running products along a dimension; bools and integers in int64. */
    public static Expr cumprod(Expr operand, int dim) {
        return running(Kind.CUMPROD, operand, dim);
    }

    /**
     * Running sums or products along a dimension; bools and integers in int64.
     *
     * @param kind {@link Kind#CUMSUM} or {@link Kind#CUMPROD}
     */
    public static Expr running(Kind kind, Expr operand, int dim) {
        operand.shape().normalizeDim(dim);
        Expr summed = operand.dtype().isFloatingPoint() ? operand : Expr.cast(operand, DType.INT64);
        return Along.of(LineOp.of(kind), summed, KeepDim.DROP, dim);
    }

    /**
     * Running sums or products of the values converted to {@code dtype}, in that dtype.
     *
     * @param kind {@link Kind#CUMSUM} or {@link Kind#CUMPROD}
     * @throws IllegalArgumentException with PyTorch's text, for bool
     */
    public static Expr runningIn(DType dtype, Kind kind, Expr operand, int dim) {
        operand.shape().normalizeDim(dim);
        if (dtype == DType.BOOL) {
            throw new IllegalArgumentException(
                    '"' + LineOp.of(kind).torchName() + "_out_cpu\" not implemented for 'Bool'");
        }
        return Expr.cast(running(kind, Expr.cast(operand, dtype), dim), dtype);
    }

    /** The greatest values so far along a dimension, and where each is. */
    public static ValuesAndIndices<Expr> cummax(Expr operand, int dim) {
        return both(LineOp.of(Kind.CUMMAX), LineOp.of(Kind.CUMMAX_INDICES), operand, KeepDim.DROP, dim);
    }

    /** The smallest values so far along a dimension, and where each is. */
    public static ValuesAndIndices<Expr> cummin(Expr operand, int dim) {
        return both(LineOp.of(Kind.CUMMIN), LineOp.of(Kind.CUMMIN_INDICES), operand, KeepDim.DROP, dim);
    }

    private static ValuesAndIndices<Expr> both(LineOp values, LineOp indices, Expr operand, KeepDim keepDim, int dim) {
        return new ValuesAndIndices<>(
                Along.of(values, operand, keepDim, dim), Along.of(indices, operand, keepDim, dim));
    }

    /**
     * All values along a dimension in order, and where each stood. Equal values keep their order, which PyTorch promises where {@code stable} is set.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static ValuesAndIndices<Expr> sort(Expr operand, Order order, int dim) {
        operand.shape().normalizeDim(dim);
        return both(
                LineOp.ranked(Kind.SORT, 0, order),
                LineOp.ranked(Kind.SORT_INDICES, 0, order),
                operand,
                KeepDim.DROP,
                dim);
    }

    /**
     * The first {@code k} values along a dimension in order, and where each stood: of equal ones the first first, where PyTorch leaves open
     * which.
     *
     * @param order descending for the greatest
     * @throws IllegalArgumentException with PyTorch's text, for more values than there are, and for bools
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static ValuesAndIndices<Expr> topk(Expr operand, long k, Order order, int dim) {
        int along = operand.shape().normalizeDim(dim);
        long size = operand.shape().rank() == 0 ? 1 : operand.shape().size(along);
        ProductErrors.require(k >= 0 && k <= size, "selected index k out of range");
        ProductErrors.require(operand.dtype() != DType.BOOL, "topk does not support bool dtypes on CPU");
        long found = operand.shape().rank() == 0 ? 1 : k; // PyTorch gives a scalar even where none is wanted
        return both(
                LineOp.ranked(Kind.TOPK, found, order),
                LineOp.ranked(Kind.TOPK_INDICES, found, order),
                operand,
                KeepDim.DROP,
                dim);
    }

    /**
     * The {@code k}-th smallest value along a dimension, counted from 1, and where it stood: equal ones are counted from the first, where
     * PyTorch leaves open how.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a {@code k} that is not from 1 to the number of values, and for bools
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist or has no elements
     */
    public static ValuesAndIndices<Expr> kthvalue(Expr operand, long k, KeepDim keepDim, int dim) {
        int along = operand.shape().normalizeDim(dim);
        Dims.checkNotEmpty("kthvalue", operand.shape(), along);
        long size = operand.shape().rank() == 0 ? 1 : operand.shape().size(along);
        ProductErrors.require(k >= 1 && k <= size, "kthvalue(): selected number k out of range for dimension " + along);
        boolean isOrdered = operand.dtype() != DType.BOOL || operand.shape().rank() == 0;
        ProductErrors.require(isOrdered, "\"kthvalue_cpu\" not implemented for 'Bool'");
        return both(
                LineOp.ranked(Kind.KTHVALUE, k, Order.ASCENDING),
                LineOp.ranked(Kind.KTHVALUE_INDICES, k, Order.ASCENDING),
                operand,
                keepDim,
                dim);
    }

    /**
     * The median of all values.
     *
     * @param kind {@link Kind#MEDIAN} or {@link Kind#NANMEDIAN}
     * @throws IllegalArgumentException with PyTorch's text, for bools
     */
    public static Expr median(Kind kind, Expr operand) {
        checkMedian("median_cpu", operand);
        return Along.of(LineOp.of(kind), operand, KeepDim.DROP);
    }

    /**
     * The medians along a dimension, and where each is.
     *
     * @param kind {@link Kind#MEDIAN} or {@link Kind#NANMEDIAN}
     * @throws IllegalArgumentException with PyTorch's text, for bools
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist or has no elements
     */
    public static ValuesAndIndices<Expr> median(Kind kind, Expr operand, KeepDim keepDim, int dim) {
        Dims.checkNotEmpty("median", operand.shape(), operand.shape().normalizeDim(dim));
        checkMedian("median_out", operand);
        Kind indices = kind == Kind.MEDIAN ? Kind.MEDIAN_INDICES : Kind.NANMEDIAN_INDICES;
        return both(LineOp.of(kind), LineOp.of(indices), operand, keepDim, dim);
    }

    private static void checkMedian(String kernel, Expr operand) {
        if (operand.dtype() == DType.BOOL) {
            throw new IllegalArgumentException('"' + kernel + "\" not implemented for 'Bool'");
        }
    }

    /** The sums of the singular values of the matrices along two dimensions. */
    static Expr nuclearNorm(Expr operand, int rows, int columns) {
        Expr matrices = ViewOps.movedim(operand, new int[] {rows, columns}, new int[] {-2, -1});
        int last = matrices.shape().rank() - 1;
        LineOp op = LineOp.ranked(Kind.NUCLEAR_NORM, matrices.shape().size(last), Order.ASCENDING);
        return Along.of(op, ViewOps.flatten(matrices, -2, -1), KeepDim.DROP, last - 1);
    }

    /**
     * Which quantiles: along a dimension, or of all values.
     *
     * @param kind {@link Kind#QUANTILE} or {@link Kind#NANQUANTILE}
     */
    public record Quantile(Kind kind, Interpolation interpolation, KeepDim keepDim, OptionalInt dim) {
        /**
         * The quantile at {@code q}.
         *
         * @throws IllegalArgumentException with PyTorch's text, for dtypes other than float32 and float64, a {@code q}
         *     outside of 0 to 1, and a tensor without elements
         */
        public Expr at(Expr operand, double q) {
            ProductErrors.require(q >= 0 && q <= 1, "quantile() q must be in the range [0, 1] but got " + q);
            checkOperand(operand);
            return along(operand, q);
        }

        /**
         * The quantiles at each of {@code q}, along a new leading dimension.
         *
         * @throws IllegalArgumentException as {@link #at(Expr, double)}
         */
        public Expr at(Expr operand, double... q) {
            checkOperand(operand);
            dim.ifPresent(operand.shape()::normalizeDim);
            boolean inRange = Arrays.stream(q).allMatch(value -> value >= 0 && value <= 1);
            ProductErrors.require(inRange, "quantile() q values must be in the range [0, 1]");
            if (q.length == 0) {
                return ViewOps.narrow(ViewOps.unsqueeze(along(operand, 0), 0), 0, 0, 0);
            }
            return Expr.concat(
                    Arrays.stream(q)
                            .mapToObj(value -> ViewOps.unsqueeze(along(operand, value), 0))
                            .toList(),
                    0);
        }

        /**
         * The quantile at the value of a scalar {@code q}, or along a new leading dimension those at the values of a vector.
         *
         * @param q a plain number, or a tensor of this machine, which is read at once
         * @throws IllegalArgumentException as {@link #at(Expr, double)}, and where {@code q} has another dtype than the operand, or more than
         *     one dimension
         */
        public Expr at(Expr operand, Expr q) {
            if (q instanceof Literal number) {
                return at(operand, number.doubleValue());
            }
            checkNotEmpty(operand);
            ProductErrors.require(q.shape().rank() < 2, "quantile() q must be a scalar or 1D tensor");
            checkOperand(operand);
            ProductErrors.require(
                    q.dtype() == operand.dtype(), "quantile() q tensor must be same dtype as the input tensor");
            double[] values = KnownValues.of(q, "quantile", "q").stream()
                    .mapToDouble(Double.class::cast)
                    .toArray();
            Expr all = at(operand, values);
            return q.shape().rank() == 0 ? ViewOps.select(all, 0, 0) : all;
        }

        private Expr along(Expr operand, double q) {
            int[] dims = dim.isPresent() ? new int[] {dim.getAsInt()} : new int[0];
            return Along.of(LineOp.quantile(kind, q, interpolation), operand, keepDim, dims);
        }

        private static void checkOperand(Expr operand) {
            checkNotEmpty(operand);
            DType dtype = operand.dtype();
            ProductErrors.require(
                    dtype == DType.FLOAT32 || dtype == DType.FLOAT64,
                    "quantile() input tensor must be either float or double dtype");
        }

        private static void checkNotEmpty(Expr operand) {
            ProductErrors.require(operand.shape().numel() != 0, "quantile() input tensor must be non-empty");
        }
    }
}
