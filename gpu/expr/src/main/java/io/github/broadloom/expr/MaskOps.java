package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Gather.Negative;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Masks;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Elements picked and replaced where masks are true, by PyTorch's names and with its errors. */
public final class MaskOps {
    /** What has fewer elements is brought here, or to whoever needs it. */
    private static final long LARGE = 1 << 20;

    private MaskOps() {}

    /** Whether something is better left where it is: it is large, and not made of tensors of this machine alone. */
    static boolean staysAway(Expr x) {
        return x.shape().numel() >= LARGE
                && x.inputs().stream()
                        .anyMatch(input ->
                                !(input.source() instanceof Tensor) && !(input.source() instanceof KnownTensor));
    }

    /**
     * What lies where a mask is true, whose dimensions are the leading ones of {@code x}, in row-major order: {@code [count, …]}. It is picked where it lies, but for a few ranges
     * of rows, which are read alone. Of a large mask no more is computed at once than how many of its elements are true.
     *
     * @param mask bool, of rank 1 or more
     * @param values the elements of an expression, on the CPU
     */
    static Expr pickedThere(Expr x, Expr mask, Function<Expr, Tensor> values) {
        if (mask.shape().numel() >= LARGE && !KnownValues.areOf(mask)) {
            return rows(x, mask, values);
        }
        Tensor known = KnownValues.tensor(mask, values);
        long count = Masks.count(known);
        if (known.rank() == 1 && count <= Picking.MOST_INDICES) {
            Expr places = places(known).get(0);
            if (Picking.isOfFewRanges(x, places)) {
                return Picking.along(x, 0, places, Negative.REFUSED);
            }
        }
        return filter(x, Input.of(known), count);
    }

    /**
     * What lies where a mask is true, picked by a {@link Filter}.
     *
     * @param values the elements of an expression, on the CPU, to count what is true
     */
    public static Expr rows(Expr x, Expr mask, Function<Expr, Tensor> values) {
        Expr line = ViewOps.reshape(mask, mask.shape().numel());
        Object count = values.apply(Expr.reduce(Reduction.SUM, line, KeepDim.DROP, 0))
                .values()
                .get(0);
        return filter(x, mask, ((Number) count).longValue());
    }

    private static Expr filter(Expr x, Expr mask, long count) {
        long[] sizes = Arrays.copyOfRange(
                x.shape().toArray(), mask.shape().rank() - 1, x.shape().rank());
        sizes[0] = mask.shape().numel();
        return Filter.of(ViewOps.reshape(x, sizes), ViewOps.reshape(mask, sizes[0]), count);
    }

    /** The places of a mask that are true, as a vector of int64 for each of its dimensions: what stands for the mask between brackets. A scalar counts as a vector of one. */
    static List<Expr> places(Tensor mask) {
        return Arrays.stream(Masks.places(mask.rank() == 0 ? mask.view(1) : mask))
                .<Expr>map(Input::of)
                .toList();
    }

    /**
     * The elements where a mask is true, in row-major order; both broadcast.
     *
     * @param values the elements of an expression, on the CPU, for a mask that is computed
     * @throws IllegalArgumentException with PyTorch's text, for another mask, and for shapes that do not broadcast
     */
    public static Expr maskedSelect(Expr x, Expr mask, Function<Expr, Tensor> values) {
        ProductErrors.require(mask.dtype() == DType.BOOL, "masked_select: expected BoolTensor for mask");
        long[] sizes = Broadcasting.broadcastShapes(mask.shape(), x.shape()).toArray();
        Expr whole = Expr.expand(x, sizes);
        if (staysAway(whole) && sizes.length > 0) {
            return pickedThere(whole, Expr.expand(mask, sizes), values);
        }
        Expr known = Input.of(KnownValues.tensor(mask, values));
        return Subscript.of(whole, List.of(new Subscript.Picked(Expr.expand(known, sizes))));
    }

