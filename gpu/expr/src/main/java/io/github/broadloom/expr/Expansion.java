package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;

/**
 * {@link Expr#expand}: of a local tensor its view; of anything else {@link Ops#EXPAND_AS} beside a single repeated
 * element.
 */
public final class Expansion {
    private Expansion() {}

    static Expr of(Expr operand, long... sizes) {
        Shape target = shape(operand, sizes);
        if (target.equals(operand.shape()) && !(operand instanceof Literal)) {
            return operand;
        }
        if (operand instanceof Input input && input.source() instanceof Tensor tensor) {
            return input.withView(tensor.expand(target));
        }
        Tensor model = Tensors.scalar(false, DType.BOOL).expand(target);
        return Expr.apply(Ops.EXPAND_AS, operand, Input.of(model));
    }

    /** The shape that these sizes mean; -1 keeps one. */
    public static Shape shape(Expr operand, long... sizes) {
        Broadcasting.requireEnoughSizes(operand.dtype(), operand.shape(), sizes);
        return Layout.contiguous(operand.shape()).expand(sizes).shape();
    }
}
