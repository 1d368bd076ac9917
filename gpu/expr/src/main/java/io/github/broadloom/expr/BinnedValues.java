package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.SixDigits;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensors;
import org.jspecify.annotations.Nullable;

/**
 * How many elements are in each of some bins, as PyTorch's {@code histogram} tells it, and with its errors. A bin has its left edge, the last one both. What is outside, and NaN, is
 * in none.
 *
 * @param edges one more than there are bins, ascending, of the dtype of {@code x}
 * @param isEven whether bins are equally wide, so that an element finds its own without a search
 * @param weight what each element counts, or null
 */
public record BinnedValues(
        Expr x, Expr edges, boolean isEven, @Nullable Expr weight) {
    private static final String CANNOT = "torch.histogramdd: ";

    /**
     * Of bins of equal width between the least element and the greatest.
     *
     * @throws IllegalArgumentException with PyTorch's text, for other dtypes than float32 and float64, and for no bins
     */
    public static BinnedValues of(Expr x, long bins) {
        check(x, bins);
        if (x.shape().numel() == 0) {
            return of(x, bins, 0, 1);
        }
        Expr line = ViewOps.reshape(x, x.shape().numel());
        return between(
                x,
                bins,
                Expr.reduce(Reduction.AMIN, line, KeepDim.DROP, 0),
                Expr.reduce(Reduction.AMAX, line, KeepDim.DROP, 0));
    }

    /**
     * Of bins of equal width between two numbers; of equal ones from half below to half above them.
     *
     * @throws IllegalArgumentException with PyTorch's text, for other dtypes than float32 and float64, no bins, and numbers that are not finite or in order
     */
    public static BinnedValues of(Expr x, long bins, double min, double max) {
        check(x, bins);
        ProductErrors.require(
                Double.isFinite(min) && Double.isFinite(max),
                CANNOT + "dimension 0's range [" + SixDigits.of(min) + ", " + SixDigits.of(max) + "] is not finite");
        ProductErrors.require(
                min <= max,
                CANNOT + "min should not exceed max, but got min " + SixDigits.of(min) + " max " + SixDigits.of(max)
                        + " for dimension 0");
        return between(x, bins, Expr.literal(min), Expr.literal(max));
    }

    /**
     * Of any bins.
     *
     * @param edges a vector in ascending order, of the dtype of {@code x}
     * @throws IllegalArgumentException with PyTorch's text, for anything else
     */
    public static BinnedValues of(Expr x, Expr edges) {
        ProductErrors.require(
                edges.shape().rank() == 1,
                CANNOT + "bins tensor should have one dimension, but got "
                        + edges.shape().rank() + " dimensions in the bins tensor for dimension 0");
        ProductErrors.require(
                edges.dtype() == x.dtype(),
                CANNOT + "input tensor and bins tensors should have the same dtype, but got input with dtype "
                        + x.dtype().cxxName() + " and bins for dimension 0 with dtype "
                        + edges.dtype().cxxName());
        ProductErrors.require(
                edges.shape().numel() > 0,
                CANNOT
                        + "bins tensor should have at least 1 element, but got 0 elements in the bins tensor for dimension 0");
        check(x, edges.shape().numel() - 1);
        return new BinnedValues(x, edges, false, null);
    }

    private static void check(Expr x, long bins) {
        ProductErrors.require(bins > 0, "torch.histogram(): bins must be > 0, but got " + bins + " for dimension 0");
        ProductErrors.require(
                x.dtype() == DType.FLOAT32 || x.dtype() == DType.FLOAT64,
                "\"histogramdd\" not implemented for '" + x.dtype().typeName() + "'");
    }

    /** Edges as {@code linspace} has them: the second half is counted back from the end. */
    private static BinnedValues between(Expr x, long bins, Expr min, Expr max) {
        Expr low = Expr.cast(min, DType.FLOAT64);
        Expr high = Expr.cast(max, DType.FLOAT64);
        Expr isPoint = Expr.apply(Ops.EQ, low, high);
        Expr half = Expr.cast(Expr.literal(0.5), DType.FLOAT64);
        Expr first = Expr.apply(Ops.WHERE, isPoint, Expr.apply(Ops.SUB, low, half), low);
        Expr last = Expr.apply(Ops.WHERE, isPoint, Expr.apply(Ops.ADD, high, half), high);
        Expr step = Expr.apply(Ops.DIV, Expr.apply(Ops.SUB, last, first), Expr.literal(bins));
        Expr number = Input.beside(x, Tensors.arange(bins + 1));
        Expr up = Expr.apply(Ops.ADD, first, Expr.apply(Ops.MUL, step, number));
        Expr back = Expr.apply(Ops.MUL, step, Expr.apply(Ops.SUB, Expr.literal(bins), number));
        Expr down = Expr.apply(Ops.SUB, last, back);
        Expr isFirstHalf = Expr.apply(Ops.LT, number, Expr.literal((bins + 1) / 2));
        return new BinnedValues(x, Expr.cast(Expr.apply(Ops.WHERE, isFirstHalf, up, down), x.dtype()), true, null);
    }

    /**
     * The same, where elements count what goes with them.
     *
     * @param weight as many numbers, of the dtype of {@code x}
     * @throws IllegalArgumentException with PyTorch's text, for anything else
     */
    public BinnedValues weighted(Expr weight) {
        ProductErrors.require(
                weight.shape().numel() == x.shape().numel(),
                CANNOT + "if weight tensor is provided it should have the same shape as the input tensor excluding its"
                        + " innermost dimension, but got input with shape "
                        + Shape.of(x.shape().numel(), 1) + " and weight with shape "
                        + Shape.of(weight.shape().numel()));
        ProductErrors.require(
                weight.dtype() == x.dtype(),
                CANNOT
                        + "if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input("
                        + x.dtype().cxxName() + "), and weight("
                        + weight.dtype().cxxName() + ")");
        return new BinnedValues(x, edges, isEven, weight);
    }

    /** What is in each bin, of the dtype of {@code x}: counted in int64, or of weights summed in float64, and rounded once. */
    public Expr hist() {
        long elements = x.shape().numel();
        Groups groups = new Groups(
                ViewOps.reshape(weight == null ? x : weight, elements),
                labels(ViewOps.reshape(x, elements)),
                bins(),
                0);
        return weight == null ? Expr.cast(groups.count(), x.dtype()) : groups.sum();
    }

    /** The part of all that is in each bin, over the width of the bin: its integral is 1. */
    public Expr density() {
        Expr hist = hist();
        Expr part = Expr.apply(Ops.DIV, hist, Expr.reduce(Reduction.SUM, hist, KeepDim.DROP, 0));
        return Expr.apply(Ops.DIV, part, Picking.diff(edges, 1, 0));
    }

    private long bins() {
        return edges.shape().numel() - 1;
    }

    /** The number of each element's bin; -1 where it is in none. */
    private Expr labels(Expr line) {
        Expr first = ViewOps.select(edges, 0, 0);
        Expr last = ViewOps.select(edges, 0, -1);
        Expr inside = Expr.apply(Ops.LOGICAL_AND, Expr.apply(Ops.GE, line, first), Expr.apply(Ops.LE, line, last));
        Expr place = isEven
                ? guessed(line, first, last)
                : Expr.apply(Ops.SUB, Picking.bucketize(line, edges, true), Expr.literal(1L));
        return Expr.apply(Ops.WHERE, inside, clamped(place), Expr.literal(-1L));
    }

    private Expr clamped(Expr place) {
        return Expr.apply(Ops.CLAMP, place, Expr.literal(0L), Expr.literal(bins() - 1));
    }

    /** By its share of the width, and then by the edges beside that, from which rounding may have kept it. */
    private Expr guessed(Expr line, Expr first, Expr last) {
        Expr scaled = Expr.apply(Ops.MUL, Expr.apply(Ops.SUB, line, first), Expr.literal(bins()));
        Expr share = Expr.apply(Ops.DIV, scaled, Expr.apply(Ops.SUB, last, first));
        Expr place = clamped(Expr.cast(share, DType.INT64));
        Expr left = Picking.take(edges, place);
        Expr right = Picking.take(edges, Expr.apply(Ops.ADD, place, Expr.literal(1L)));
        Expr behind = Expr.apply(Ops.ADD, place, Expr.apply(Ops.GE, line, right));
        return Expr.apply(Ops.SUB, behind, Expr.cast(Expr.apply(Ops.LT, line, left), DType.INT64));
    }
}
