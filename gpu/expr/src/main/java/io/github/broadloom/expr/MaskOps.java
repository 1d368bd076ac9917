package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Gather.Negative;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.tensor.Masks;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Elements picked and replaced where masks are true, by PyTorch's names and with its errors. */
public final class MaskOps {
    private MaskOps() {}

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
        Expr known = Input.of(KnownValues.tensor(mask, values));
        return Subscript.of(Expr.expand(x, sizes), List.of(new Subscript.Picked(Expr.expand(known, sizes))));
    }

    /** The places of a mask that are true in row-major order, int64 {@code [count, rank]}. */
    public static Expr nonzero(Tensor mask) {
        List<Expr> columns =
                places(mask).stream().map(along -> ViewOps.unsqueeze(along, 1)).toList();
        return ViewOps.narrow(Expr.concat(columns, 1), 1, 0, mask.shape().rank());
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
