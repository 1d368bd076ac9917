package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Grouped.Function;
import io.github.broadloom.expr.Grouped.Kind;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Locale;

/**
 * Reductions of groups of indices, as flox's {@code groupby_reduce}: the mean of each month, the greatest value of each county. Floating results of groups without elements are NaN, those
 * of integers 0, sums and counts of nothing 0, and products 1. A NaN counts, and makes the result of its group NaN.
 */
public final class Groups {
    /** Results of so many bytes are put together by a reduction of those of blocks of indices, wherever these lie; larger ones, to the same end, where the lines are. */
    private static final long PUT_TOGETHER_BYTES = 16L << 20;

    /** What is smaller is grouped by one task in no time. */
    private static final long LEAST_BYTES = 32L << 20;

    /** What is left by a reduction has blocks of so many indices at least. */
    private static final long LEAST_BLOCK = 1024;

    /** A block has many times as many indices as there are groups, so that its results are small beside it. */
    private static final long INDICES_PER_GROUP = 16;

    private final Expr x;
    private final Expr labels;
    private final long groups;
    private final int dim;

    /**
     * Groups of the indices of a dimension.
     *
     * @param labels integers: a vector as long as the dimension, or a tensor with as many dimensions as {@code x}, whose other sizes are those of {@code x} or 1; a label that is
     *     not from 0 to before {@code groups} is of no group
     * @throws IllegalArgumentException where labels are no integers or do not fit, or groups are negative in number
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public Groups(Expr x, Expr labels, long groups, int dim) {
        this.dim = x.shape().normalizeDim(dim);
        this.x = x;
        this.groups = groups;
        int rank = x.shape().rank();
        String cannot = "Cannot group " + x.shape() + " along dimension " + this.dim + ": ";
        ProductErrors.require(rank > 0, cannot + "a scalar has no indices");
        ProductErrors.require(groups >= 0, cannot + groups + " groups are less than none");
        ProductErrors.require(
                !labels.dtype().isFloatingPoint() && labels.dtype() != DType.BOOL,
                cannot + "labels are integers, and these are " + labels.dtype());
        Expr aligned = aligned(labels);
        boolean fits = aligned.shape().rank() == rank;
        for (int d = 0; fits && d < rank; d++) {
            long size = aligned.shape().size(d);
            fits = size == x.shape().size(d) || size == 1 && d != this.dim;
        }
        ProductErrors.require(
                fits, cannot + "labels of shape " + labels.shape() + " do not name a group for each of its indices");
        this.labels = Expr.cast(aligned, DType.INT64);
    }

    /** A vector along the dimension that is grouped. */
    private Expr aligned(Expr ofIndices) {
        int rank = x.shape().rank();
        return ofIndices.shape().rank() == 1 && rank > 1
                ? ViewOps.reshape(
                        ofIndices,
                        Shape.ones(rank).with(dim, ofIndices.shape().size(0)).toArray())
                : ofIndices;
    }

    /**
     * The same, where each index counts as much as its weight says.
     *
     * @param weights floating numbers: a vector as long as the dimension, or a tensor with as many dimensions as {@code x} that broadcasts to it
     * @throws IllegalArgumentException for anything else
     */
    public WeightedGroups weighted(Expr weights) {
        Expr lying = aligned(weights);
        boolean fits = lying.shape().rank() == x.shape().rank()
                && lying.dtype().isFloatingPoint()
                && x.dtype().isFloatingPoint();
        for (int d = 0; fits && d < x.shape().rank(); d++) {
            fits = lying.shape().size(d) == x.shape().size(d) || lying.shape().size(d) == 1;
        }
        ProductErrors.require(
                fits,
                "Cannot weight groups of " + x.dtype() + " " + x.shape() + " along dimension " + dim + " by "
                        + weights.dtype() + " " + weights.shape()
                        + ": give floating numbers for its indices, or such as broadcast to it");
        return new WeightedGroups(this, Expr.cast(lying, DType.FLOAT64));
    }

    Expr operand() {
        return x;
    }

    /** The same groups of the indices of something else, which broadcasts with the labels. */
    Groups of(Expr other) {
        return new Groups(other, labels, groups, dim);
    }

    /** One for each index of each line, as far as lines have labels of their own. */
    Expr ones() {
        return Expr.apply(Ops.EQ, labels, labels);
    }

