package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Grouped.Function;
import io.github.broadloom.expr.Grouped.Kind;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Values brought to places along a dimension that a tensor of integers names, by PyTorch's names and with its errors; the results are new values. Of several that come to one place floating
 * numbers are joined in float64, in the order of their indices, and rounded once; of {@code scatter} the last one stays.
 */
public final class Scattering {
    private final Expr x;
    private final int dim;
    private final Expr index;
    private final Expr source;

    private Scattering(Expr x, int dim, Expr index, Expr source) {
        this.dim = x.shape().normalizeDim(dim);
        ProductErrors.require(
                index.dtype() == DType.INT64 || index.dtype() == DType.INT32,
                "scatter(): Expected dtype int32/int64 for index");
        ProductErrors.require(x.dtype() == source.dtype(), "scatter(): Expected self.dtype to be equal to src.dtype");
        int rank = index.shape().rank();
        ProductErrors.require(
                rank == x.shape().rank() && rank > 0,
                "Index tensor must have the same number of dimensions as self tensor");
        ProductErrors.require(
                rank == source.shape().rank(), "Index tensor must have the same number of dimensions as src tensor");
        Expr covered = source;
        for (int d = 0; d < rank; d++) {
            long size = index.shape().size(d);
            ProductErrors.require(
                    size <= source.shape().size(d)
                            && (d == this.dim || size <= x.shape().size(d)),
                    "Expected index " + index.shape() + " to be no larger than self " + x.shape()
                            + " apart from dimension " + this.dim + " and to be no larger size than src "
                            + source.shape());
            covered = ViewOps.narrow(covered, d, 0, size);
        }
        this.x = x;
        this.index = Expr.cast(index, DType.INT64);
        this.source = covered;
    }

    /**
     * The values of {@code source} joined with those at the places that {@code index} names along a dimension.
     *
     * @param reduce {@code sum}, {@code prod}, {@code mean}, {@code amax} or {@code amin}
     * @param includesSelf whether what was there counts
     * @throws IllegalArgumentException with PyTorch's text, where dtypes, shapes or the name do not fit
     */
    public static Expr scatterReduce(Expr x, int dim, Expr index, Expr source, String reduce, boolean includesSelf) {
        Scattering scattering = new Scattering(x, dim, index, source);
        return switch (reduce) {
            case "sum" -> scattering.joined(Kind.SUM, Ops.ADD, includesSelf);
            case "prod" -> scattering.joined(Kind.PROD, Ops.MUL, includesSelf);
            case "amax", "max" -> scattering.joined(Kind.MAX, Ops.MAXIMUM, includesSelf);
            case "amin", "min" -> scattering.joined(Kind.MIN, Ops.MINIMUM, includesSelf);
            case "mean" -> scattering.mean(includesSelf);
            default ->
                throw new IllegalArgumentException(
                        "reduce argument must be either sum, prod, mean, amax or amin, got " + reduce);
        };
    }

    /**
     * The values of {@code source} in the place of those that {@code index} names along a dimension; of several the last.
     *
     * @throws IllegalArgumentException with PyTorch's text, where dtypes or shapes do not fit
     */
    public static Expr scatter(Expr x, int dim, Expr index, Expr source) {
        Scattering scattering = new Scattering(x, dim, index, source);
        long size = index.shape().size(scattering.dim);
        if (index.shape().numel() == 0) {
            return x;
        }
        Shape lying = Shape.ones(index.shape().rank()).with(scattering.dim, size);
        Expr places = Expr.expand(
                Input.beside(x, Tensors.arange(size).view(lying.toArray())),
                index.shape().toArray());
        Expr last = scattering.grouped(places, Kind.MAX, DType.INT64);
        Expr inside = Expr.apply(Ops.CLAMP, last, Expr.literal(0L), Expr.literal(size - 1));
        return scattering.where(Gather.of(scattering.source, scattering.dim, List.of(inside), Gather.Negative.REFUSED));
    }

