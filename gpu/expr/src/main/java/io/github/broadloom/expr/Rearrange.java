package io.github.broadloom.expr;

import java.util.List;

/**
 * The elements of an expression at other places. Most view ops never become such a node: {@link Expr#rearrange} carries them
 * down to the tensors, of which they are views. What is left stands over something that has to be computed first.
 */
public final class Rearrange extends Computed {
    private static final long serialVersionUID = 1;

    private final ViewOp viewOp;

    /** A node for a view op that {@link ViewPushdown} could carry no further. */
    Rearrange(Expr operand, ViewOp viewOp) {
        super(operand.dtype(), viewOp.apply(operand.shape()), operand.device(), List.of(operand));
        this.viewOp = viewOp;
    }

    public Expr operand() {
        return children().get(0);
    }

    public ViewOp viewOp() {
        return viewOp;
    }

    private record Recipe(ViewOp viewOp) implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            return Expr.rearrange(children.get(0), viewOp);
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(viewOp);
    }

    @Override
    public boolean hasIndependentRows() {
        return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.rearrange(this);
    }

    @Override
    public String toString() {
        return viewOp + "(…)";
    }
}
