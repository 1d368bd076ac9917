package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.util.List;

/** A node whose every element is computed from one element of each child, so that a kernel computes many such nodes together. */
public abstract sealed class Pointwise extends Computed permits Apply, Cast {
    private static final long serialVersionUID = 1;

    Pointwise(DType dtype, Shape shape, Device device, List<Expr> children) {
        super(dtype, shape, device, children);
    }

    @Override
    public final boolean hasIndependentRows() {
        return true;
    }

    @Override
    public final boolean goesWithRowsOf(Expr child) {
        return child.shape().rank() == shape().rank() && super.goesWithRowsOf(child);
    }
}
