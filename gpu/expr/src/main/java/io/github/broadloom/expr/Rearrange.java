package io.github.broadloom.expr;

import java.util.List;

/**
 * The elements of an expression at other places. Most moves never become such a node: {@link Expr#rearrange} carries them
 * down to the tensors, of which they are views. What is left stands over something that has to be computed first.
 */
public final class Rearrange extends Computed {
    private static final long serialVersionUID = 1;

    private final Expr operand;
    private final ViewOp move;

    /** A node for a move that {@link ViewPushdown} could carry no further. */
    Rearrange(Expr operand, ViewOp move) {
        super(operand.dtype(), move.apply(operand.shape()), operand.device(), List.of(operand));
        this.operand = operand;
        this.move = move;
    }

    /** Whose elements they are. */
    public Expr operand() {
        return operand;
    }

    /** Where they go. */
    public ViewOp move() {
        return move;
    }

    private record Recipe(ViewOp move) implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            return Expr.rearrange(children.get(0), move);
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(move);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.rearrange(this);
    }

    @Override
    public String toString() {
        return move + "(…)";
    }
}
