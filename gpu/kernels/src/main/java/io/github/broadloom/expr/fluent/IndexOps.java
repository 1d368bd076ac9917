package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.BinnedValues;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Groups;
import io.github.broadloom.expr.Histograms;
import io.github.broadloom.expr.MaskOps;
import io.github.broadloom.expr.Picking;
import io.github.broadloom.expr.Scattering;
import io.github.broadloom.expr.Subscript;
import io.github.broadloom.expr.Subscript.Item;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.Windows;
import io.github.broadloom.expr.Windows.Padding;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;

/**
 * Elements picked by tensors of integers and masks, by PyTorch's names and with its errors; part of {@link TensorOps}. An index is a handle or a {@code Tensor}; one that
 * is out of range is an {@link IndexOutOfBoundsException} when it is looked at. Along a dimension that is cut into chunks the operand comes to all tasks, or is cut along another
 * one; a few ranges of indices that are known are read by themselves.
 */
public interface IndexOps<T extends TensorOps<T>> extends OpsBase<T> {
    /**
     * What stands between the brackets of {@code x[0, 1:3, None, ..., i]}: a Long or an Integer, a {@link Slice}, a {@link Subscript.Mark}, a tensor of integers, or a mask, which is
     * {@linkplain #values computed} at once.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for an index out of range, too many of them, and tensors that do not broadcast
     * @throws IllegalArgumentException for anything else
     */
    default T pick(Object... items) {
        return withExpr(
                Subscript.of(expr(), Arrays.stream(items).map(this::item).toList(), this::values));
    }

    /**
     * The places that a subscript names, to be written to: {@code x.at(Slice.to(3), index).set(0)} is {@code x} after PyTorch's {@code x[:3, index] = 0}, a new value.
     *
     * @param items as of {@link #pick}
     * @throws IllegalArgumentException as {@link #pick}
     */
    default Places<T> at(Object... items) {
        return new Places<>(this, Arrays.stream(items).map(this::item).toList());
    }

    private Item item(Object item) {
        if (item instanceof Item ready) {
            return ready;
        }
        if (item instanceof Slice slice) {
            return new Subscript.Range(slice);
        }
        if (item instanceof Integer || item instanceof Long) {
            return new Subscript.At(((Number) item).longValue());
        }
        if (item instanceof Number || item instanceof Boolean) {
            throw new IllegalArgumentException(
                    "Cannot index with " + item + "; give integers, slices, marks, and tensors of integers");
        }
        return new Subscript.Picked(operand(item));
    }

    /** The elements of an expression of this kind, on the CPU, computed at once: for what decides the shape of a result. */
    Tensor values(Expr expr);

    /** The integers from 0 on below a number, int64, where tensors of this kind lie. */
    Expr upTo(long end);

    /**
     * The elements where a mask is true, in row-major order: a vector. A mask that is an expression is {@linkplain #values computed} at once.
     *
     * @param mask bool; both broadcast
     * @throws IllegalArgumentException with PyTorch's text, for another mask, and for shapes that do not broadcast
     */
    default T maskedSelect(Object mask) {
        return withExpr(MaskOps.maskedSelect(expr(), operand(mask), this::values));
    }

    /** Where elements are not zero, in row-major order, as int64 {@code [count, rank]}. Whether they are is {@linkplain #values computed} at once. */
    default T nonzero() {
        return withExpr(MaskOps.nonzero(Expr.apply(Ops.NE, expr(), Expr.literal(0L)), this::values, this::upTo));
    }

    /** As {@link #nonzero}, by NumPy's name. */
    default T argwhere() {
        return nonzero();
    }

    /** How many elements are in each of some bins of equal width from the least element to the greatest. */
    default T histc(long bins) {
        return histc(bins, 0, 0);
    }

    /**
     * How many elements are in each of some bins of equal width between two ends, which count, too; the others are in none.
     *
     * @return of this dtype, {@code [bins]}
     * @throws IllegalArgumentException with PyTorch's text, for integers, no bins, and a range that is none
     */
    default T histc(long bins, double min, double max) {
        return withExpr(Histograms.histc(expr(), bins, min, max));
    }

    /**
     * What is in each of some bins of equal width from the least element to the greatest.
     *
     * @throws IllegalArgumentException with PyTorch's text, for other dtypes than float32 and float64, and for no bins
     */
    default BinnedElements<T> histogram(long bins) {
        return new BinnedElements<>(this, BinnedValues.of(expr(), bins));
    }

