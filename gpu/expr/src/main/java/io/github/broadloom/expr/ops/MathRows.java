package io.github.broadloom.expr.ops;

/** The rows of functions of real numbers: roots, exponentials, logarithms, angles. */
abstract class MathRows extends BitRows {
    public static final Op SQRT = row(new OpRow("sqrt", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.sqrt($0))", "sqrt$f($0)")
            .ulp(1)
            .vector("(($t) $0.sqrt())")
            .doc("The square root; NaN below zero."));

    public static final Op RSQRT = row(new OpRow("rsqrt", 1, DTypeRule.FLOAT)
            .floating("(($t) (1.0 / Math.sqrt($0)))", "rsqrt$f($0)")
            .ulp(2)
            .floats("Simd.rsqrt($0, $out, $n)")
            .doc("One over the square root."));

    public static final Op RECIPROCAL = row(new OpRow("reciprocal", 1, DTypeRule.FLOAT)
            .floating("(1 / $0)", "(1 / $0)")
            .ulp(1)
            .doc("One over the value."));

    public static final Op EXP = row(new OpRow("exp", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.exp($0))", "exp$f($0)")
            .ulp(2)
            .floats("Simd.exp($0, $out, $n)")
            .doc("e to the power of the value."));

    public static final Op EXP2 = row(new OpRow("exp2", 1, DTypeRule.FLOAT)
            .floating("(($t) SpecialFunctions.exp2($0))", "exp2$f($0)")
            .ulp(2)
            .floats("Simd.exp2($0, $out, $n)")
            .doc("2 to the power of the value."));

    public static final Op EXPM1 = row(new OpRow("expm1", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.expm1($0))", "expm1$f($0)")
            .ulp(2)
            .floats("Simd.expm1($0, $out, $n)")
            .doc("e to the power of the value, minus one, exact near zero."));

    public static final Op LOG = row(new OpRow("log", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.log($0))", "log$f($0)")
            .ulp(2)
            .floats("Simd.log($0, $out, $n)")
            .doc("The natural logarithm; -inf at zero, NaN below."));

    public static final Op LOG2 = row(new OpRow("log2", 1, DTypeRule.FLOAT)
            .floating("(($t) SpecialFunctions.log2($0))", "log2$f($0)")
            .ulp(2)
            .floats("Simd.log2($0, $out, $n)")
            .doc("The logarithm to base 2."));

    public static final Op LOG10 = row(new OpRow("log10", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.log10($0))", "log10$f($0)")
            .ulp(2)
            .floats("Simd.log10($0, $out, $n)")
            .doc("The logarithm to base 10."));

    public static final Op LOG1P = row(new OpRow("log1p", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.log1p($0))", "log1p$f($0)")
            .ulp(2)
            .floats("Simd.log1p($0, $out, $n)")
            .doc("The natural logarithm of one plus the value, exact near zero."));

    public static final Op SIN = row(new OpRow("sin", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.sin($0))", "sin$f($0)")
            .ulp(2)
            .floats("Simd.sin($0, $out, $n)")
            .doc("The sine of an angle in radians."));

    public static final Op COS = row(new OpRow("cos", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.cos($0))", "cos$f($0)")
            .ulp(2)
            .floats("Simd.cos($0, $out, $n)")
            .doc("The cosine of an angle in radians."));

    public static final Op TAN = row(new OpRow("tan", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.tan($0))", "tan$f($0)")
            .ulp(4)
            .floats("Simd.tan($0, $out, $n)")
            .doc("The tangent of an angle in radians."));

    public static final Op ASIN = row(new OpRow("asin", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.asin($0))", "asin$f($0)")
            .ulp(4)
            .alias("arcsin")
            .floats("Simd.asin($0, $out, $n)")
            .doc("The arc sine in radians; NaN outside [-1, 1]."));

    public static final Op ACOS = row(new OpRow("acos", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.acos($0))", "acos$f($0)")
            .ulp(4)
            .alias("arccos")
            .floats("Simd.acos($0, $out, $n)")
            .doc("The arc cosine in radians; NaN outside [-1, 1]."));

    public static final Op ATAN = row(new OpRow("atan", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.atan($0))", "atan$f($0)")
            .ulp(4)
            .alias("arctan")
            .floats("Simd.atan($0, $out, $n)")
            .doc("The arc tangent in radians."));

    public static final Op SINH = row(new OpRow("sinh", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.sinh($0))", "sinh$f($0)")
            .ulp(4)
            .floats("Simd.sinh($0, $out, $n)")
            .doc("The hyperbolic sine."));

    public static final Op COSH = row(new OpRow("cosh", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.cosh($0))", "cosh$f($0)")
            .ulp(4)
            .floats("Simd.cosh($0, $out, $n)")
            .doc("The hyperbolic cosine."));

    public static final Op TANH = row(new OpRow("tanh", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.tanh($0))", "tanh$f($0)")
            .ulp(4)
            .floats("Simd.tanh($0, $out, $n)")
            .doc("The hyperbolic tangent."));

    public static final Op ASINH = row(new OpRow("asinh", 1, DTypeRule.FLOAT)
            .floating("(($t) Hyperbolic.asinh($0))", "asinh$f($0)")
            .alias("arcsinh")
            .ulp(4)
            .doc("The inverse hyperbolic sine."));

    public static final Op ACOSH = row(new OpRow("acosh", 1, DTypeRule.FLOAT)
            .floating("(($t) Hyperbolic.acosh($0))", "acosh$f($0)")
            .alias("arccosh")
            .ulp(4)
            .doc("The inverse hyperbolic cosine; NaN below 1."));

    public static final Op ATANH = row(new OpRow("atanh", 1, DTypeRule.FLOAT)
            .floating("(($t) Hyperbolic.atanh($0))", "atanh$f($0)")
            .alias("arctanh")
            .ulp(4)
            .doc("The inverse hyperbolic tangent; infinite at -1 and 1, NaN outside."));

    public static final Op HYPOT = row(new OpRow("hypot", 2, DTypeRule.PROMOTE)
            .floating("Arith.hypot($0, $1)", "hypot$f($0, $1)")
            .refusing("\"hypot_cpu\" not implemented for '$D'")
            .ulp(4)
            .doc("The length of the hypotenuse, without overflow on the way."));

    public static final Op ATAN2 = row(new OpRow("atan2", 2, DTypeRule.FLOAT)
            .floating("(($t) Math.atan2($0, $1))", "atan2$f($0, $1)")
            .ulp(4)
            .alias("arctan2")
            .doc("The angle of the point (x = second, y = first) in radians, in [-pi, pi]."));
}
