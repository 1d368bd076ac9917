package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.NanEquality;
import io.github.broadloom.expr.Rounding;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.TensorLike;

/** What is made of rows of {@link Ops}, or takes more than they do; part of {@link TensorOps}. */
public interface CompositionOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** The quotient, rounded. */
    default T div(TensorLike other, Rounding rounding) {
        return apply(rounding.division(), other);
    }

    /** The quotient, rounded. */
    default T div(Number other, Rounding rounding) {
        return apply(rounding.division(), other);
    }

    /** The true quotient: {@link PointwiseOps#div}. */
    default T trueDivide(TensorLike other) {
        return apply(Ops.DIV, other);
    }

    /** The true quotient: {@link PointwiseOps#div}. */
    default T trueDivide(Number other) {
        return apply(Ops.DIV, other);
    }

    /** The other less this: what a number on the left of a minus asks for. */
    default T rsub(TensorLike other) {
        return withExpr(Compositions.rsub(expr(), operand(other)));
    }

    /** The other less this: what a number on the left of a minus asks for. */
    default T rsub(Number other) {
        return withExpr(Compositions.rsub(expr(), Expr.literal(other)));
    }

    /** The number divided by this, truly: what a number on the left of a slash asks for. */
    default T rdiv(Number other) {
        return withExpr(Expr.apply(Ops.DIV, Expr.literal(other), expr()));
    }

    /** The number to the power of this. */
    default T rpow(Number base) {
        return withExpr(Expr.apply(Ops.POW, Expr.literal(base), expr()));
    }

    /** The value itself; bools are refused. */
    default T positive() {
        return withExpr(Compositions.positive(expr()));
    }

    /**
     * Rounded to so many decimals, halves to even: x times a power of ten rounded, over that power. Negative ones round to tens and more.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools and integers
     */
    default T round(int decimals) {
        return withExpr(Compositions.round(expr(), (long) decimals));
    }

    /** Degrees as radians. */
    default T deg2rad() {
        return withExpr(Compositions.deg2rad(expr()));
    }

    /** Radians as degrees. */
    default T rad2deg() {
        return withExpr(Compositions.rad2deg(expr()));
    }

    /** log(x / (1 - x)) of the value held between eps and 1 - eps. */
    default T logit(double eps) {
        return withExpr(Compositions.logit(expr(), eps));
    }

    /**
     * As {@link #isclose(TensorLike, double, double, NanEquality)} with rtol 1e-5 and atol 1e-8, and NaN different from
     * NaN.
     */
    default T isclose(TensorLike other) {
        return isclose(other, 1e-5, 1e-8, NanEquality.DIFFERENT);
    }

    /** Whether |this - other| is at most atol + rtol * |other|, or both are equal; of one dtype, as in PyTorch. */
    default T isclose(TensorLike other, double rtol, double atol, NanEquality nans) {
        return withExpr(Compositions.isclose(expr(), operand(other), rtol, atol, nans));
    }

    /** Held between 0 and 6. */
    default T relu6() {
        return withExpr(Compositions.relu6(expr()));
    }

    /** Held between -1 and 1. */
    default T hardtanh() {
        return hardtanh(-1, 1);
    }

    /** Held between two numbers; of integers between truncated ones. */
    default T hardtanh(Number min, Number max) {
        return withExpr(Compositions.hardtanh(expr(), Literal.of(min), Literal.of(max)));
    }

    /** x / (1 + |x|). */
    default T softsign() {
        return withExpr(Compositions.softsign(expr()));
    }

    /** x - tanh(x). */
    default T tanhshrink() {
        return withExpr(Compositions.tanhshrink(expr()));
    }

    /** elu with the constants that keep mean and variance. */
    default T selu() {
        return withExpr(Compositions.selu(expr()));
    }

    /** elu with alpha, of x / alpha below zero. */
    default T celu(double alpha) {
        return withExpr(Compositions.celu(expr(), alpha));
    }
}