    /**
     * A reduction of each group.
     *
     * @param name {@code sum}, {@code prod}, {@code mean}, {@code var}, {@code std}, {@code amin} or {@code min}, {@code amax} or {@code max}, {@code count}, {@code nansum}, {@code nanmean}, {@code first}, {@code
     *     last}, {@code any}, {@code all} or {@code median}
     * @return with the groups in the place of the indices; sums of integers and counts in int64
     * @throws IllegalArgumentException for any other name, and for a mean, variance or median of what it is not taken of
     */
    public Expr reduce(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "sum" -> sum();
            case "prod" -> joined(x, Kind.PROD, x.dtype().isFloatingPoint() ? x.dtype() : DType.INT64);
            case "mean" -> mean();
            case "var" -> var(1);
            case "std" -> Expr.apply(Ops.SQRT, var(1));
            case "min", "amin" -> extreme(Kind.MIN);
            case "max", "amax" -> extreme(Kind.MAX);
            case "count" -> count();
            case "nansum" -> withoutNaN().sum();
            case "nanmean" -> nanmean();
            case "first" -> at(Kind.MIN);
            case "last" -> at(Kind.MAX);
            case "any" -> joined(Expr.cast(x, DType.BOOL), Kind.MAX, DType.BOOL);
            case "all" ->
                Expr.apply(
                        Ops.LOGICAL_NOT,
                        joined(Expr.apply(Ops.LOGICAL_NOT, Expr.cast(x, DType.BOOL)), Kind.MAX, DType.BOOL));
            case "median" -> median();
            default ->
                throw new IllegalArgumentException(
                        "Cannot reduce groups by '" + name
                                + "'; there are sum, prod, mean, var, std, min, max, count, nansum, nanmean, first, last, any, all, median");
        };
    }

    public Expr sum() {
        return joined(x, Kind.SUM, x.dtype().isFloatingPoint() ? x.dtype() : DType.INT64);
    }

    /** How many indices a group has, for each line. */
    public Expr count() {
        return Expr.expand(counted(), x.shape().with(dim, groups).toArray());
    }

    private Expr counted() {
        return of(ones()).sum();
    }

    /** @throws IllegalArgumentException with PyTorch's text, for integers */
    public Expr mean() {
        checkFloating("mean");
        return Expr.cast(wideMean(), x.dtype());
    }

    private void checkFloating(String name) {
        ProductErrors.require(
                x.dtype().isFloatingPoint(),
                name + "(): could not infer output dtype. Input dtype must be either a floating point or complex dtype."
                        + " Got: " + x.dtype().typeName());
    }

    private Expr wideMean() {
        return Expr.apply(Ops.DIV, joined(x, Kind.SUM, DType.FLOAT64), counted());
    }

    private Groups withoutNaN() {
        if (!x.dtype().isFloatingPoint()) {
            return this;
        }
        Expr zeros = Expr.apply(Ops.WHERE, Expr.apply(Ops.ISNAN, x), Expr.cast(Expr.literal(0L), x.dtype()), x);
        return of(zeros);
    }

    /**
     * The mean of what is not NaN; NaN where a group has nothing else.
     *
     * @throws IllegalArgumentException with PyTorch's text, for integers
     */
    public Expr nanmean() {
        checkFloating("nanmean");
        Expr numbers = Expr.apply(Ops.LOGICAL_NOT, Expr.apply(Ops.ISNAN, x));
        Expr counts = of(numbers).sum();
        Groups there = withoutNaN();
        return Expr.cast(Expr.apply(Ops.DIV, there.joined(there.x, Kind.SUM, DType.FLOAT64), counts), x.dtype());
    }

    /**
     * The squared deviations from the mean over their count less {@code correction}.
     *
     * @throws IllegalArgumentException with PyTorch's text, for integers
     */
    public Expr var(double correction) {
        checkFloating("var");
        Expr wide = Expr.cast(x, DType.FLOAT64);
        Expr deviations = Expr.apply(Ops.SUB, wide, spread(wideMean()));
        Expr squares = of(Expr.apply(Ops.SQUARE, deviations)).sum();
        Expr degrees = Expr.apply(Ops.SUB, Expr.cast(counted(), DType.FLOAT64), Expr.literal(correction));
        return Expr.cast(
                Expr.apply(Ops.DIV, squares, Expr.apply(Ops.CLAMP_MIN, degrees, Expr.literal(0.0))), x.dtype());
    }

    /** What groups have, at each of their indices; anything at those of none. */
    Expr spread(Expr ofGroups) {
        Expr inside = Expr.apply(Ops.CLAMP, labels, Expr.literal(0L), Expr.literal(Math.max(0, groups - 1)));
        return Picking.takeAlongDim(ofGroups, inside, dim);
    }

    private Expr extreme(Kind kind) {
        return whereThere(joined(x, kind, x.dtype()));
    }

    /** The element at the first, or last, index of a group. */
    private Expr at(Kind kind) {
        long size = x.shape().size(dim);
        if (size == 0) {
            return whereThere(joined(x, Kind.SUM, x.dtype()));
        }
        Shape line = labels.shape();
        Tensor indices = Tensors.arange(size)
                .view(Shape.ones(line.rank()).with(dim, size).toArray());
        Expr places = Expr.expand(Input.beside(x, indices), line.toArray());
        Expr place = of(places).joined(places, kind, DType.INT64);
        Expr inside = Expr.apply(Ops.CLAMP, place, Expr.literal(0L), Expr.literal(size - 1));
        return whereThere(Picking.takeAlongDim(x, inside, dim));
    }

    /** NaN, or 0 of integers, where a group has no index. */
    private Expr whereThere(Expr ofGroups) {
        Expr nothing =
                Expr.cast(Expr.literal(x.dtype().isFloatingPoint() ? (Object) Double.NaN : (Object) 0L), x.dtype());
        Expr there = Expr.apply(Ops.GT, counted(), Expr.literal(0L));
        return Expr.apply(Ops.WHERE, there, ofGroups, nothing);
    }

    /** @throws IllegalArgumentException with PyTorch's text, for bools */
    public Expr median() {
        ProductErrors.require(x.dtype() != DType.BOOL, "\"median_out\" not implemented for 'Bool'");
        return along(Function.of(Kind.MEDIAN, x.dtype()));
    }

    /**
     * The value of each group below which a part {@code q} lies.
     *
     * @throws IllegalArgumentException with PyTorch's text, for dtypes other than float32 and float64, and a {@code q} outside of 0 to 1
     */
    public Expr quantile(double q, Interpolation interpolation) {
        ProductErrors.require(q >= 0 && q <= 1, "quantile() q must be in the range [0, 1] but got " + q);
        ProductErrors.require(
                x.dtype() == DType.FLOAT32 || x.dtype() == DType.FLOAT64,
                "quantile() input tensor must be either float or double dtype");
        return along(new Function(Kind.QUANTILE, q, interpolation, x.dtype()));
    }

    private Expr along(Function function) {
        return Grouped.of(function, x, labels, groups, dim);
    }

    /**
     * What is put together from any parts of a group, of many indices from those of blocks of them, which are joined by the tree of a reduction: so that the indices may lie in any
     * chunks. Where the results are small, by a reduction of the results of blocks.
     */
    private Expr joined(Expr operand, Kind kind, DType result) {
        long size = operand.shape().size(dim);
        Shape shape = operand.shape().with(dim, groups);
        long least = Long.highestOneBit(Math.max(1, groups)) * 2 * INDICES_PER_GROUP;
        long block = Math.max(LEAST_BLOCK, least);
        boolean isLarge = operand.dtype().sizeBytes(operand.shape().numel()) >= LEAST_BYTES;
        if (!isLarge || Long.BYTES * shape.numel() > PUT_TOGETHER_BYTES || size < 2 * block) {
            Function function = Function.of(kind, result);
            boolean inBlocks = isLarge && size > least;
            return Grouped.of(inBlocks ? function.inBlocks(least) : function, operand, labels, groups, dim);
        }
        Function function = Function.of(kind, result).ofParts();
        long blocks = size / block;
        Expr even =
                Grouped.of(function, blocked(operand, blocks, block), blocked(labels, blocks, block), groups, dim + 1);
        long rest = size - blocks * block;
        Expr all = even;
        if (rest > 0) {
            Expr tail = Grouped.of(
                    function,
                    ViewOps.narrow(operand, dim, blocks * block, rest),
                    ViewOps.narrow(labels, dim, blocks * block, rest),
                    groups,
                    dim);
            all = Expr.concat(List.of(even, ViewOps.unsqueeze(tail, dim)), dim);
        }
        return Expr.cast(Expr.reduce(kind.join(), all, KeepDim.DROP, dim), result);
    }

    private Expr blocked(Expr operand, long blocks, long block) {
        return ViewOps.unflatten(ViewOps.narrow(operand, dim, 0, blocks * block), dim, blocks, block);
    }
}