    /**
     * The places of a mask that are true in row-major order, int64 {@code [count, rank]}.
     *
     * @param values the elements of an expression, on the CPU
     * @param upTo the integers below a number, where tensors such as the mask lie
     */
    public static Expr nonzero(Expr mask, Function<Expr, Tensor> values, LongFunction<Expr> upTo) {
        Shape shape = mask.shape();
        List<Expr> places = staysAway(mask)
                ? digits(rows(ViewOps.reshape(upTo.apply(shape.numel()), shape.toArray()), mask, values), shape)
                : places(values.apply(mask));
        List<Expr> columns =
                places.stream().map(along -> ViewOps.unsqueeze(along, 1)).toList();
        return ViewOps.narrow(Expr.concat(columns, 1), 1, 0, shape.rank());
    }

    /** The index in each dimension, of numbers of elements in row-major order. */
    private static List<Expr> digits(Expr numbers, Shape shape) {
        List<Expr> digits = new ArrayList<>();
        Expr left = numbers;
        for (int d = shape.rank() - 1; d > 0; d--) {
            Expr size = Expr.literal(shape.size(d));
            digits.add(0, Expr.apply(Ops.REMAINDER, left, size));
            left = Expr.apply(Ops.FLOOR_DIVIDE, left, size);
        }
        digits.add(0, left);
        return digits;
    }

    /**
     * With the elements of another tensor, one after the other, where a mask is true; the mask and {@code x} broadcast.
     *
     * @param values the elements of an expression, on the CPU, to count at once what is true; null where nothing is computed, and too few elements are an {@link
     *     IndexOutOfBoundsException} later
     * @throws IllegalArgumentException with PyTorch's text, for another mask or dtype, too few elements, and shapes that do not broadcast
     */
    public static Expr maskedScatter(Expr x, Expr mask, Expr source, @Nullable Function<Expr, Tensor> values) {
        long[] sizes = Broadcasting.broadcastShapes(mask.shape(), x.shape()).toArray();
        ProductErrors.require(
                mask.dtype() == DType.BOOL,
                "masked_scatter_ only supports boolean masks, but got mask with dtype "
                        + mask.dtype().typeName());
        ProductErrors.require(
                x.dtype() == source.dtype(),
                "masked_scatter: expected self and source to have same dtypes but got" // without a blank
                        + x.dtype().typeName() + " and " + source.dtype().typeName());
        Expr whole = Expr.expand(x, sizes);
        Expr spread = Expr.expand(mask, sizes);
        long elements = source.shape().numel();
        Expr line = ViewOps.reshape(spread, whole.shape().numel());
        if (elements < whole.shape().numel() && values != null) {
            Object count = values.apply(Expr.reduce(Reduction.SUM, line, KeepDim.DROP, 0))
                    .values()
                    .get(0);
            ProductErrors.require(
                    ((Number) count).longValue() <= elements, "Number of elements of source < number of ones in mask");
        }
        if (elements == 0 || whole.shape().numel() == 0) {
            return whole;
        }
        Expr before = Expr.apply(Ops.SUB, Lines.cumsum(line, 0), Expr.literal(1L));
        Expr place = Expr.apply(Ops.WHERE, line, before, Expr.literal(0L));
        Expr found = Picking.along(ViewOps.reshape(source, elements), 0, place, Negative.FROM_END);
        return Expr.apply(Ops.WHERE, spread, ViewOps.reshape(found, sizes), whole);
    }

    /**
     * A number where a mask is true, else the element.
     *
     * @param value a plain number or a scalar, which takes the dtype of {@code x}
     * @throws IllegalArgumentException with PyTorch's text, for another mask or value
     */
    public static Expr maskedFill(Expr x, Expr mask, Expr value) {
        ProductErrors.require(
                mask.dtype() == DType.BOOL,
                "masked_fill_ only supports boolean masks, but got mask with dtype "
                        + mask.dtype().cxxName());
        ProductErrors.require(
                value.shape().rank() == 0,
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                        + value.shape().rank() + " dimension(s).");
        return Expr.apply(Ops.WHERE, mask, Expr.cast(value, x.dtype()), x);
    }
}
