package io.github.broadloom.expr;

/**
 * A plain number on the left of a Scala operator whose right side is a tensor expression: {@code 1 - x}, {@code 0.5 * x}, {@code 0 < x}. Scala gets there by an
 * implicit conversion, which {@code broadloom.scala} defines. It takes part in promotion as it does on the right side.
 */
@SuppressWarnings("MemberName") // the names that Scala gives to operators
public final class LeftOperand {
    private final Expr number;

    private LeftOperand(Expr number) {
        this.number = number;
    }

    /** A number for the left side. */
    public static LeftOperand of(Number number) {
        return new LeftOperand(Expr.literal(number));
    }

    private <T extends TensorOps<T>> T apply(Op op, T right) {
        return right.withExpr(Expr.apply(op, number, right.expr()));
    }

    /** {@code number + x}. */
    public <T extends TensorOps<T>> T $plus(T right) {
        return apply(Ops.ADD, right);
    }

    /** {@code number - x}. */
    public <T extends TensorOps<T>> T $minus(T right) {
        return apply(Ops.SUB, right);
    }

    /** {@code number * x}. */
    public <T extends TensorOps<T>> T $times(T right) {
        return apply(Ops.MUL, right);
    }

    /** {@code number / x}. */
    public <T extends TensorOps<T>> T $div(T right) {
        return apply(Ops.DIV, right);
    }

    /** {@code number % x}. */
    public <T extends TensorOps<T>> T $percent(T right) {
        return apply(Ops.REMAINDER, right);
    }

    /** {@code number & x}. */
    public <T extends TensorOps<T>> T $amp(T right) {
        return apply(Ops.BITWISE_AND, right);
    }

    /** {@code number | x}. */
    public <T extends TensorOps<T>> T $bar(T right) {
        return apply(Ops.BITWISE_OR, right);
    }

    /** {@code number ^ x}. */
    public <T extends TensorOps<T>> T $up(T right) {
        return apply(Ops.BITWISE_XOR, right);
    }

    /** {@code number << x}. */
    public <T extends TensorOps<T>> T $less$less(T right) {
        return apply(Ops.BITWISE_LEFT_SHIFT, right);
    }

    /** {@code number >> x}. */
    public <T extends TensorOps<T>> T $greater$greater(T right) {
        return apply(Ops.BITWISE_RIGHT_SHIFT, right);
    }

    /** {@code number < x}. */
    public <T extends TensorOps<T>> T $less(T right) {
        return apply(Ops.LT, right);
    }

    /** {@code number <= x}. */
    public <T extends TensorOps<T>> T $less$eq(T right) {
        return apply(Ops.LE, right);
    }

    /** {@code number > x}. */
    public <T extends TensorOps<T>> T $greater(T right) {
        return apply(Ops.GT, right);
    }

    /** {@code number >= x}. */
    public <T extends TensorOps<T>> T $greater$eq(T right) {
        return apply(Ops.GE, right);
    }

    /** {@code number === x}. */
    public <T extends TensorOps<T>> T $eq$eq$eq(T right) {
        return apply(Ops.EQ, right);
    }

    /** {@code number =!= x}. */
    public <T extends TensorOps<T>> T $eq$bang$eq(T right) {
        return apply(Ops.NE, right);
    }
}
