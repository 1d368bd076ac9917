package io.github.broadloom.expr;

/**
 * A plain number, or a local tensor, on the left of a Scala operator whose right side is a tensor expression: {@code 1 - x}, {@code 0.5 * x}, {@code 0 < x}. Scala gets there by an
 * implicit conversion, which {@code broadloom.scala} defines. The operand takes part in promotion as it does on the right side.
 */
@SuppressWarnings("MemberName") // the names that Scala gives to operators
public final class LeftOperand {
    private final Expr operand;

    private LeftOperand(Expr operand) {
        this.operand = operand;
    }

    /**
     * An operand for the left side.
     *
     * @param operand a Number, a Boolean or a local tensor
     */
    public static LeftOperand of(Object operand) {
        return new LeftOperand(Arguments.of(operand));
    }

    private <T extends TensorOps<T>> T apply(Op op, T right) {
        return right.withExpr(Expr.apply(op, BroadcastWarning.checked(operand, right.expr())));
    }

    /** {@code operand + x}. */
    public <T extends TensorOps<T>> T $plus(T right) {
        return apply(Ops.ADD, right);
    }

    /** {@code operand - x}. */
    public <T extends TensorOps<T>> T $minus(T right) {
        return apply(Ops.SUB, right);
    }

    /** {@code operand * x}. */
    public <T extends TensorOps<T>> T $times(T right) {
        return apply(Ops.MUL, right);
    }

    /** {@code operand / x}. */
    public <T extends TensorOps<T>> T $div(T right) {
        return apply(Ops.DIV, right);
    }

    /** {@code operand % x}. */
    public <T extends TensorOps<T>> T $percent(T right) {
        return apply(Ops.REMAINDER, right);
    }

    /** {@code operand & x}. */
    public <T extends TensorOps<T>> T $amp(T right) {
        return apply(Ops.BITWISE_AND, right);
    }

    /** {@code operand | x}. */
    public <T extends TensorOps<T>> T $bar(T right) {
        return apply(Ops.BITWISE_OR, right);
    }

    /** {@code operand ^ x}. */
    public <T extends TensorOps<T>> T $up(T right) {
        return apply(Ops.BITWISE_XOR, right);
    }

    /** {@code operand << x}. */
    public <T extends TensorOps<T>> T $less$less(T right) {
        return apply(Ops.BITWISE_LEFT_SHIFT, right);
    }

    /** {@code operand >> x}. */
    public <T extends TensorOps<T>> T $greater$greater(T right) {
        return apply(Ops.BITWISE_RIGHT_SHIFT, right);
    }

    /** {@code operand < x}. */
    public <T extends TensorOps<T>> T $less(T right) {
        return apply(Ops.LT, right);
    }

    /** {@code operand <= x}. */
    public <T extends TensorOps<T>> T $less$eq(T right) {
        return apply(Ops.LE, right);
    }

    /** {@code operand > x}. */
    public <T extends TensorOps<T>> T $greater(T right) {
        return apply(Ops.GT, right);
    }

    /** {@code operand >= x}. */
    public <T extends TensorOps<T>> T $greater$eq(T right) {
        return apply(Ops.GE, right);
    }

    /** {@code operand === x}. */
    public <T extends TensorOps<T>> T $eq$eq$eq(T right) {
        return apply(Ops.EQ, right);
    }

    /** {@code operand =!= x}. */
    public <T extends TensorOps<T>> T $eq$bang$eq(T right) {
        return apply(Ops.NE, right);
    }
}
