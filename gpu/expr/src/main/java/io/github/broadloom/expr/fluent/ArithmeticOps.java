package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Rounding;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/**
 * Sums, products, quotients and powers with a tensor of the same kind, a local tensor or a plain number; part of {@link
 * TensorOps}.
 */
public interface ArithmeticOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** The sum; of bools, or. */
    default T add(T other) {
        return apply(Ops.ADD, other);
    }

    /** The sum; of bools, or. */
    default T add(Tensor other) {
        return apply(Ops.ADD, other);
    }

    /** The sum; of bools, or. */
    default T add(Number other) {
        return apply(Ops.ADD, other);
    }

    /** The difference; bools are refused. */
    default T sub(T other) {
        return apply(Ops.SUB, other);
    }

    /** The difference; bools are refused. */
    default T sub(Tensor other) {
        return apply(Ops.SUB, other);
    }

    /** The difference; bools are refused. */
    default T sub(Number other) {
        return apply(Ops.SUB, other);
    }

    /** The product; of bools, and. */
    default T mul(T other) {
        return apply(Ops.MUL, other);
    }

    /** The product; of bools, and. */
    default T mul(Tensor other) {
        return apply(Ops.MUL, other);
    }

    /** The product; of bools, and. */
    default T mul(Number other) {
        return apply(Ops.MUL, other);
    }

    /** The true quotient; of integers a float32. */
    default T div(T other) {
        return apply(Ops.DIV, other);
    }

    /** The true quotient; of integers a float32. */
    default T div(Tensor other) {
        return apply(Ops.DIV, other);
    }

    /** The true quotient; of integers a float32. */
    default T div(Number other) {
        return apply(Ops.DIV, other);
    }

    /** The quotient rounded down; an integer divided by zero is an error. */
    default T floorDivide(T other) {
        return apply(Ops.FLOOR_DIVIDE, other);
    }

    /** The quotient rounded down; an integer divided by zero is an error. */
    default T floorDivide(Tensor other) {
        return apply(Ops.FLOOR_DIVIDE, other);
    }

    /** The quotient rounded down; an integer divided by zero is an error. */
    default T floorDivide(Number other) {
        return apply(Ops.FLOOR_DIVIDE, other);
    }

    /** The quotient rounded towards zero, div's rounding_mode 'trunc'; an integer divided by zero is an error. */
    default T divTrunc(T other) {
        return apply(Ops.DIV_TRUNC, other);
    }

    /** The quotient rounded towards zero, div's rounding_mode 'trunc'; an integer divided by zero is an error. */
    default T divTrunc(Tensor other) {
        return apply(Ops.DIV_TRUNC, other);
    }

    /** The quotient rounded towards zero, div's rounding_mode 'trunc'; an integer divided by zero is an error. */
    default T divTrunc(Number other) {
        return apply(Ops.DIV_TRUNC, other);
    }

    /** Python's %: the remainder with the divisor's sign; an integer divided by zero is an error. */
    default T remainder(T other) {
        return apply(Ops.REMAINDER, other);
    }

    /** Python's %: the remainder with the divisor's sign; an integer divided by zero is an error. */
    default T remainder(Tensor other) {
        return apply(Ops.REMAINDER, other);
    }

    /** Python's %: the remainder with the divisor's sign; an integer divided by zero is an error. */
    default T remainder(Number other) {
        return apply(Ops.REMAINDER, other);
    }

    /** C's fmod: the remainder with the dividend's sign; an integer divided by zero is an error. */
    default T fmod(T other) {
        return apply(Ops.FMOD, other);
    }

    /** C's fmod: the remainder with the dividend's sign; an integer divided by zero is an error. */
    default T fmod(Tensor other) {
        return apply(Ops.FMOD, other);
    }

    /** C's fmod: the remainder with the dividend's sign; an integer divided by zero is an error. */
    default T fmod(Number other) {
        return apply(Ops.FMOD, other);
    }

    /** The power; exponent 2 is x * x, 3 to 8 are products, and integers to negative exponents give 0, or ±1 of ±1. */
    default T pow(T other) {
        return apply(Ops.POW, other);
    }

    /** The power; exponent 2 is x * x, 3 to 8 are products, and integers to negative exponents give 0, or ±1 of ±1. */
    default T pow(Tensor other) {
        return apply(Ops.POW, other);
    }

    /** The power; exponent 2 is x * x, 3 to 8 are products, and integers to negative exponents give 0, or ±1 of ±1. */
    default T pow(Number other) {
        return apply(Ops.POW, other);
    }

    /** The first plus value * tensor1 * tensor2, multiplied from the left. */
    default T addcmul(T tensor1, T tensor2) {
        return apply(Ops.ADDCMUL, tensor1, tensor2);
    }

    /** The first plus value * tensor1 * tensor2, multiplied from the left. */
    default T addcmul(T tensor1, T tensor2, Number value) {
        return apply(Ops.ADDCMUL, tensor1, tensor2, value);
    }

    /** The first plus value * tensor1 * tensor2, multiplied from the left. */
    default T addcmul(Tensor tensor1, Tensor tensor2) {
        return apply(Ops.ADDCMUL, tensor1, tensor2);
    }

    /** The first plus value * tensor1 * tensor2, multiplied from the left. */
    default T addcmul(Tensor tensor1, Tensor tensor2, Number value) {
        return apply(Ops.ADDCMUL, tensor1, tensor2, value);
    }

    /** The first plus value * tensor1 / tensor2, computed from the left. */
    default T addcdiv(T tensor1, T tensor2) {
        return apply(Ops.ADDCDIV, tensor1, tensor2);
    }

    /** The first plus value * tensor1 / tensor2, computed from the left. */
    default T addcdiv(T tensor1, T tensor2, Number value) {
        return apply(Ops.ADDCDIV, tensor1, tensor2, value);
    }

    /** The first plus value * tensor1 / tensor2, computed from the left. */
    default T addcdiv(Tensor tensor1, Tensor tensor2) {
        return apply(Ops.ADDCDIV, tensor1, tensor2);
    }

    /** The first plus value * tensor1 / tensor2, computed from the left. */
    default T addcdiv(Tensor tensor1, Tensor tensor2, Number value) {
        return apply(Ops.ADDCDIV, tensor1, tensor2, value);
    }

    /** From the first to the end by a weight, exact at the weights 0 and 1. */
    default T lerp(T end, T weight) {
        return apply(Ops.LERP, end, weight);
    }

    /** From the first to the end by a weight, exact at the weights 0 and 1. */
    default T lerp(T end, Number weight) {
        return apply(Ops.LERP, end, weight);
    }

    /** From the first to the end by a weight, exact at the weights 0 and 1. */
    default T lerp(Tensor end, Tensor weight) {
        return apply(Ops.LERP, end, weight);
    }

    /** From the first to the end by a weight, exact at the weights 0 and 1. */
    default T lerp(Tensor end, Number weight) {
        return apply(Ops.LERP, end, weight);
    }

    /** The quotient, rounded. */
    default T div(T other, Rounding rounding) {
        return apply(rounding.division(), other);
    }

    /** The quotient, rounded. */
    default T div(Tensor other, Rounding rounding) {
        return apply(rounding.division(), other);
    }

    /** The quotient, rounded. */
    default T div(Number other, Rounding rounding) {
        return apply(rounding.division(), other);
    }

    /** The true quotient: {@link #div}. */
    default T trueDivide(T other) {
        return apply(Ops.DIV, other);
    }

    /** The true quotient: {@link #div}. */
    default T trueDivide(Tensor other) {
        return apply(Ops.DIV, other);
    }

    /** The true quotient: {@link #div}. */
    default T trueDivide(Number other) {
        return apply(Ops.DIV, other);
    }

    /** The other less this: what a number on the left of a minus asks for. */
    default T rsub(T other) {
        return withExpr(Compositions.rsub(expr(), other.expr()));
    }

    /** The other less this: what a number on the left of a minus asks for. */
    default T rsub(Tensor other) {
        return withExpr(Compositions.rsub(expr(), Input.of(other)));
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
}
