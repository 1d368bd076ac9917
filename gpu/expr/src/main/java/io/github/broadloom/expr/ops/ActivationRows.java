package io.github.broadloom.expr.ops;

import io.github.broadloom.expr.ops.Op.Trait;

/** The rows of activation functions of neural networks. */
abstract class ActivationRows extends SpecialRows {
    public static final Op RELU = row(new OpRow("relu", 1, DTypeRule.PROMOTE)
            .is(Trait.IDEMPOTENT, Trait.KEEPS_REDUCED)
            .integer("Math.max($0, 0)", "bl_maximum($0, ($t) 0)")
            .floating("($0 < 0 ? 0 : $0)", "($0 < 0 ? ($t) 0 : $0)")
            .vector("(($t) $0.blend(0f, $0.lt(0f)))")
            .refusing("Boolean inputs not supported for relu")
            .doc("The value, or 0 where it is below; NaN of NaN."));

    public static final Op SIGMOID = row(new OpRow("sigmoid", 1, DTypeRule.FLOAT)
            .floating("Activations.sigmoid($0)", "bl_sigmoid($0)")
            .ulp(4)
            .alias("expit")
            .floats("Simd.sigmoid($0, $out, $n)")
            .doc("The logistic function 1 / (1 + exp(-x)); 0 where exp(-x) overflows."));

    public static final Op SILU = row(activation("silu", "silu")
            .alias("swish")
            .ulp(4)
            .doc("The value times its logistic function, also called swish."));

    public static final Op GELU = row(activation("gelu", "gelu")
            .refusing("\"GeluKernelImpl\" not implemented for '$D'")
            .ulp(6)
            .doc("The value times the normal distribution function at it."));

    public static final Op GELU_TANH = row(activation("gelu_tanh", "geluTanh")
            .refusing("\"GeluKernelImpl\" not implemented for '$D'")
            .ulp(6)
            .doc("gelu's approximation by tanh, approximate='tanh'."));

    public static final Op MISH =
            row(activation("mish", "mish").ulp(4).doc("The value times tanh(log(1 + exp(value)))."));

    public static final Op SOFTPLUS = row(new OpRow("softplus", 1, DTypeRule.PARAMETRIC)
            .parameter("beta", 1L)
            .parameter("threshold", 20L)
            .floating("(($t) Activations.softplus($0, $1, $2))", "bl_softplus($0, $1, $2)")
            .ulp(4)
            .floats("Simd.softplus($0, $1, $2, $out, $n)")
            .notInPlace()
            .doc("log(1 + exp(beta x)) / beta; x itself where beta x passes the threshold."));

    public static final Op LOGSIGMOID = row(activation("logsigmoid", "logsigmoid")
            .refusing("\"log_sigmoid_cpu\" not implemented for '$D'")
            .ulp(4)
            .doc("The logarithm of the logistic function."));

    public static final Op LEAKY_RELU = row(new OpRow("leaky_relu", 1, DTypeRule.PARAMETRIC)
            .parameter("negative_slope", 0.01)
            .floating("($0 > 0 ? $0 : $0 * $1)")
            .notInPlace()
            .doc("The value, or negative_slope times it where it is below zero."));

    public static final Op ELU = row(new OpRow("elu", 1, DTypeRule.PARAMETRIC)
            .parameter("alpha", 1L)
            .parameter("scale", 1L)
            .parameter("input_scale", 1L)
            .floating("(($t) Activations.elu($0, $1, $2, $3))", "bl_elu($0, $1, $2, $3)")
            .ulp(4)
            .overloads("", "N")
            .notInPlace()
            .doc("scale * x, or scale * alpha * (exp(input_scale * x) - 1) where x is below zero."));

    public static final Op HARDSIGMOID = row(new OpRow("hardsigmoid", 1, DTypeRule.PARAMETRIC)
            .floating("(Math.min(Math.max($0 + 3, 0), 6) / 6)", "(bl_minimum(bl_maximum($0 + 3, ($t) 0), ($t) 6) / 6)")
            .ulp(1)
            .notInPlace()
            .doc("The line (x + 3) / 6, held between 0 and 1."));

    public static final Op HARDSWISH = row(new OpRow("hardswish", 1, DTypeRule.PARAMETRIC)
            .floating(
                    "($0 * (Math.min(Math.max($0 + 3, 0), 6) / 6))",
                    "($0 * (bl_minimum(bl_maximum($0 + 3, ($t) 0), ($t) 6) / 6))")
            .ulp(2)
            .notInPlace()
            .doc("The value times hardsigmoid of it."));

    /** A function of one floating number, which there is for arrays of floats, too. */
    private static OpRow activation(String name, String java) {
        return new OpRow(name, 1, DTypeRule.PARAMETRIC)
                .floating("(($t) Activations." + java + "($0))", "bl_" + name + "($0)")
                .floats("Simd." + java + "($0, $out, $n)")
                .notInPlace();
    }
}
