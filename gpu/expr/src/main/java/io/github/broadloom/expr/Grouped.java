package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * For each group of the indices along one dimension a function of the elements there; labels say of which group an index is, and those that name none are left out, or ends where each group
 * of indices that follow each other ends, as the offsets of {@code torch.segment_reduce}. In the
 * result the groups stand in the place of the indices. Each element of it is computed in the order of the indices, floating numbers in float64, integers and bools in int64, and where the
 * function says so {@linkplain Function#block block} by block: a part of the result along any other dimension is that of the same part of the operand, to the bit.
 *
 * <p>A group without elements has what its function gives of nothing: 0 the sum, 1 the product, the greatest value the minimum and the smallest the maximum, and an order
 * statistic NaN, or 0 of integers.
 */
public final class Grouped extends Computed {
    private static final long serialVersionUID = 1L;

    private final Function function;
    private final By by;
    private final long groups;
    private final int dim;

    /** What tells of which group an index is. */
    public enum By {
        LABELS,
        ENDS
    }

    /** What is done to the elements of a group. */
    public enum Kind {
        SUM(Reduction.SUM),
        PROD(Reduction.PROD),
        MIN(Reduction.AMIN),
        MAX(Reduction.AMAX),
        MEDIAN,
        QUANTILE;

        private final @Nullable Reduction join;

        Kind() {
            this.join = null;
        }

        Kind(Reduction join) {
            this.join = join;
        }

        /** Whether it is put together from results of parts of a group. */
        public boolean joins() {
            return join != null;
        }

        /**
         * What puts it together from results of parts of a group.
         *
         * @throws NullPointerException where that is not how it is computed
         */
        Reduction join() {
            return Objects.requireNonNull(join);
        }
    }

    /**
     * @param q of a quantile, from 0 to 1
     * @param result the dtype of the results
     * @param strict whether a label that names no group is an {@link IndexOutOfBoundsException}; else its index is left out
     * @param block of how many indices, from the first on, results are joined in the order of the indices; those of blocks are joined by the pairwise tree of a reduction. {@link #NO_BLOCK}
     *     where all are one block
     */
    public record Function(Kind kind, double q, Interpolation interpolation, DType result, boolean strict, long block)
            implements Serializable {
        /** More than there are indices. */
        public static final long NO_BLOCK = Long.MAX_VALUE;

        Function(Kind kind, double q, Interpolation interpolation, DType result) {
            this(kind, q, interpolation, result, false, NO_BLOCK);
        }

        static Function of(Kind kind, DType result) {
            return new Function(kind, 0, Interpolation.LINEAR, result);
        }

        Function strictly() {
            return new Function(kind, q, interpolation, result, true, block);
        }

        Function inBlocks(long indices) {
            return new Function(kind, q, interpolation, result, strict, indices);
        }

        /** The same of a part of a group, as it goes on to others: floating sums and products are not rounded before they are joined. */
        Function ofParts() {
            boolean isWider = result.isFloatingPoint() && (kind == Kind.SUM || kind == Kind.PROD);
            return of(kind, isWider ? DType.FLOAT64 : result);
        }

        /** The block that an index is of. */
        public long blockOf(long index) {
            return index / block;
        }

        /** The index behind the last one of its block that comes before {@code end}. */
        public long blockEnd(long index, long end) {
            return end - index <= block - index % block ? end : index - index % block + block;
        }

        /** As a function of a whole line, of an order statistic. */
        public LineOp line() {
            return kind == Kind.MEDIAN
                    ? LineOp.of(LineOp.Kind.MEDIAN)
                    : LineOp.quantile(LineOp.Kind.QUANTILE, q, interpolation);
        }
    }

    private Grouped(Function function, Expr operand, By by, Expr told, long groups, int dim) {
        super(
                function.result(),
                operand.shape().with(dim, groups),
                Placement.ofAll(List.of(operand, told)),
                List.of(operand, told));
        this.function = function;
        this.by = by;
        this.groups = groups;
        this.dim = dim;
    }

    /**
     * The node.
     *
     * @param labels int64, of the rank of the operand, along {@code dim} of its size, else of its sizes or 1
     */
    static Grouped of(Function function, Expr operand, Expr labels, long groups, int dim) {
        boolean fits = labels.dtype() == DType.INT64
                && labels.shape().rank() == operand.shape().rank();
        for (int d = 0; fits && d < operand.shape().rank(); d++) {
            long size = labels.shape().size(d);
            fits = size == operand.shape().size(d) || size == 1 && d != dim;
        }
        ProductErrors.require(
                fits && groups >= 0,
                "Cannot group " + operand.shape() + " along dimension " + dim + " by labels of " + labels.shape());
        return new Grouped(function, operand, By.LABELS, labels, groups, dim);
    }

    /**
     * The node for groups of indices that follow each other, which has the bits of that with as many labels of each group. There are as many groups as ends, so that it works of
     * some groups, too, over the ends and the indices of these.
     *
     * @param ends int64, of the rank of the operand, with size 1 but along {@code dim}: the index behind the last one of each group, among the indices of all groups
     */
    private static Grouped ofSegments(Function function, Expr operand, Expr ends, int dim) {
        long groups = ends.shape().size(dim);
        boolean fits = ends.dtype() == DType.INT64
                && ends.shape().rank() == operand.shape().rank()
                && ends.shape().numel() == groups;
        ProductErrors.require(
                fits, "Cannot group " + operand.shape() + " along dimension " + dim + " by ends of " + ends.shape());
        return new Grouped(function, operand, By.ENDS, ends, groups, dim);
    }

    /** This, where the indices of each group follow each other, and the groups, and none of them has more than a block has. */
    public Grouped withEnds(Expr ends) {
        return ofSegments(function, operand(), ends, dim);
    }

    /**
     * This in two steps: first of runs, which are indices that follow each other and have one label, then of what these come to. It has the same bits where no run goes beyond a block, and
     * floating sums and products where no group has two runs in one.
     *
     * @param ends of the runs, as of {@link #withEnds groups}: of each block as many, of which some may have no index
     * @param labels of the runs, as those of indices; of none where one names no group
     * @param runsOfBlock how many
     */
    public Grouped overRuns(Expr ends, Expr labels, long runsOfBlock) {
        Grouped runs = ofSegments(function.ofParts(), operand(), ends, dim);
        Function joined = Function.of(function.kind(), function.result());
        boolean inBlocks = function.block() < Function.NO_BLOCK;
        return of(inBlocks ? joined.inBlocks(runsOfBlock) : joined, runs, labels, groups, dim);
    }

    public Function function() {
        return function;
    }

    public Expr operand() {
        return children().get(0);
    }

    public By by() {
        return by;
    }

    /** Labels from 0 to before {@link #groups()}, of which any other is of no group; or ends. */
    public Expr told() {
        return children().get(1);
    }

    public long groups() {
        return groups;
    }

    /** The dimension whose indices are grouped, not negative. */
    public int dim() {
        return dim;
    }

    /** @param groups of labels; as many as there are ends */
    private record Recipe(Function function, By by, long groups, int dim) implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            Expr operand = children.get(0);
            Expr told = children.get(1);
            return by == By.LABELS
                    ? of(function, operand, told, groups, dim)
                    : ofSegments(function, operand, told, dim);
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(function, by, groups, dim);
    }

    /**
     * The reduction over the rows of what blocks of indices come to, where the indices are the rows: over any tensor, for its shapes and dtypes.
     *
     * @throws NullPointerException where results are not put together from those of parts
     */
    public Reduce overBlocks() {
        Shape blocks = shape().withLeading(blocks());
        return (Reduce)
                Expr.reduce(function.kind().join(), Input.of("blocks", function.result(), blocks), KeepDim.DROP, 0);
    }

    /** How many blocks the indices are in. */
    public long blocks() {
        long size = operand().shape().size(dim);
        return size == 0 ? 0 : function.blockOf(size - 1) + 1;
    }

    /** The same over children that have one more dimension in front. */
    Expr behindFirst(Expr operand, Expr told) {
        return new Recipe(function, by, groups, dim + 1).over(List.of(operand, told));
    }

    @Override
    public boolean hasIndependentRows() {
        return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.grouped(this);
    }

    @Override
    public String toString() {
        return "grouped " + function.kind().name().toLowerCase(Locale.ROOT) + "(…, dim=" + dim + ", groups=" + groups
                + ")";
    }
}
