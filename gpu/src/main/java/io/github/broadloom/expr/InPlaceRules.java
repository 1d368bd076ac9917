package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.List;

/**
 * What PyTorch allows of an operation that writes its result over its first operand. The rules are checked in PyTorch's
 * order: what the operation refuses of the dtypes, a target whose elements share memory, the sizes, the shape of the
 * result, the cast.
 */
public final class InPlaceRules {
    private InPlaceRules() {}

    /**
     * What {@code self.op_(others…)} writes.
     *
     * @param target the layout that is written to, that of {@code self}
     * @return the result, of the target's shape and of the dtype of {@code self}
     * @throws IllegalArgumentException with PyTorch's text
     */
    public static Expr apply(Op op, Layout target, Expr self, Expr... others) {
        Expr[] args = new Expr[others.length + 1];
        args[0] = self;
        System.arraycopy(others, 0, args, 1, others.length);
        op.rule().check(List.of(args));
        checkOneElementEach(target);
        Expr result = Expr.apply(op, args);
        checkShape(target.shape(), result.shape());
        if (!Promotion.canCast(result.dtype(), self.dtype())) {
            throw new IllegalArgumentException("result type " + result.dtype().typeName()
                    + " can't be cast to the desired output type "
                    + self.dtype().typeName());
        }
        return Expr.cast(result, self.dtype());
    }

    /**
     * What {@code copy_} writes: any dtype becomes any other.
     *
     * @return the source cast to {@code dtype}; of a shape that broadcasts to the target's
     * @throws IllegalArgumentException with PyTorch's text
     */
    public static Expr copy(Layout target, DType dtype, Expr source) {
        checkOneElementEach(target);
        checkShape(target.shape(), Broadcasting.broadcastShapes(target.shape(), source.shape()));
        return Expr.cast(source, dtype);
    }

    /** PyTorch's test refuses the overlap of an expanded dimension, and lets others pass that it cannot cheaply see. */
    private static void checkOneElementEach(Layout target) {
        Shape shape = target.shape();
        for (int dim = 0; dim < shape.rank(); dim++) {
            if (shape.numel() > 0 && shape.size(dim) > 1 && target.stride(dim) == 0) {
                throw new IllegalArgumentException(
                        "unsupported operation: more than one element of the written-to tensor"
                                + " refers to a single memory location. Please clone() the tensor before performing the"
                                + " operation.");
            }
        }
    }

    private static void checkShape(Shape target, Shape result) {
        if (!result.equals(target)) {
            throw new IllegalArgumentException(
                    "output with shape " + target + " doesn't match the broadcast shape " + result);
        }
    }
}
