package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import java.util.List;

/**
 * A conversion to another dtype. Integers wrap to the narrower width; a floating number loses its fraction on the way to
 * an integer; anything but zero is true.
 */
public final class Cast extends Computed {
    private static final long serialVersionUID = 1;

    private final Expr operand;

    Cast(Expr operand, DType dtype) {
        super(dtype, operand.shape(), operand.device(), List.of(operand));
        this.operand = operand;
    }

    /** What is converted. */
    public Expr operand() {
        return operand;
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return Expr.cast(children.get(0), dtype());
    }

    @Override
    public String toString() {
        return dtype() + "(…)";
    }
}
