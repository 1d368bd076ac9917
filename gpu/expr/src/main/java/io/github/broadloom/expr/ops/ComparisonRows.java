package io.github.broadloom.expr.ops;

import io.github.broadloom.expr.ops.Op.Trait;

/** The rows of choice, comparison and truth. */
abstract class ComparisonRows extends ValueRows {
    public static final Op WHERE = row(new OpRow("where", 3, DTypeRule.WHERE)
            .is(Trait.PASSES_ROUNDING)
            .arguments("condition", "input", "other")
            .any("($0 ? $1 : $2)")
            .words("Simd.where($0, $1, $2, $out, $n)")
            .overloads("TT", "TN", "NT", "NN")
            .notInPlace()
            .doc("The second where the first is true, else the third."));

    public static final Op EXPAND_AS = row(new OpRow("expand_as", 2, DTypeRule.EXPAND)
            .any("$0")
            .overloads()
            .notInPlace()
            .doc("The first repeated to the shape of the second, whose elements do not matter."));

    public static final Op EQ =
            row(comparison("eq", "==").words("Simd.eq($0, $1, $out, $n)").doc("Whether equal; NaN equals nothing."));

    public static final Op NE = row(comparison("ne", "!=")
            .alias("not_equal")
            .words("Simd.ne($0, $1, $out, $n)")
            .doc("Whether different; NaN differs from itself."));

    public static final Op LT = row(comparison("lt", "<")
            .bool("(!$0 & $1)")
            .alias("less")
            .words("Simd.lt($0, $1, $out, $n)")
            .choosing("Simd.whereLt($0, $1, $2, $3, $out, $n)")
            .doc("Whether smaller."));

    public static final Op LE = row(comparison("le", "<=")
            .bool("(!$0 | $1)")
            .alias("less_equal")
            .words("Simd.le($0, $1, $out, $n)")
            .choosing("Simd.whereLe($0, $1, $2, $3, $out, $n)")
            .doc("Whether smaller or equal."));

    public static final Op GT = row(comparison("gt", ">")
            .bool("($0 & !$1)")
            .alias("greater")
            .words("Simd.lt($1, $0, $out, $n)")
            .choosing("Simd.whereLt($1, $0, $2, $3, $out, $n)")
            .doc("Whether greater."));

    public static final Op GE = row(comparison("ge", ">=")
            .bool("($0 | !$1)")
            .alias("greater_equal")
            .words("Simd.le($1, $0, $out, $n)")
            .choosing("Simd.whereLe($1, $0, $2, $3, $out, $n)")
            .doc("Whether greater or equal."));

    public static final Op LOGICAL_AND = row(new OpRow("logical_and", 2, DTypeRule.TRUTH)
            .bool("($0 & $1)")
            .number("(($0 != 0) & ($1 != 0))")
            .doc("Whether both are true, that is, not zero."));

    public static final Op LOGICAL_OR = row(new OpRow("logical_or", 2, DTypeRule.TRUTH)
            .bool("($0 | $1)")
            .number("(($0 != 0) | ($1 != 0))")
            .doc("Whether one is true, that is, not zero."));

    public static final Op LOGICAL_XOR = row(new OpRow("logical_xor", 2, DTypeRule.TRUTH)
            .bool("($0 ^ $1)")
            .number("(($0 != 0) ^ ($1 != 0))")
            .doc("Whether exactly one is true, that is, not zero."));

    public static final Op LOGICAL_NOT = row(new OpRow("logical_not", 1, DTypeRule.TRUTH)
            .is(Trait.INVOLUTION)
            .bool("(!$0)")
            .number("($0 == 0)")
            .doc("Whether false, that is, zero."));

    public static final Op ISNAN = row(new OpRow("isnan", 1, DTypeRule.TRUTH)
            .whole("false")
            .floating("($0 != $0)")
            .floats("Simd.ne($0, $0, $out, $n)")
            .notInPlace()
            .doc("Whether NaN."));

    public static final Op ISINF = row(new OpRow("isinf", 1, DTypeRule.TRUTH)
            .whole("false")
            .floating("(Math.abs($0) == Double.POSITIVE_INFINITY)", "(fabs$f($0) > bl_max($0))")
            .notInPlace()
            .doc("Whether infinite."));

    public static final Op ISPOSINF = row(new OpRow("isposinf", 1, DTypeRule.TRUTH)
            .whole("false")
            .floating("($0 == Double.POSITIVE_INFINITY)", "($0 > bl_max($0))")
            .notInPlace()
            .doc("Whether positive infinity."));

    public static final Op ISNEGINF = row(new OpRow("isneginf", 1, DTypeRule.TRUTH)
            .whole("false")
            .floating("($0 == Double.NEGATIVE_INFINITY)", "($0 < -bl_max($0))")
            .notInPlace()
            .doc("Whether negative infinity."));

    public static final Op ISFINITE = row(new OpRow("isfinite", 1, DTypeRule.TRUTH)
            .whole("true")
            .floating("(Math.abs($0) < Double.POSITIVE_INFINITY)", "(fabs$f($0) <= bl_max($0))")
            .notInPlace()
            .doc("Whether neither NaN nor infinite."));

    public static final Op SIGNBIT = row(new OpRow("signbit", 1, DTypeRule.TRUTH)
            .bool("false")
            .integer("($0 < 0)")
            .floating("Arith.signbit($0)", "bl_signbit($0)")
            .notInPlace()
            .doc("Whether the sign bit is set, of -0.0 too."));

    public static final Op HEAVISIDE = row(new OpRow("heaviside", 2, DTypeRule.SAME)
            .arguments("input", "values")
            .bool("($0 | $1)")
            .number("($0 == 0 ? $1 : ($t) ($0 > 0 ? 1 : 0))")
            .doc("The step: 0 below zero and of NaN, 1 above, and values at zero."));

    /** A comparison, of bools the same unless the row says otherwise. */
    private static OpRow comparison(String name, String sign) {
        return new OpRow(name, 2, DTypeRule.TRUTH)
                .sign(sign, 1)
                .is(Trait.COMPARISON)
                .any("($0 " + sign + " $1)");
    }
}
