package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.expr.math.Arith;

/** The rows of sums, products, quotients and powers. */
abstract class ArithmeticRows extends OpTable {
    public static final Op ADD = row(new OpRow("add", 2, DTypeRule.PROMOTE)
            .sign("+", 6)
            .ofNumbers(Math::addExact, (a, b) -> a + b)
            .bool("($0 | $1)")
            .integer("($0 + $1)", "bl_add($0, $1)")
            .floating("($0 + $1)")
            .vector("(($t) $0.add($1))")
            .doc("The sum; of bools, or."));

    public static final Op SUB = row(new OpRow("sub", 2, DTypeRule.SUBTRACT)
            .sign("-", 6)
            .ofNumbers(Math::subtractExact, (a, b) -> a - b)
            .integer("($0 - $1)", "bl_sub($0, $1)")
            .floating("($0 - $1)")
            .alias("subtract")
            .vector("(($t) $0.sub($1))")
            .doc("The difference; bools are refused."));

    public static final Op MUL = row(new OpRow("mul", 2, DTypeRule.MULTIPLY)
            .sign("*", 7)
            .ofNumbers(Math::multiplyExact, (a, b) -> a * b)
            .bool("($0 & $1)")
            .integer("($0 * $1)", "bl_mul($0, $1)")
            .floating("($0 * $1)")
            .alias("multiply")
            .numberInText(Kind.INTEGER)
            .vector("(($t) $0.mul($1))")
            .doc("The product; of bools, and."));

    public static final Op DIV = row(new OpRow("div", 2, DTypeRule.DIVIDE)
            .sign("/", 7)
            .ofNumbers((a, b) -> null, (a, b) -> a / PythonNumbers.nonZero(b))
            .floating("($0 / $1)")
            .alias("divide", "true_divide")
            .vector("(($t) $0.div($1))")
            .doc("The true quotient; of integers a float32."));

    public static final Op FLOOR_DIVIDE = row(new OpRow("floor_divide", 2, DTypeRule.FLOOR_DIVIDE)
            .sign("//", 7)
            .ofNumbers(PythonNumbers::floorDivide, (a, b) -> Arith.floorDivide(a, PythonNumbers.nonZero(b)))
            .integer("Arith.floorDivide($0, $1)", "bl_floor_divide($0, $1, bl_error)")
            .floating("Arith.floorDivide($0, $1)", "bl_floor_divide($0, $1)")
            .reduced("ReducedArith.floorDivide($h.FORMAT, $0, $1)", "bl_floor_divide_rounding<bl_round_$h>($0, $1)")
            .numberInText(Kind.INTEGER)
            .refusing("\"div_floor_cpu\" not implemented for '$D'")
            .doc("The quotient rounded down; an integer divided by zero is an error."));

    public static final Op DIV_TRUNC = row(new OpRow("div_trunc", 2, DTypeRule.FLOOR_DIVIDE)
            .notInPlace()
            .integer("Arith.truncDivide($0, $1)", "bl_trunc_divide($0, $1, bl_error)")
            .floating("(($t) Arith.trunc($0 / $1))", "trunc$f($0 / $1)")
            .reduced("((float) Arith.trunc($h.round($0 / $1)))", "truncf(bl_round_$h($0 / $1))")
            .numberInText(Kind.INTEGER)
            .doc("The quotient rounded towards zero, div's rounding_mode 'trunc'; an integer divided by"
                    + " zero is an error."));

    public static final Op REMAINDER = row(new OpRow("remainder", 2, DTypeRule.INTEGER_DIVIDE)
            .sign("%", 7)
            .ofNumbers(
                    (a, b) -> Math.floorMod(a, PythonNumbers.nonZero(b)),
                    (a, b) -> Arith.remainder(a, PythonNumbers.nonZero(b)))
            .integer("Arith.remainder($0, $1)", "bl_remainder($0, $1, bl_error)")
            .floating("Arith.remainder($0, $1)", "bl_remainder($0, $1)")
            .numberInText(Kind.INTEGER)
            .alias("mod")
            .doc("Python's %: the remainder with the divisor's sign; an integer divided by zero is an error."));

    public static final Op FMOD = row(new OpRow("fmod", 2, DTypeRule.INTEGER_DIVIDE)
            .ofNumbers((a, b) -> a % PythonNumbers.nonZero(b), (a, b) -> a % PythonNumbers.nonZero(b))
            .integer("Arith.fmod($0, $1)", "bl_fmod($0, $1, bl_error)")
            .floating("($0 % $1)", "fmod$f($0, $1)")
            .numberInText(Kind.INTEGER)
            .doc("C's fmod: the remainder with the dividend's sign; an integer divided by zero is an error."));

    public static final Op POW = row(new OpRow("pow", 2, DTypeRule.POWER)
            .sign("**", 9)
            .ofNumbers(PythonNumbers::power, PythonNumbers::power)
            .arguments("input", "exponent")
            .bool("($0 | !$1)")
            .number("Arith.pow($0, $1)", "bl_pow($0, $1)")
            .numberInText(Kind.INTEGER, Kind.FLOATING)
            .ulp(2)
            .alias("power")
            .doc("The power; exponent 2 is x * x, 3 to 8 are products, and integers to negative exponents"
                    + " give 0, or ±1 of ±1."));

    public static final Op ADDCMUL = row(new OpRow("addcmul", 3, DTypeRule.ADDCMUL)
            .arguments("input", "tensor1", "tensor2")
            .parameter("value", 1L)
            .integer("($0 + $3 * $1 * $2)", "bl_add($0, bl_mul(bl_mul($3, $1), $2))")
            .floating("($0 + $3 * $1 * $2)")
            .refusing("\"addcmul_cpu_out\" not implemented for '$D'")
            .overloads("TT", "TTN")
            .doc("The first plus value * tensor1 * tensor2, multiplied from the left."));

    public static final Op ADDCDIV = row(new OpRow("addcdiv", 3, DTypeRule.ADDCDIV)
            .arguments("input", "tensor1", "tensor2")
            .parameter("value", 1L)
            .floating("($0 + $3 * $1 / $2)")
            .overloads("TT", "TTN")
            .doc("The first plus value * tensor1 / tensor2, computed from the left."));

    public static final Op LERP = row(new OpRow("lerp", 3, DTypeRule.LERP)
            .arguments("input", "end", "weight")
            .floating("Arith.lerp($0, $1, $2)", "bl_lerp($0, $1, $2)")
            .overloads("TT", "TN")
            .doc("From the first to the end by a weight, exact at the weights 0 and 1."));
}
