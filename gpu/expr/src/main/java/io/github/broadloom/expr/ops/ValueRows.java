package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.FloatInfo;
import io.github.broadloom.expr.ops.Op.Trait;

/** The rows of sign, rounding and bounds: what gives back its operand, moved a little or held. */
abstract class ValueRows extends ArithmeticRows {
    public static final Op NEG = row(new OpRow("neg", 1, DTypeRule.PROMOTE)
            .sign("-", 8)
            .ofNumbers((a, b) -> Math.negateExact(a), (a, b) -> -a)
            .is(Trait.INVOLUTION, Trait.PASSES_ROUNDING)
            .integer("(-$0)", "bl_neg($0)")
            .floating("(-$0)")
            .refusing(
                    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.")
            .alias("negative")
            .vector("(($t) $0.neg())")
            .doc("The value with the other sign; bools are refused."));

    public static final Op ABS = row(new OpRow("abs", 1, DTypeRule.PROMOTE)
            .ofIntegers((a, b) -> Math.absExact(a))
            .is(Trait.IDEMPOTENT, Trait.PASSES_ROUNDING)
            .number("Math.abs($0)", "bl_abs($0)")
            .alias("absolute")
            .vector("(($t) $0.abs())")
            .doc("The magnitude; of the smallest integer, itself."));

    public static final Op SIGN = row(new OpRow("sign", 1, DTypeRule.PROMOTE)
            .is(Trait.IDEMPOTENT, Trait.KEEPS_REDUCED)
            .bool("$0")
            .number("Arith.sign($0)", "bl_sign($0)")
            .doc("-1, 0 or 1, by the sign; 0 of NaN."));

    public static final Op SQUARE = row(new OpRow("square", 1, DTypeRule.SQUARE)
            .ofIntegers((a, b) -> Math.multiplyExact(a, a))
            .integer("($0 * $0)", "bl_mul($0, $0)")
            .floating("($0 * $0)")
            .vector("(($t) $0.mul($0))")
            .doc("The value times itself."));

    public static final Op FLOOR = row(rounded("floor", "Math.floor", "floor").doc("Rounded down."));

    public static final Op CEIL = row(rounded("ceil", "Math.ceil", "ceil").doc("Rounded up."));

    public static final Op ROUND =
            row(rounded("round", "Math.rint", "rint").alias("rint").doc("Rounded to the nearest, halves to even."));

    public static final Op TRUNC =
            row(rounded("trunc", "Arith.trunc", "trunc").alias("fix").doc("Rounded towards zero."));

    public static final Op FRAC = row(new OpRow("frac", 1, DTypeRule.PROMOTE)
            .floating("($0 - ($t) Arith.trunc($0))", "($0 - trunc$f($0))")
            .doc("The part behind the point, with the value's sign."));

    public static final Op COPYSIGN = row(new OpRow("copysign", 2, DTypeRule.FLOAT)
            .floating("Math.copySign($0, $1)", "copysign$f($0, $1)")
            .doc("The magnitude of the first with the sign of the second."));

    public static final Op NEXTAFTER = row(new OpRow("nextafter", 2, DTypeRule.PROMOTE)
            .floating("Math.nextAfter($0, $1)", "nextafter$f($0, $1)")
            .reduced(
                    "ReducedArith.nextAfter($h.FORMAT, $0, $1)", "bl_nextafter<bl_float_to_$h, bl_$h_to_float>($0, $1)")
            .doc("The next number of the dtype from the first towards the second."));

    public static final Op MAXIMUM = row(new OpRow("maximum", 2, DTypeRule.PROMOTE)
            .is(Trait.KEEPS_REDUCED)
            .bool("($0 | $1)")
            .number("Math.max($0, $1)", "bl_maximum($0, $1)")
            .vector("(($t) $0.max($1))")
            .notInPlace()
            .doc("The greater of two; NaN where one is NaN."));

    public static final Op MINIMUM = row(new OpRow("minimum", 2, DTypeRule.PROMOTE)
            .is(Trait.KEEPS_REDUCED)
            .bool("($0 & $1)")
            .number("Math.min($0, $1)", "bl_minimum($0, $1)")
            .vector("(($t) $0.min($1))")
            .notInPlace()
            .doc("The smaller of two; NaN where one is NaN."));

    public static final Op FMAX = row(new OpRow("fmax", 2, DTypeRule.PROMOTE)
            .is(Trait.KEEPS_REDUCED)
            .bool("($0 | $1)")
            .integer("Math.max($0, $1)", "bl_maximum($0, $1)")
            .floating("Arith.fmax($0, $1)", "bl_fmax($0, $1)")
            .notInPlace()
            .doc("The greater of two; the other where one is NaN."));

    public static final Op FMIN = row(new OpRow("fmin", 2, DTypeRule.PROMOTE)
            .is(Trait.KEEPS_REDUCED)
            .bool("($0 & $1)")
            .integer("Math.min($0, $1)", "bl_minimum($0, $1)")
            .floating("Arith.fmin($0, $1)", "bl_fmin($0, $1)")
            .notInPlace()
            .doc("The smaller of two; the other where one is NaN."));

    public static final Op CLAMP = row(new OpRow("clamp", 3, DTypeRule.CLAMP)
            .is(Trait.KEEPS_REDUCED)
            .arguments("input", "min", "max")
            .integer("Math.min(Math.max($0, $1), $2)", "bl_minimum(bl_maximum($0, $1), $2)")
            .floating(
                    "(Math.min(Math.max($0, $1), $2) == $0 ? $0 : Math.min(Math.max($0, $1), $2))", // computed once
                    "bl_clamp($0, $1, $2)")
            .alias("clip")
            .vector(
                    "(($t) ((FloatVector) ((FloatVector) $0.max($1)).min($2)).blend($0, $0.eq((FloatVector) ((FloatVector) $0.max($1)).min($2))))")
            .doc("The first, held between min and max, of which max wins; NaN where one is NaN."));

    public static final Op CLAMP_MIN = row(new OpRow("clamp_min", 2, DTypeRule.CLAMP)
            .is(Trait.KEEPS_REDUCED)
            .arguments("input", "min")
            .bool("($0 | $1)")
            .integer("Math.max($0, $1)", "bl_maximum($0, $1)")
            .floating("($0 == $1 ? $0 : Math.max($0, $1))", "($0 == $1 ? $0 : bl_maximum($0, $1))")
            .vector("(($t) ((FloatVector) $0.max($1)).blend($0, $0.eq($1)))")
            .doc("The first, or min where it is below; NaN where one is NaN."));

    public static final Op CLAMP_MAX = row(new OpRow("clamp_max", 2, DTypeRule.CLAMP)
            .is(Trait.KEEPS_REDUCED)
            .arguments("input", "max")
            .bool("($0 & $1)")
            .integer("Math.min($0, $1)", "bl_minimum($0, $1)")
            .floating("($0 == $1 ? $0 : Math.min($0, $1))", "($0 == $1 ? $0 : bl_minimum($0, $1))")
            .vector("(($t) ((FloatVector) $0.min($1)).blend($0, $0.eq($1)))")
            .doc("The first, or max where it is above; NaN where one is NaN."));

    public static final Op NAN_TO_NUM = row(new OpRow("nan_to_num", 1, DTypeRule.PARAMETRIC)
            .parameter("nan", 0.0)
            .parameter("posinf", "the greatest", dtype -> largest(dtype))
            .parameter("neginf", "the smallest", dtype -> -largest(dtype))
            .whole("$0")
            .floating("Arith.nanToNum($0, $1, $2, $3)", "bl_nan_to_num($0, $1, $2, $3)")
            .doc("The value, or a number where it is NaN or infinite."));

    private static OpRow rounded(String name, String java, String cuda) {
        return new OpRow(name, 1, DTypeRule.PROMOTE)
                .is(Trait.IDEMPOTENT, Trait.KEEPS_REDUCED)
                .integer("$0")
                .floating("(($t) " + java + "($0))", cuda + "$f($0)")
                .refusing("\"" + name + "_vml_cpu\" not implemented for '$D'");
    }

    private static double largest(DType dtype) {
        return dtype.isFloatingPoint() ? FloatInfo.of(dtype).max() : 0;
    }
}
