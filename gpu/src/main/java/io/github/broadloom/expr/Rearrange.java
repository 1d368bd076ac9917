package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.util.List;

/**
 * The elements of an expression at other places. Most moves never become such a node: {@link Expr#rearrange} carries them
 * down to the tensors, of which they are views. What is left stands over something that has to be computed first.
 */
public final class Rearrange implements Expr {
    private static final long serialVersionUID = 1;

    private final Expr operand;
    private final Device device;
    private final Move move;
    private final Shape shape;

    /** A node for a move that {@link Sinking} could carry no further. */
    Rearrange(Expr operand, Move move) {
        this.operand = operand;
        this.device = operand.device();
        this.move = move;
        this.shape = move.apply(operand.shape());
    }

    /** Whose elements they are. */
    public Expr operand() {
        return operand;
    }

    /** Where they go. */
    public Move move() {
        return move;
    }

    @Override
    public DType dtype() {
        return operand.dtype();
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public Shape shape() {
        return shape;
    }

    @Override
    public List<Expr> children() {
        return List.of(operand);
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return Expr.rearrange(children.get(0), move);
    }

    private Object writeReplace() {
        return new FlatExpr(this);
    }

    @Override
    public String toString() {
        return move + "(…)";
    }
}
