package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.SixDigits;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How often values occur, by PyTorch's names and with its errors: groups whose labels are made of the values themselves. */
public final class Histograms {
    private Histograms() {}

    /**
     * How many elements are in each of some bins of equal width, the last of which has its right end, too. What is outside, and NaN, is in none.
     *
     * @param min where the first bin begins; where {@code max} is the same, bins reach from the least element to the greatest
     * @return of the dtype of {@code x}; counted in int64 and rounded once
     * @throws IllegalArgumentException with PyTorch's text, for integers, no bins, and a range that is none
     */
    public static Expr histc(Expr x, long bins, double min, double max) {
        ProductErrors.require(
                x.dtype().isFloatingPoint(),
                "\"histogram_cpu\" not implemented for '" + x.dtype().typeName() + "'");
        ProductErrors.require(bins > 0, "torch.histogram(): bins must be > 0, but got " + bins + " for dimension 0");
        boolean isOfElements = min == max && x.shape().numel() > 0;
        ProductErrors.require(
                isOfElements || Double.isFinite(min) && Double.isFinite(max),
                "torch.histc: range of [" + SixDigits.of(min) + ", " + SixDigits.of(max) + "] is not finite");
        ProductErrors.require(min <= max, "torch.histc: max must be larger than min");
        Expr line = ViewOps.reshape(x, x.shape().numel());
        Expr first = isOfElements ? extreme(Reduction.AMIN, line) : Expr.literal(min);
        Expr last = isOfElements ? extreme(Reduction.AMAX, line) : Expr.literal(max);
        if (isOfElements) {
            Expr none = Expr.apply(Ops.EQ, first, last);
            Expr before = Expr.apply(Ops.SUB, first, Expr.literal(1L));
            Expr behind = Expr.apply(Ops.ADD, last, Expr.literal(1L));
            first = Expr.apply(Ops.WHERE, none, before, first);
            last = Expr.apply(Ops.WHERE, none, behind, last);
        }
        Expr scaled = Expr.apply(Ops.MUL, Expr.apply(Ops.SUB, line, first), Expr.literal(bins));
        Expr width = Expr.apply(Ops.SUB, last, first);
        Expr place = Expr.cast(Expr.apply(Ops.DIV, scaled, width), DType.INT64);
        Expr held = Expr.apply(Ops.CLAMP_MAX, place, Expr.literal(bins - 1));
        Expr inside = Expr.apply(Ops.LOGICAL_AND, Expr.apply(Ops.GE, line, first), Expr.apply(Ops.LE, line, last));
        Expr labels = Expr.apply(Ops.WHERE, inside, held, Expr.literal(-1L));
        return Expr.cast(new Groups(line, labels, bins, 0).count(), x.dtype());
    }

    private static Expr extreme(Reduction reduction, Expr line) {
        return Expr.reduce(reduction, line, KeepDim.DROP, 0);
    }

    /**
     * How often each integer from 0 on occurs, or the sum of what goes with it.
     *
     * @param weights one for each element, or null
     * @param values the elements of an expression, on the CPU: the greatest element decides the length
     * @return as long as the greatest element and one, and {@code minLength} at least; int64, or of weights float32 of float32 and else float64
     * @throws IllegalArgumentException with PyTorch's text, for anything but a vector of integers that are not negative
     */
    public static Expr bincount(Expr x, @Nullable Expr weights, long minLength, Function<Expr, Tensor> values) {
        String cannot = "bincount only supports 1-d non-negative integral inputs.";
        ProductErrors.require(
                !x.dtype().isFloatingPoint() && x.dtype() != DType.BOOL,
                "\"bincount_cpu\" not implemented for '" + x.dtype().typeName() + "'");
        ProductErrors.require(x.shape().rank() == 1, cannot);
        ProductErrors.require(minLength >= 0, "minlength should be >= 0");
        ProductErrors.require(
                weights == null || weights.shape().equals(x.shape()),
                "weights should be 1-d and have the same length as input");
        long length = minLength;
        if (x.shape().numel() > 0) {
            List<Object> ends = values.apply(Expr.concat(
                            List.of(
                                    ViewOps.unsqueeze(extreme(Reduction.AMIN, x), 0),
                                    ViewOps.unsqueeze(extreme(Reduction.AMAX, x), 0)),
                            0))
                    .values();
            ProductErrors.require(((Number) ends.get(0)).longValue() >= 0, cannot);
            length = Math.max(length, ((Number) ends.get(1)).longValue() + 1);
        }
        if (weights == null) {
            return new Groups(x, x, length, 0).count();
        }
        DType wide = weights.dtype() == DType.FLOAT32 ? DType.FLOAT32 : DType.FLOAT64;
        return new Groups(Expr.cast(weights, wide), x, length, 0).sum();
    }
}
