package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.dtype.Fitting;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.ops.DTypeRule;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Overlap;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * What PyTorch allows of an operation that writes its result over its first operand. The rules are checked in PyTorch's
 * order: what the operation refuses of the dtypes, a target whose elements share memory, the sizes, the shape of the
 * result, the cast, and what only the kernel refuses.
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
        Expr[] args = Arguments.prepend(self, others);
        List<Expr> list = List.of(args);
        op.rule().check(list);
        if (op.rule() == DTypeRule.CLAMP) {
            checkBounds(self, list);
        }
        DTypeRule.Typing typing = op.rule().type(Apply.withDefaults(op, list));
        op.checkDType(typing.compute());
        checkShapes(target, args);
        checkCast(typing.result(), self);
        return Expr.cast(Expr.apply(op, args), self.dtype());
    }

    /**
     * What is written where a value is computed from {@code self} alone.
     *
     * @return the value in the dtype of {@code self}
     * @throws IllegalArgumentException with PyTorch's text
     */
    static Expr result(Layout target, Expr self, Expr value) {
        checkShapes(target, self);
        checkCast(value.dtype(), self);
        return Expr.cast(value, self.dtype());
    }

    /**
     * What {@code self.add_(other, alpha)} and {@code self.sub_(other, alpha)} write: {@code self ± alpha * other}, in
     * reduced floating dtypes rounded once.
     *
     * @param alpha a Number or a Boolean
     * @throws IllegalArgumentException with PyTorch's text
     */
    public static Expr scaled(Op op, Layout target, Expr self, Expr other, Object alpha) {
        op.rule().check(List.of(self, other));
        checkShapes(target, self, other);
        DType dtype = Promotion.resultType(self, other);
        checkCast(dtype, self);
        Expr factor = Expr.literal(alpha);
        if (alpha instanceof Boolean && dtype != DType.BOOL) {
            throw new IllegalArgumentException("Boolean alpha only supported for Boolean results.");
        }
        if (!dtype.isFloatingPoint() && factor.dtype().isFloatingPoint()) {
            throw new IllegalArgumentException(
                    "For integral input tensors, argument alpha must not be a floating point number.");
        }
        Fitting.check(dtype, alpha);
        DType compute = dtype.isReducedFloatingPoint() ? dtype.widened() : dtype;
        Expr product = Expr.apply(Ops.MUL, Expr.cast(Expr.cast(other, dtype), compute), Expr.cast(factor, compute));
        return Expr.cast(Expr.apply(op, Expr.cast(self, compute), product), self.dtype());
    }

    /**
     * What {@code copy_} writes: any dtype becomes any other.
     *
     * @return the source cast to {@code dtype}; of a shape that broadcasts to the target's
     * @throws IllegalArgumentException with PyTorch's text
     */
    public static Expr copy(Layout target, DType dtype, Expr source) {
        checkShapes(target, source);
        return Expr.cast(source, dtype);
    }

    private static void checkShapes(Layout target, Expr... args) {
        Overlap.requireDistinctElements(target);
        Shape[] shapes =
                Arrays.stream(Arguments.prepend(args[0], args)).map(Expr::shape).toArray(Shape[]::new);
        shapes[0] = target.shape();
        Shape result = Broadcasting.broadcastShapes(shapes);
        if (!result.equals(target.shape())) {
            throw new IllegalArgumentException(
                    "output with shape " + target.shape() + " doesn't match the broadcast shape " + result);
        }
    }

    private static void checkCast(DType result, Expr self) {
        if (!Promotion.canCast(result, self.dtype())) {
            throw new IllegalArgumentException(
                    "result type " + result.typeName() + " can't be cast to the desired output type "
                            + self.dtype().typeName());
        }
    }

    /** Plain bounds may not even widen the dtype, and PyTorch then names the target's in C++. */
    private static void checkBounds(Expr self, List<Expr> args) {
        boolean plain = args.subList(1, args.size()).stream().allMatch(Literal.class::isInstance);
        DType result = Promotion.resultType(args.toArray());
        if (plain && self.dtype().kind() != Kind.FLOATING && result != self.dtype()) {
            throw new IllegalArgumentException(
                    "result type " + result.typeName() + " can't be cast to the desired output type "
                            + self.dtype().cxxName());
        }
    }
}
