package io.github.broadloom.expr.ops;

/** The rows of special functions and of logarithms that do not overflow on the way. */
abstract class SpecialRows extends MathRows {
    public static final Op ERF = row(new OpRow("erf", 1, DTypeRule.FLOAT)
            .floating("(($t) ErrorFunction.erf($0))", "erf$f($0)")
            .ulp(4)
            .floats("Simd.erf($0, $out, $n)")
            .doc("The error function."));

    public static final Op ERFC = row(new OpRow("erfc", 1, DTypeRule.FLOAT)
            .floating("(($t) ErrorFunction.erfc($0))", "bl_erfc($0)")
            .ulp(4)
            .floats("Simd.erfc($0, $out, $n)")
            .doc("One minus the error function, exact where that is near one."));

    public static final Op LGAMMA = row(new OpRow("lgamma", 1, DTypeRule.FLOAT)
            .floating("(($t) Gamma.lgamma($0))", "bl_lgamma($0)")
            .ulp(4)
            .doc("The logarithm of the magnitude of the gamma function."));

    public static final Op SINC = row(new OpRow("sinc", 1, DTypeRule.FLOAT)
            .floating("(($t) SpecialFunctions.sinc($0))", "bl_sinc($0)")
            .ulp(4)
            .doc("sin(pi x) / (pi x), and 1 at zero."));

    public static final Op LOGIT = row(new OpRow("logit", 1, DTypeRule.FLOAT)
            .floating("(($t) SpecialFunctions.logit($0))", "bl_logit($0)")
            .ulp(4)
            .doc("log(x / (1 - x)), the inverse of the logistic function; NaN outside [0, 1]."));

    public static final Op XLOGY = row(new OpRow("xlogy", 2, DTypeRule.FLOAT)
            .floating("(($t) SpecialFunctions.xlogy($0, $1))", "bl_xlogy($0, $1)")
            .ulp(4)
            .doc("The first times the logarithm of the second; 0 where the first is 0, NaN where the second is NaN."));

    public static final Op LOGADDEXP = row(new OpRow("logaddexp", 2, DTypeRule.PROMOTE)
            .floating("(($t) SpecialFunctions.logaddexp($0, $1))", "bl_logaddexp($0, $1)")
            .refusing("\"logaddexp_cpu\" not implemented for '$D'")
            .ulp(4)
            .notInPlace()
            .doc("The logarithm of the sum of two powers of e, without overflow on the way."));

    public static final Op LOGADDEXP2 = row(new OpRow("logaddexp2", 2, DTypeRule.PROMOTE)
            .floating("(($t) SpecialFunctions.logaddexp2($0, $1))", "bl_logaddexp2($0, $1)")
            .refusing("\"logaddexp2_cpu\" not implemented for '$D'")
            .ulp(4)
            .notInPlace()
            .doc("The logarithm to base 2 of the sum of two powers of 2, without overflow on the way."));
}
