package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import java.util.List;

/**
 * A conversion to another dtype. Integers wrap to the narrower width; a floating number loses its fraction on the way to
 * an integer; anything but zero is true.
 */
public final class Cast extends Pointwise {
    private static final long serialVersionUID = 1;

    Cast(Expr operand, DType dtype) {
        super(dtype, operand.shape(), operand.device(), List.of(operand));
    }

    public Expr operand() {
        return children().get(0);
    }

    private record Recipe(DType dtype) implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            return Expr.cast(children.get(0), dtype);
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(dtype());
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.cast(this);
    }

    @Override
    public String toString() {
        return dtype() + "(…)";
    }
}