    /**
     * What is in each of some bins of equal width between two numbers.
     *
     * @throws IllegalArgumentException with PyTorch's text, for other dtypes than float32 and float64, no bins, and numbers that are not finite or in order
     */
    default BinnedElements<T> histogram(long bins, double min, double max) {
        return new BinnedElements<>(this, BinnedValues.of(expr(), bins, min, max));
    }

    /**
     * What is in each of the bins between edges.
     *
     * @param edges a vector in ascending order, of this dtype
     * @throws IllegalArgumentException with PyTorch's text, for anything else
     */
    default BinnedElements<T> histogram(Object edges) {
        return new BinnedElements<>(this, BinnedValues.of(expr(), operand(edges)));
    }

    /** How often each integer from 0 to the greatest element occurs, int64. Which that is is {@linkplain #values computed} at once. */
    default T bincount() {
        return bincount(0);
    }

    /**
     * How often each integer from 0 on occurs.
     *
     * @param minLength of the result, which is longer where an element says so
     * @throws IllegalArgumentException with PyTorch's text, for anything but a vector of integers that are not negative
     */
    default T bincount(long minLength) {
        return withExpr(Histograms.bincount(expr(), null, minLength, this::values));
    }

    /**
     * The sum of the weights of each integer from 0 on.
     *
     * @param weights one for each element
     * @return float32 of float32, else float64
     * @throws IllegalArgumentException with PyTorch's text, as {@link #bincount(long)}, and for weights of another shape
     */
    default T bincount(Object weights, long minLength) {
        return withExpr(Histograms.bincount(expr(), operand(weights), minLength, this::values));
    }

    /**
     * The indices of a dimension that a vector names, in its order.
     *
     * @param index int32 or int64
     * @throws IllegalArgumentException with PyTorch's text, for any other index
     */
    default T indexSelect(int dim, Object index) {
        return withExpr(Picking.indexSelect(expr(), dim, operand(index)));
    }

    /**
     * Along a dimension the elements at the places that a tensor of the result's shape names.
     *
     * @param index int64; along other dimensions no larger than this
     * @throws IllegalArgumentException with PyTorch's text, for any other index
     */
    default T gather(int dim, Object index) {
        return withExpr(Picking.gather(expr(), dim, operand(index)));
    }

    /**
     * Along a dimension the elements at the places that a tensor names; other dimensions broadcast: {@code x.sub(climatology.takeAlongDim(months, 0))}.
     *
     * @param indices int64, with as many dimensions
     * @throws IllegalArgumentException with PyTorch's text, for any other indices
     */
    default T takeAlongDim(Object indices, int dim) {
        return withExpr(Picking.takeAlongDim(expr(), operand(indices), dim));
    }

    /** Those of all elements, in row-major order, that a tensor of int64 names; negative ones count from the end. */
    default T take(Object index) {
        return withExpr(Picking.take(expr(), operand(index)));
    }

    /**
     * A number where a mask is true, else the element.
     *
     * @param mask bool; both broadcast
     * @param value a Number, a Boolean or a scalar
     * @throws IllegalArgumentException with PyTorch's text, for anything else
     */
    default T maskedFill(Object mask, Object value) {
        return withExpr(MaskOps.maskedFill(expr(), operand(mask), operand(value)));
    }

    /**
     * With the elements of another tensor, one after the other, where a mask is true. How many are true is {@linkplain #values counted} at once, where there may be too few elements.
     *
     * @param mask bool; both broadcast
     * @param source of the same dtype
     * @throws IllegalArgumentException with PyTorch's text, for anything else, and too few elements
     */
    default T maskedScatter(Object mask, Object source) {
        return withExpr(MaskOps.maskedScatter(expr(), operand(mask), operand(source), this::values));
    }

    /** Whether each element is among those of another tensor. */
    default T isin(Object test) {
        return withExpr(Picking.isin(expr(), operand(test)));
    }

    /** How many of some boundaries in ascending order come before each element: the number of its bucket. */
    default T bucketize(Object boundaries) {
        return bucketize(boundaries, false);
    }

    /**
     * How many of some boundaries in ascending order come before each element.
     *
     * @param right whether those that are equal do, too
     * @throws IllegalArgumentException with PyTorch's text, where they are no vector
     */
    default T bucketize(Object boundaries, boolean right) {
        return withExpr(Picking.bucketize(expr(), operand(boundaries), right));
    }

