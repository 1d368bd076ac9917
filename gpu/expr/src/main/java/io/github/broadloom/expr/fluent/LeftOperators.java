package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;

/**
 * The operators of Scala for what stands on the left of another kind of tensor expression, and takes part in it: a plain number, or what is local where the right side is distributed. The result
 * is of the right side's kind.
 */
@SuppressWarnings("MemberName") // the names that Scala gives to operators
public interface LeftOperators {
    /** What stands on the left. */
    Expr expr();

    private <T extends TensorOps<T>> T left(Op op, OpsBase<T> right) {
        return right.withExpr(Expr.apply(op, expr(), right.expr()));
    }

    /** {@code left + x}. */
    default <T extends TensorOps<T>> T $plus(OpsBase<T> right) {
        return left(Ops.ADD, right);
    }

    /** {@code left - x}. */
    default <T extends TensorOps<T>> T $minus(OpsBase<T> right) {
        return left(Ops.SUB, right);
    }

    /** {@code left * x}. */
    default <T extends TensorOps<T>> T $times(OpsBase<T> right) {
        return left(Ops.MUL, right);
    }

    /** {@code left / x}. */
    default <T extends TensorOps<T>> T $div(OpsBase<T> right) {
        return left(Ops.DIV, right);
    }

    /** {@code left % x}. */
    default <T extends TensorOps<T>> T $percent(OpsBase<T> right) {
        return left(Ops.REMAINDER, right);
    }

    /** {@code left & x}. */
    default <T extends TensorOps<T>> T $amp(OpsBase<T> right) {
        return left(Ops.BITWISE_AND, right);
    }

    /** {@code left | x}. */
    default <T extends TensorOps<T>> T $bar(OpsBase<T> right) {
        return left(Ops.BITWISE_OR, right);
    }

    /** {@code left ^ x}. */
    default <T extends TensorOps<T>> T $up(OpsBase<T> right) {
        return left(Ops.BITWISE_XOR, right);
    }

    /** {@code left << x}. */
    default <T extends TensorOps<T>> T $less$less(OpsBase<T> right) {
        return left(Ops.BITWISE_LEFT_SHIFT, right);
    }

    /** {@code left >> x}. */
    default <T extends TensorOps<T>> T $greater$greater(OpsBase<T> right) {
        return left(Ops.BITWISE_RIGHT_SHIFT, right);
    }

    /** {@code left < x}. */
    default <T extends TensorOps<T>> T $less(OpsBase<T> right) {
        return left(Ops.LT, right);
    }

    /** {@code left <= x}. */
    default <T extends TensorOps<T>> T $less$eq(OpsBase<T> right) {
        return left(Ops.LE, right);
    }

    /** {@code left > x}. */
    default <T extends TensorOps<T>> T $greater(OpsBase<T> right) {
        return left(Ops.GT, right);
    }

    /** {@code left >= x}. */
    default <T extends TensorOps<T>> T $greater$eq(OpsBase<T> right) {
        return left(Ops.GE, right);
    }

    /** {@code left === x}. */
    default <T extends TensorOps<T>> T $eq$eq$eq(OpsBase<T> right) {
        return left(Ops.EQ, right);
    }

    /** {@code left =!= x}. */
    default <T extends TensorOps<T>> T $eq$bang$eq(OpsBase<T> right) {
        return left(Ops.NE, right);
    }
}