    /**
     * The slices of {@code source} times {@code alpha} added to those that a vector names.
     *
     * @param index int32 or int64, as long as {@code source} along the dimension
     * @throws IllegalArgumentException with PyTorch's text, where dtypes or shapes do not fit
     */
    public static Expr indexAdd(Expr x, int dim, Expr index, Expr source, @Nullable Expr alpha) {
        int along = x.shape().normalizeDim(dim);
        ProductErrors.require(
                index.shape().rank() <= 1,
                "index_add_(): Index is supposed to be a vector, but got dim: "
                        + index.shape().rank());
        ProductErrors.require(
                x.dtype() == source.dtype(),
                "index_add_(): self (" + x.dtype().typeName() + ") and source ("
                        + source.dtype().typeName() + ") must have the same scalar type");
        Shape others =
                source.shape().rank() == x.shape().rank() ? source.shape().with(along, 1) : source.shape();
        ProductErrors.require(
                others.equals(x.shape().with(along, 1)),
                "source tensor shape must match self tensor shape, excluding the specified dimension. Got"
                        + " self.shape = " + x.shape() + " source.shape = " + source.shape());
        ProductErrors.require(
                source.shape().size(along) == index.shape().numel(),
                "index_add_(): Number of indices (" + index.shape().numel()
                        + ") should be equal to source.size(dim): ("
                        + source.shape().size(along) + "), for dim: " + along);
        Shape lying = Shape.ones(x.shape().rank()).with(along, index.shape().numel());
        Expr places = Expr.expand(
                ViewOps.reshape(index, lying.toArray()), source.shape().toArray());
        Expr scaled = alpha == null ? source : Expr.cast(Expr.apply(Ops.MUL, source, alpha), x.dtype());
        return scatterReduce(x, along, places, scaled, "sum", true);
    }

    /**
     * {@code x} with slices in the place of those that a vector names along a dimension; of several the last.
     *
     * @param places int64, from 0 to before the size of the dimension
     * @param source of the sizes of {@code x}, but for the dimension, along which it is as long as the vector
     */
    static Expr setSlices(Expr x, int dim, Expr places, Expr source) {
        long count = places.shape().size(0);
        long size = x.shape().size(dim);
        if (count == 0 || size == 0) {
            return x;
        }
        Expr numbers = Input.beside(places, Tensors.arange(count));
        Expr last = Grouped.of(Function.of(Kind.MAX, DType.INT64).strictly(), numbers, places, size, 0);
        Expr ones = Expr.apply(Ops.EQ, numbers, numbers);
        Expr counts = Grouped.of(Function.of(Kind.SUM, DType.INT64).strictly(), ones, places, size, 0);
        Expr inside = Expr.apply(Ops.CLAMP, last, Expr.literal(0L), Expr.literal(count - 1));
        long[] lying = Shape.ones(x.shape().rank()).with(dim, size).toArray();
        Expr isWritten = ViewOps.reshape(Expr.apply(Ops.GT, counts, Expr.literal(0L)), lying);
        Expr found = Gather.of(source, dim, List.of(ViewOps.reshape(inside, lying)), Gather.Negative.FROM_END);
        return Expr.apply(Ops.WHERE, isWritten, found, x);
    }

    private Expr grouped(Expr operand, Kind kind, DType result) {
        return Grouped.of(
                Function.of(kind, result).strictly(), operand, index, x.shape().size(dim), dim);
    }

    private Expr counts() {
        return grouped(Expr.apply(Ops.EQ, index, index), Kind.SUM, DType.INT64);
    }

    private DType wide() {
        return x.dtype().isFloatingPoint() ? DType.FLOAT64 : DType.INT64;
    }

    private Expr joined(Kind kind, Op join, boolean includesSelf) {
        DType dtype = kind == Kind.MIN || kind == Kind.MAX ? x.dtype() : wide();
        Expr found = grouped(source, kind, dtype);
        return includesSelf
                ? written(Expr.cast(Expr.apply(join, Expr.cast(covered(), dtype), found), x.dtype()))
                : where(Expr.cast(found, x.dtype()));
    }

    private Expr mean(boolean includesSelf) {
        Op division = x.dtype().isFloatingPoint() ? Ops.DIV : Ops.FLOOR_DIVIDE;
        Expr sums = grouped(source, Kind.SUM, wide());
        Expr all = includesSelf ? Expr.apply(Ops.ADD, Expr.cast(covered(), wide()), sums) : sums;
        Expr counts = includesSelf ? Expr.apply(Ops.ADD, counts(), Expr.literal(1L)) : counts();
        Expr mean =
                Expr.cast(Expr.apply(division, all, Expr.apply(Ops.CLAMP_MIN, counts, Expr.literal(1L))), x.dtype());
        return includesSelf ? written(mean) : where(mean);
    }

    /** Where something comes it, else what was there. */
    private Expr where(Expr found) {
        return written(Expr.apply(Ops.WHERE, Expr.apply(Ops.GT, counts(), Expr.literal(0L)), found, covered()));
    }

    /** The part of {@code x} at whose lines there are indices. */
    private Expr covered() {
        Expr covered = x;
        for (int d = 0; d < x.shape().rank(); d++) {
            covered = d == dim
                    ? covered
                    : ViewOps.narrow(covered, d, 0, index.shape().size(d));
        }
        return covered;
    }

    /** {@code x} with other values in the part that is covered. */
    private Expr written(Expr part) {
        return Taken.embedded(
                x,
                LongStream.of(part.shape().toArray())
                        .mapToObj(size -> new Taken(0, size, 1))
                        .toList(),
                part);
    }
}
