package io.github.broadloom.expr.ops;

/** The rows of special functions and of logarithms that do not overflow on the way. */
abstract class SpecialRows extends MathRows {
    public static final Op ERF = row(function("erf", "ErrorFunction.erf")
            .ulp(4)
            .floats("Simd.erf($0, $out, $n)")
            .doc("The error function."));

    public static final Op ERFC = row(function("erfc", "ErrorFunction.erfc", "bl_erfc")
            .ulp(4)
            .floats("Simd.erfc($0, $out, $n)")
            .doc("One minus the error function, exact where that is near one."));

    public static final Op LGAMMA = row(function("lgamma", "Gamma.lgamma", "bl_lgamma")
            .ulp(4)
            .doc("The logarithm of the magnitude of the gamma function."));

    public static final Op SINC =
            row(function("sinc", "SpecialFunctions.sinc", "bl_sinc").ulp(4).doc("sin(pi x) / (pi x), and 1 at zero."));

    public static final Op LOGIT = row(function("logit", "SpecialFunctions.logit", "bl_logit")
            .ulp(4)
            .doc("log(x / (1 - x)), the inverse of the logistic function; NaN outside [0, 1]."));

    public static final Op XLOGY = row(new OpRow("xlogy", 2, DTypeRule.FLOAT)
            .floating("(($t) SpecialFunctions.xlogy($0, $1))", "bl_xlogy($0, $1)")
            .ulp(4)
            .doc("The first times the logarithm of the second; 0 where the first is 0, NaN where the second is NaN."));

    public static final Op LOGADDEXP = row(new OpRow("logaddexp", 2, DTypeRule.PROMOTE)
            .floating("(($t) SpecialFunctions.logaddexp($0, $1))", "bl_logaddexp($0, $1)")
            .ulp(4)
            .notInPlace()
            .doc("The logarithm of the sum of two powers of e, without overflow on the way."));

    public static final Op LOGADDEXP2 = row(new OpRow("logaddexp2", 2, DTypeRule.PROMOTE)
            .floating("(($t) SpecialFunctions.logaddexp2($0, $1))", "bl_logaddexp2($0, $1)")
            .ulp(4)
            .notInPlace()
            .doc("The logarithm to base 2 of the sum of two powers of 2, without overflow on the way."));
}
