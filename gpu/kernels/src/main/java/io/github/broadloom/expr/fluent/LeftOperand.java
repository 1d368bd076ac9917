package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Expr;

/**
 * A plain number on the left of a Scala operator whose right side is a tensor expression: {@code 1 - x}, {@code 0.5 * x}, {@code 0 < x}. Scala gets there by an
 * implicit conversion, which {@code broadloom.scala} defines. It takes part in promotion as it does on the right side.
 */
public final class LeftOperand implements LeftOperators {
    private final Expr number;

    private LeftOperand(Expr number) {
        this.number = number;
    }

    /** A number for the left side. */
    public static LeftOperand of(Number number) {
        return new LeftOperand(Expr.literal(number));
    }

    @Override
    public Expr expr() {
        return number;
    }
}
