package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.LineOp;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;

/**
 * For each group of the indices along one dimension a function of the elements there; labels say of which group an index is, and those that name none are left out, or lengths how many
 * indices that follow each other are of each group, as in {@code torch.segment_reduce}. In the
 * result the groups stand in the place of the indices. Each element of it is computed in the order of the indices, floating numbers in float64, integers and bools in int64: a part of the
 * result along any other dimension is that of the same part of the operand, to the bit.
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
        LENGTHS
    }

    /** What is done to the elements of a group. */
    public enum Kind {
        SUM,
        PROD,
        MIN,
        MAX,
        MEDIAN,
        QUANTILE;

        /** Whether it is put together from results of parts of a group, in any order of the parts. */
        public boolean joins() {
            return compareTo(MEDIAN) < 0;
        }
    }

    /**
     * @param q of a quantile, from 0 to 1
     * @param result the dtype of the results
     * @param strict whether a label that names no group is an {@link IndexOutOfBoundsException}; else its index is left out
     */
    public record Function(Kind kind, double q, Interpolation interpolation, DType result, boolean strict)
            implements Serializable {
        static Function of(Kind kind, DType result) {
            return new Function(kind, 0, Interpolation.LINEAR, result, false);
        }

        Function strictly() {
            return new Function(kind, q, interpolation, result, true);
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
     * The node for groups of indices that follow each other, which has the bits of that with as many labels of each group. There are as many groups as lengths, so that it works of
     * some groups, too, over the lengths and the indices of these.
     *
     * @param lengths int64, of the rank of the operand, with size 1 but along {@code dim}; together they are the size of the operand there
     */
    private static Grouped ofSegments(Function function, Expr operand, Expr lengths, int dim) {
        long groups = lengths.shape().size(dim);
        boolean fits = lengths.dtype() == DType.INT64
                && lengths.shape().rank() == operand.shape().rank()
                && lengths.shape().numel() == groups;
        ProductErrors.require(
                fits,
                "Cannot group " + operand.shape() + " along dimension " + dim + " by lengths of " + lengths.shape());
        return new Grouped(function, operand, By.LENGTHS, lengths, groups, dim);
    }

    /** This, where the indices of each group follow each other, and the groups. */
    public Grouped withLengths(Expr lengths) {
        return ofSegments(function, operand(), lengths, dim);
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

    /** Labels from 0 to before {@link #groups()}, of which any other is of no group; or lengths. */
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

    /** @param groups of labels; as many as there are lengths */
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
