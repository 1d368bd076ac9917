package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.ops.Ops;

/** Activation functions of neural networks; part of {@link TensorOps}. */
public interface ActivationOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** The value, or 0 where it is below; NaN of NaN. */
    default T relu() {
        return apply(Ops.RELU);
    }

    /** The logistic function 1 / (1 + exp(-x)); 0 where exp(-x) overflows. */
    default T sigmoid() {
        return apply(Ops.SIGMOID);
    }

    /** The value times its logistic function, also called swish. */
    default T silu() {
        return apply(Ops.SILU);
    }

    /** The value times the normal distribution function at it. */
    default T gelu() {
        return apply(Ops.GELU);
    }

    /** gelu's approximation by tanh, approximate='tanh'. */
    default T geluTanh() {
        return apply(Ops.GELU_TANH);
    }

    /** The value times tanh(log(1 + exp(value))). */
    default T mish() {
        return apply(Ops.MISH);
    }

    /** log(1 + exp(beta x)) / beta; x itself where beta x passes the threshold. */
    default T softplus() {
        return apply(Ops.SOFTPLUS);
    }

    /** log(1 + exp(beta x)) / beta; x itself where beta x passes the threshold. */
    default T softplus(Number beta, Number threshold) {
        return apply(Ops.SOFTPLUS, beta, threshold);
    }

    /** The logarithm of the logistic function. */
    default T logsigmoid() {
        return apply(Ops.LOGSIGMOID);
    }

    /** The value, or negative_slope times it where it is below zero. */
    default T leakyRelu() {
        return apply(Ops.LEAKY_RELU);
    }

    /** The value, or negative_slope times it where it is below zero. */
    default T leakyRelu(Number negativeSlope) {
        return apply(Ops.LEAKY_RELU, negativeSlope);
    }

    /** scale * x, or scale * alpha * (exp(input_scale * x) - 1) where x is below zero. */
    default T elu() {
        return apply(Ops.ELU);
    }

    /** scale * x, or scale * alpha * (exp(input_scale * x) - 1) where x is below zero. */
    default T elu(Number alpha) {
        return apply(Ops.ELU, alpha);
    }

    /** The line (x + 3) / 6, held between 0 and 1. */
    default T hardsigmoid() {
        return apply(Ops.HARDSIGMOID);
    }

    /** The value times hardsigmoid of it. */
    default T hardswish() {
        return apply(Ops.HARDSWISH);
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
