package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.expr.math.Arith;
import io.github.broadloom.expr.ops.Op.Trait;

/** The rows of bits and shifts. */
abstract class BitRows extends ComparisonRows {
    public static final Op BITWISE_AND = row(new OpRow("bitwise_and", 2, DTypeRule.PROMOTE)
            .sign("&", 4)
            .whole("($0 & $1)")
            .doc("Bitwise and of integers; of bools, and."));

    public static final Op BITWISE_OR = row(new OpRow("bitwise_or", 2, DTypeRule.PROMOTE)
            .sign("|", 2)
            .whole("($0 | $1)")
            .doc("Bitwise or of integers; of bools, or."));

    public static final Op BITWISE_XOR = row(new OpRow("bitwise_xor", 2, DTypeRule.PROMOTE)
            .sign("^", 3)
            .whole("($0 ^ $1)")
            .doc("Bitwise xor of integers; of bools, xor."));

    public static final Op BITWISE_NOT = row(new OpRow("bitwise_not", 1, DTypeRule.PROMOTE)
            .sign("~", 8)
            .ofIntegers((a, b) -> ~a) // of a bool, too
            .is(Trait.INVOLUTION)
            .bool("(!$0)")
            .integer("(~$0)")
            .alias("invert")
            .doc("All bits inverted; of bools, not."));

    public static final Op BITWISE_LEFT_SHIFT = row(new OpRow("bitwise_left_shift", 2, DTypeRule.PROMOTE)
            .sign("<<", 5)
            .ofIntegers(PythonNumbers::leftShift)
            .integer("Arith.leftShift($0, $1)", "bl_left_shift($0, $1)")
            .numberInText(Kind.INTEGER)
            .refusing("\"lshift_cpu\" not implemented for '$D'")
            .alias("left_shift")
            .doc("Bits moved up; 0 where the count is negative or passes the width."));

    public static final Op BITWISE_RIGHT_SHIFT = row(new OpRow("bitwise_right_shift", 2, DTypeRule.PROMOTE)
            .sign(">>", 5)
            .ofIntegers((a, b) -> Arith.rightShift(a, PythonNumbers.notNegative(b)))
            .integer("Arith.rightShift($0, $1)", "bl_right_shift($0, $1)")
            .numberInText(Kind.INTEGER)
            .refusing("\"rshift_cpu\" not implemented for '$D'")
            .alias("right_shift")
            .doc("Bits moved down with the sign; all sign where the count is negative or passes the width."));
}