    /**
     * How many values of these sorted lines, along the last dimension, come before the elements of another tensor.
     *
     * @param right whether those that are equal do, too
     * @throws IllegalArgumentException with PyTorch's text, where lines do not go with the elements
     */
    default T searchsorted(Object values, boolean right) {
        return withExpr(Picking.searchsorted(expr(), operand(values), right));
    }

    /** The differences of neighbours along a dimension. */
    default T diff(int dim) {
        return diff(1, dim);
    }

    /**
     * The differences of neighbours along a dimension, taken {@code n} times; of bools whether they differ.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a scalar and for a negative {@code n}
     */
    default T diff(long n, int dim) {
        return withExpr(Picking.diff(expr(), n, dim));
    }

    /**
     * Groups of the indices of a dimension, to be reduced: {@code x.groupBy(months, 12, 0).mean()} has a mean for each month in the place of the times.
     *
     * @param labels integers, a vector as long as the dimension, or with as many dimensions as this: the group of each index, from 0 to before {@code groups}; any other number means
     *     none
     * @throws IllegalArgumentException where labels are no integers or do not fit
     */
    default GroupBy<T> groupBy(Object labels, long groups, int dim) {
        return new GroupBy<>(this, new Groups(expr(), operand(labels), groups, dim));
    }

    /**
     * Windows of {@code size} indices of a dimension, each {@code step} behind the one before, as a new last dimension; no element is copied: {@code
     * x.unfold(0, 3, 1).mul(weights).sum(-1)} is a convolution in one pass.
     *
     * @throws IllegalArgumentException with PyTorch's text, where no window fits
     */
    default T unfold(int dim, long size, long step) {
        return withExpr(ViewOps.unfold(expr(), dim, size, step));
    }

    /**
     * With zeros at the ends of dimensions.
     *
     * @param pads how many before and behind, of the last dimension first; less than none leaves indices out
     * @throws IllegalArgumentException with PyTorch's text, for pads that do not fit
     */
    default T pad(long... pads) {
        return pad(pads, Padding.CONSTANT, 0);
    }

    /**
     * With more indices at the ends of dimensions.
     *
     * @param pads how many before and behind, of the last dimension first; less than none leaves indices out
     * @param value of a constant padding
     * @throws IllegalArgumentException with PyTorch's text, for pads that do not fit
     */
    default T pad(long[] pads, Padding mode, Object value) {
        return withExpr(Windows.pad(expr(), pads, mode, value));
    }

    /**
     * A reduction of the {@code size} values up to each along a dimension, NaN where there are fewer before: {@code x.rolling(0, 30, "mean")}.
     *
     * @param name {@code sum}, {@code mean}, {@code min}, {@code max}, {@code var} or {@code std}
     * @throws IllegalArgumentException for any other name, integers, and a window of less than one index
     */
    default T rolling(int dim, long size, String name) {
        return withExpr(Windows.rolling(expr(), dim, size, name));
    }

    /**
     * With the values of {@code source} joined to those at the places that {@code index} names along a dimension; a new value.
     *
     * @param reduce {@code sum}, {@code prod}, {@code mean}, {@code amax} or {@code amin}
     * @param includesSelf whether what was there counts
     * @throws IllegalArgumentException with PyTorch's text, where dtypes, shapes or the name do not fit
     */
    default T scatterReduce(int dim, Object index, Object source, String reduce, boolean includesSelf) {
        return withExpr(Scattering.scatterReduce(expr(), dim, operand(index), operand(source), reduce, includesSelf));
    }

    /**
     * With the values of {@code source} in the place of those that {@code index} names along a dimension; of several the last. A new value.
     *
     * @throws IllegalArgumentException with PyTorch's text, where dtypes or shapes do not fit
     */
    default T scatter(int dim, Object index, Object source) {
        return withExpr(Scattering.scatter(expr(), dim, operand(index), operand(source)));
    }

    /**
     * With slices added to those that a vector names along a dimension; a new value.
     *
     * @throws IllegalArgumentException with PyTorch's text, where dtypes or shapes do not fit
     */
    default T indexAdd(int dim, Object index, Object source) {
        return withExpr(Scattering.indexAdd(expr(), dim, operand(index), operand(source), null));
    }
}
