package io.github.broadloom.expr;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The table of operations: one row each, read from {@link Op}. To add an operation is to add a row here, and, where the
 * body is more than an operator, a method to {@link Arith} and a {@code bl_} function of the same meaning to the CUDA
 * prelude. Permitted errors are those of the conformance vectors.
 */
public final class Ops {
    /** Filled by the rows below, so it stands first. */
    private static final Map<String, Op> ROWS = new LinkedHashMap<>();

    public static final Op ADD = row(new OpRow("add", 2, DTypeRule.PROMOTE)
            .bool("($0 | $1)")
            .number("($0 + $1)")
            .doc("The sum; of bools, or."));
    public static final Op SUB =
            row(new OpRow("sub", 2, DTypeRule.SUBTRACT).number("($0 - $1)").doc("The difference; bools are refused."));
    public static final Op MUL = row(new OpRow("mul", 2, DTypeRule.MULTIPLY)
            .bool("($0 & $1)")
            .number("($0 * $1)")
            .doc("The product; of bools, and."));
    public static final Op DIV = row(new OpRow("div", 2, DTypeRule.DIVIDE)
            .floating("($0 / $1)")
            .doc("The true quotient; of integers a float32."));
    public static final Op FLOOR_DIVIDE = row(new OpRow("floor_divide", 2, DTypeRule.FLOOR_DIVIDE)
            .number("Arith.floorDivide($0, $1)", "bl_floor_divide($0, $1)")
            .refusing("\"div_floor_cpu\" not implemented for '$D'")
            .doc("The quotient rounded down; of an integer and zero, 0."));
    public static final Op REMAINDER = row(new OpRow("remainder", 2, DTypeRule.INTEGER_DIVIDE)
            .number("Arith.remainder($0, $1)", "bl_remainder($0, $1)")
            .refusing("\"remainder_cpu\" not implemented for '$D'")
            .doc("Python's %: the remainder with the divisor's sign; of an integer and zero, 0."));
    public static final Op FMOD = row(new OpRow("fmod", 2, DTypeRule.INTEGER_DIVIDE)
            .integer("Arith.fmod($0, $1)", "bl_fmod($0, $1)")
            .floating("($0 % $1)", "fmod$f($0, $1)")
            .refusing("\"fmod_cpu\" not implemented for '$D'")
            .doc("C's fmod: the remainder with the dividend's sign; of an integer and zero, 0."));
    public static final Op POW = row(new OpRow("pow", 2, DTypeRule.POWER)
            .bool("($0 | !$1)")
            .number("Arith.pow($0, $1)", "bl_pow($0, $1)")
            .ulp(2)
            .doc("The power; exponent 2 is x * x, and integers to negative exponents give 0, or ±1 of ±1."));
    public static final Op ATAN2 = row(new OpRow("atan2", 2, DTypeRule.FLOAT)
            .floating("(($t) Math.atan2($0, $1))", "atan2$f($0, $1)")
            .ulp(4)
            .doc("The angle of the point (x = second, y = first) in radians, in [-pi, pi]."));
    public static final Op HYPOT = row(new OpRow("hypot", 2, DTypeRule.PROMOTE)
            .floating("Arith.hypot($0, $1)", "hypot$f($0, $1)")
            .refusing("\"hypot_cpu\" not implemented for '$D'")
            .ulp(4)
            .doc("The length of the hypotenuse, without overflow on the way."));
    public static final Op COPYSIGN = row(new OpRow("copysign", 2, DTypeRule.FLOAT)
            .floating("Math.copySign($0, $1)", "copysign$f($0, $1)")
            .doc("The magnitude of the first with the sign of the second."));
    public static final Op MAXIMUM = row(new OpRow("maximum", 2, DTypeRule.PROMOTE)
            .bool("($0 | $1)")
            .number("Math.max($0, $1)", "bl_maximum($0, $1)")
            .doc("The greater of two; NaN where one is NaN."));
    public static final Op MINIMUM = row(new OpRow("minimum", 2, DTypeRule.PROMOTE)
            .bool("($0 & $1)")
            .number("Math.min($0, $1)", "bl_minimum($0, $1)")
            .doc("The smaller of two; NaN where one is NaN."));
    public static final Op CLAMP = row(new OpRow("clamp", 3, DTypeRule.PROMOTE)
            .number("Math.min(Math.max($0, $1), $2)", "bl_minimum(bl_maximum($0, $1), $2)")
            .doc("The first, held between the second and the third; NaN where one is NaN."));
    public static final Op WHERE = row(new OpRow("where", 3, DTypeRule.WHERE)
            .any("($0 ? $1 : $2)")
            .doc("The second where the first is true, else the third."));
    public static final Op EQ = row(new OpRow("eq", 2, DTypeRule.TRUTH)
            .bool("($0 == $1)")
            .number("($0 == $1)")
            .doc("Whether equal; NaN equals nothing."));
    public static final Op NE = row(new OpRow("ne", 2, DTypeRule.TRUTH)
            .bool("($0 != $1)")
            .number("($0 != $1)")
            .doc("Whether different; NaN differs from itself."));
    public static final Op LT = row(new OpRow("lt", 2, DTypeRule.TRUTH)
            .bool("(!$0 & $1)")
            .number("($0 < $1)")
            .doc("Whether smaller."));
    public static final Op LE = row(new OpRow("le", 2, DTypeRule.TRUTH)
            .bool("(!$0 | $1)")
            .number("($0 <= $1)")
            .doc("Whether smaller or equal."));
    public static final Op GT = row(new OpRow("gt", 2, DTypeRule.TRUTH)
            .bool("($0 & !$1)")
            .number("($0 > $1)")
            .doc("Whether greater."));
    public static final Op GE = row(new OpRow("ge", 2, DTypeRule.TRUTH)
            .bool("($0 | !$1)")
            .number("($0 >= $1)")
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
            .bool("(!$0)")
            .number("($0 == 0)")
            .doc("Whether false, that is, zero."));
    public static final Op BITWISE_AND = row(new OpRow("bitwise_and", 2, DTypeRule.PROMOTE)
            .bool("($0 & $1)")
            .integer("($0 & $1)")
            .refusing("\"bitwise_and_cpu\" not implemented for '$D'")
            .doc("Bitwise and of integers; of bools, and."));
    public static final Op BITWISE_OR = row(new OpRow("bitwise_or", 2, DTypeRule.PROMOTE)
            .bool("($0 | $1)")
            .integer("($0 | $1)")
            .refusing("\"bitwise_or_cpu\" not implemented for '$D'")
            .doc("Bitwise or of integers; of bools, or."));
    public static final Op BITWISE_XOR = row(new OpRow("bitwise_xor", 2, DTypeRule.PROMOTE)
            .bool("($0 ^ $1)")
            .integer("($0 ^ $1)")
            .refusing("\"bitwise_xor_cpu\" not implemented for '$D'")
            .doc("Bitwise xor of integers; of bools, xor."));
    public static final Op BITWISE_NOT = row(new OpRow("bitwise_not", 1, DTypeRule.PROMOTE)
            .bool("(!$0)")
            .integer("(~$0)")
            .refusing("\"bitwise_not_cpu\" not implemented for '$D'")
            .doc("All bits inverted; of bools, not."));
    public static final Op BITWISE_LEFT_SHIFT = row(new OpRow("bitwise_left_shift", 2, DTypeRule.PROMOTE)
            .integer("Arith.leftShift($0, $1)", "bl_left_shift($0, $1)")
            .refusing("\"lshift_cpu\" not implemented for '$D'")
            .doc("Bits moved up; 0 where the count is negative or passes the width."));
    public static final Op BITWISE_RIGHT_SHIFT = row(new OpRow("bitwise_right_shift", 2, DTypeRule.PROMOTE)
            .integer("Arith.rightShift($0, $1)", "bl_right_shift($0, $1)")
            .refusing("\"rshift_cpu\" not implemented for '$D'")
            .doc("Bits moved down with the sign; all sign where the count is negative or passes the width."));
    public static final Op ISNAN = row(new OpRow("isnan", 1, DTypeRule.TRUTH)
            .bool("false")
            .integer("false")
            .floating("($0 != $0)", "($0 != $0)")
            .doc("Whether NaN."));
    public static final Op ISINF = row(new OpRow("isinf", 1, DTypeRule.TRUTH)
            .bool("false")
            .integer("false")
            .floating("(Math.abs($0) == Double.POSITIVE_INFINITY)", "(fabs$f($0) > bl_max($0))")
            .doc("Whether infinite."));
    public static final Op ISFINITE = row(new OpRow("isfinite", 1, DTypeRule.TRUTH)
            .bool("true")
            .integer("true")
            .floating("(Math.abs($0) < Double.POSITIVE_INFINITY)", "(fabs$f($0) <= bl_max($0))")
            .doc("Whether neither NaN nor infinite."));
    public static final Op SIGNBIT = row(new OpRow("signbit", 1, DTypeRule.TRUTH)
            .bool("false")
            .integer("($0 < 0)")
            .floating("Arith.signbit($0)", "bl_signbit($0)")
            .doc("Whether the sign bit is set, of -0.0 too."));
    public static final Op NEG = row(new OpRow("neg", 1, DTypeRule.PROMOTE)
            .number("(-$0)")
            .refusing(
                    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.")
            .doc("The value with the other sign; bools are refused."));
    public static final Op ABS = row(new OpRow("abs", 1, DTypeRule.PROMOTE)
            .number("Math.abs($0)", "bl_abs($0)")
            .doc("The magnitude; of the smallest integer, itself."));
    public static final Op SIGN = row(new OpRow("sign", 1, DTypeRule.PROMOTE)
            .bool("$0")
            .number("Arith.sign($0)", "bl_sign($0)")
            .doc("-1, 0 or 1, by the sign; 0 of NaN."));
    public static final Op RELU = row(new OpRow("relu", 1, DTypeRule.PROMOTE)
            .number("Math.max($0, 0)", "bl_maximum($0, ($t) 0)")
            .refusing("Boolean inputs not supported for relu")
            .doc("The value, or 0 where it is below; NaN of NaN."));
    public static final Op SQUARE =
            row(new OpRow("square", 1, DTypeRule.SQUARE).number("($0 * $0)").doc("The value times itself."));
    public static final Op FLOOR = row(new OpRow("floor", 1, DTypeRule.PROMOTE)
            .integer("$0")
            .floating("(($t) Math.floor($0))", "floor$f($0)")
            .refusing("\"floor_vml_cpu\" not implemented for '$D'")
            .doc("Rounded down."));
    public static final Op CEIL = row(new OpRow("ceil", 1, DTypeRule.PROMOTE)
            .integer("$0")
            .floating("(($t) Math.ceil($0))", "ceil$f($0)")
            .refusing("\"ceil_vml_cpu\" not implemented for '$D'")
            .doc("Rounded up."));
    public static final Op ROUND = row(new OpRow("round", 1, DTypeRule.PROMOTE)
            .integer("$0")
            .floating("(($t) Math.rint($0))", "rint$f($0)")
            .refusing("\"round_vml_cpu\" not implemented for '$D'")
            .doc("Rounded to the nearest, halves to even."));
    public static final Op TRUNC = row(new OpRow("trunc", 1, DTypeRule.PROMOTE)
            .integer("$0")
            .floating("(($t) Arith.trunc($0))", "trunc$f($0)")
            .refusing("\"trunc_vml_cpu\" not implemented for '$D'")
            .doc("Rounded towards zero."));
    public static final Op FRAC = row(new OpRow("frac", 1, DTypeRule.PROMOTE)
            .floating("($0 - ($t) Arith.trunc($0))", "($0 - trunc$f($0))")
            .refusing("\"frac_cpu\" not implemented for '$D'")
            .doc("The part behind the point, with the value's sign."));
    public static final Op SQRT = row(new OpRow("sqrt", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.sqrt($0))", "sqrt$f($0)")
            .ulp(1)
            .doc("The square root; NaN below zero."));
    public static final Op RSQRT = row(new OpRow("rsqrt", 1, DTypeRule.FLOAT)
            .floating("(($t) (1.0 / Math.sqrt($0)))", "rsqrt$f($0)")
            .ulp(2)
            .doc("One over the square root."));
    public static final Op RECIPROCAL = row(new OpRow("reciprocal", 1, DTypeRule.FLOAT)
            .floating("(1 / $0)", "(1 / $0)")
            .ulp(1)
            .doc("One over the value."));
    public static final Op EXP = row(new OpRow("exp", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.exp($0))", "exp$f($0)")
            .ulp(2)
            .doc("e to the power of the value."));
    public static final Op EXP2 = row(new OpRow("exp2", 1, DTypeRule.FLOAT)
            .floating("(($t) Arith.exp2($0))", "exp2$f($0)")
            .ulp(2)
            .doc("2 to the power of the value."));
    public static final Op EXPM1 = row(new OpRow("expm1", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.expm1($0))", "expm1$f($0)")
            .ulp(2)
            .doc("e to the power of the value, minus one, exact near zero."));
    public static final Op LOG = row(new OpRow("log", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.log($0))", "log$f($0)")
            .ulp(2)
            .doc("The natural logarithm; -inf at zero, NaN below."));
    public static final Op LOG2 = row(new OpRow("log2", 1, DTypeRule.FLOAT)
            .floating("(($t) Arith.log2($0))", "log2$f($0)")
            .ulp(2)
            .doc("The logarithm to base 2."));
    public static final Op LOG10 = row(new OpRow("log10", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.log10($0))", "log10$f($0)")
            .ulp(2)
            .doc("The logarithm to base 10."));
    public static final Op LOG1P = row(new OpRow("log1p", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.log1p($0))", "log1p$f($0)")
            .ulp(2)
            .doc("The natural logarithm of one plus the value, exact near zero."));
    public static final Op SIN = row(new OpRow("sin", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.sin($0))", "sin$f($0)")
            .ulp(2)
            .doc("The sine of an angle in radians."));
    public static final Op COS = row(new OpRow("cos", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.cos($0))", "cos$f($0)")
            .ulp(2)
            .doc("The cosine of an angle in radians."));
    public static final Op TAN = row(new OpRow("tan", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.tan($0))", "tan$f($0)")
            .ulp(4)
            .doc("The tangent of an angle in radians."));
    public static final Op ASIN = row(new OpRow("asin", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.asin($0))", "asin$f($0)")
            .ulp(4)
            .doc("The arc sine in radians; NaN outside [-1, 1]."));
    public static final Op ACOS = row(new OpRow("acos", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.acos($0))", "acos$f($0)")
            .ulp(4)
            .doc("The arc cosine in radians; NaN outside [-1, 1]."));
    public static final Op ATAN = row(new OpRow("atan", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.atan($0))", "atan$f($0)")
            .ulp(4)
            .doc("The arc tangent in radians."));
    public static final Op SINH = row(new OpRow("sinh", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.sinh($0))", "sinh$f($0)")
            .ulp(4)
            .doc("The hyperbolic sine."));
    public static final Op COSH = row(new OpRow("cosh", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.cosh($0))", "cosh$f($0)")
            .ulp(4)
            .doc("The hyperbolic cosine."));
    public static final Op TANH = row(new OpRow("tanh", 1, DTypeRule.FLOAT)
            .floating("(($t) Math.tanh($0))", "tanh$f($0)")
            .ulp(4)
            .doc("The hyperbolic tangent."));
    public static final Op SIGMOID = row(new OpRow("sigmoid", 1, DTypeRule.FLOAT)
            .floating("(($t) Arith.sigmoid($0))", "bl_sigmoid($0)")
            .ulp(4)
            .doc("The logistic function 1 / (1 + exp(-x))."));
    public static final Op ERF = row(new OpRow("erf", 1, DTypeRule.FLOAT)
            .floating("(($t) ErrorFunction.erf($0))", "erf$f($0)")
            .ulp(4)
            .doc("The error function."));

    static final Map<String, Op> BY_NAME = Collections.unmodifiableMap(ROWS);

    private Ops() {}

    static Set<String> names() {
        return BY_NAME.keySet();
    }

    private static Op row(OpRow row) {
        Op op = new Op(row);
        if (ROWS.put(op.name(), op) != null) {
            throw new IllegalStateException("Cannot add operation: there are two rows named " + op.name());
        }
        return op;
    }
}
