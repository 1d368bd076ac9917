package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.List;

/**
 * The rows of a tensor where a mask is true, in their order: NumPy's {@code compress} along the leading dimension. How many they are was counted before, as the shape of a
 * result is known before its elements are.
 */
public final class Filter extends Computed {
    private static final long serialVersionUID = 1;

    private final long count;

    private Filter(Expr operand, Expr mask, long count) {
        super(
                operand.dtype(),
                operand.shape().with(0, count),
                Placement.ofAll(List.of(operand, mask)),
                List.of(operand, mask));
        this.count = count;
    }

    /**
     * The node.
     *
     * @param operand {@code [rows, …]}
     * @param mask bool {@code [rows]}
     * @param count how many of it are true
     */
    static Filter of(Expr operand, Expr mask, long count) {
        long rows = operand.shape().rank() == 0 ? -1 : operand.shape().size(0);
        ProductErrors.require(
                mask.dtype() == DType.BOOL && mask.shape().equals(Shape.of(rows)) && count >= 0 && count <= rows,
                "Cannot pick " + count + " rows of " + operand.shape() + " by a mask of " + mask.dtype() + " "
                        + mask.shape());
        return new Filter(operand, mask, count);
    }

    public Expr operand() {
        return children().get(0);
    }

    public Expr mask() {
        return children().get(1);
    }

    private record Recipe(long count) implements Computed.Recipe {
        /** Of a part of the rows, where nobody knows how many are picked, at most so many. */
        @Override
        public Expr over(List<Expr> children) {
            return of(
                    children.get(0),
                    children.get(1),
                    Math.min(count, children.get(1).shape().numel()));
        }
    }

    @Override
    public Computed.Recipe recipe() {
        return new Recipe(count);
    }

    @Override
    public boolean hasIndependentRows() {
        return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.filter(this);
    }

    @Override
    public String toString() {
        return "filter";
    }
}
