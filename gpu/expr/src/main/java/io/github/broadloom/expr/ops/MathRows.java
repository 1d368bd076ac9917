package io.github.broadloom.expr.ops;

/** The rows of functions of real numbers: roots, exponentials, logarithms, angles. */
abstract class MathRows extends BitRows {
    public static final Op SQRT = row(
            function("sqrt", "Math.sqrt").ulp(1).vector("(($t) $0.sqrt())").doc("The square root; NaN below zero."));

    public static final Op RSQRT = row(new OpRow("rsqrt", 1, DTypeRule.FLOAT)
            .floating("(($t) (1.0 / Math.sqrt($0)))", "rsqrt$f($0)")
            .ulp(2)
            .floats("Simd.rsqrt($0, $out, $n)")
            .doc("One over the square root."));

    public static final Op RECIPROCAL = row(new OpRow("reciprocal", 1, DTypeRule.FLOAT)
            .floating("(1 / $0)", "(1 / $0)")
            .ulp(1)
            .doc("One over the value."));

    public static final Op EXP = row(ofArrays("exp", "Math.exp").ulp(2).doc("e to the power of the value."));
    public static final Op EXP2 =
            row(ofArrays("exp2", "SpecialFunctions.exp2").ulp(2).doc("2 to the power of the value."));
    public static final Op EXPM1 =
            row(ofArrays("expm1", "Math.expm1").ulp(2).doc("e to the power of the value, minus one, exact near zero."));
    public static final Op LOG =
            row(ofArrays("log", "Math.log").ulp(2).doc("The natural logarithm; -inf at zero, NaN below."));
    public static final Op LOG2 =
            row(ofArrays("log2", "SpecialFunctions.log2").ulp(2).doc("The logarithm to base 2."));
    public static final Op LOG10 = row(ofArrays("log10", "Math.log10").ulp(2).doc("The logarithm to base 10."));
    public static final Op LOG1P = row(ofArrays("log1p", "Math.log1p")
            .ulp(2)
            .doc("The natural logarithm of one plus the value, exact near zero."));

    public static final Op SIN = row(ofArrays("sin", "Math.sin").ulp(2).doc("The sine of an angle in radians."));
    public static final Op COS = row(ofArrays("cos", "Math.cos").ulp(2).doc("The cosine of an angle in radians."));
    public static final Op TAN = row(ofArrays("tan", "Math.tan").ulp(4).doc("The tangent of an angle in radians."));

    public static final Op ASIN = row(
            ofArrays("asin", "Math.asin").ulp(4).alias("arcsin").doc("The arc sine in radians; NaN outside [-1, 1]."));
    public static final Op ACOS = row(ofArrays("acos", "Math.acos")
            .ulp(4)
            .alias("arccos")
            .doc("The arc cosine in radians; NaN outside [-1, 1]."));
    public static final Op ATAN =
            row(ofArrays("atan", "Math.atan").ulp(4).alias("arctan").doc("The arc tangent in radians."));

    public static final Op SINH = row(ofArrays("sinh", "Math.sinh").ulp(4).doc("The hyperbolic sine."));
    public static final Op COSH = row(ofArrays("cosh", "Math.cosh").ulp(4).doc("The hyperbolic cosine."));
    public static final Op TANH = row(ofArrays("tanh", "Math.tanh").ulp(4).doc("The hyperbolic tangent."));

    public static final Op ASINH =
            row(function("asinh", "Hyperbolic.asinh").alias("arcsinh").ulp(4).doc("The inverse hyperbolic sine."));
    public static final Op ACOSH = row(function("acosh", "Hyperbolic.acosh")
            .alias("arccosh")
            .ulp(4)
            .doc("The inverse hyperbolic cosine; NaN below 1."));
    public static final Op ATANH = row(function("atanh", "Hyperbolic.atanh")
            .alias("arctanh")
            .ulp(4)
            .doc("The inverse hyperbolic tangent; infinite at -1 and 1, NaN outside."));

    public static final Op HYPOT = row(new OpRow("hypot", 2, DTypeRule.PROMOTE)
            .floating("Arith.hypot($0, $1)", "hypot$f($0, $1)")
            .ulp(4)
            .doc("The length of the hypotenuse, without overflow on the way."));

    public static final Op ATAN2 = row(new OpRow("atan2", 2, DTypeRule.FLOAT)
            .floating("(($t) Math.atan2($0, $1))", "atan2$f($0, $1)")
            .ulp(4)
            .alias("arctan2")
            .doc("The angle of the point (x = second, y = first) in radians, in [-pi, pi]."));

    /** A function of one floating number, which CUDA has by the same name. */
    static OpRow function(String name, String java) {
        return function(name, java, name + "$f");
    }

    static OpRow function(String name, String java, String cuda) {
        return new OpRow(name, 1, DTypeRule.FLOAT).floating("(($t) " + java + "($0))", cuda + "($0)");
    }

    /** A function that there is for arrays of floats, too. */
    private static OpRow ofArrays(String name, String java) {
        return function(name, java).floats("Simd." + name + "($0, $out, $n)");
    }
}
