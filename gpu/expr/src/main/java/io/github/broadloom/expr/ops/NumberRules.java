package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.dtype.Fitting;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.math.Arith;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@link DTypeRule} says about plain numbers among the arguments, in PyTorch's words. */
public final class NumberRules {
    /** Up to so many a product is quicker than a power, on a CPU and on a GPU. */
    private static final int MOST_FACTORS = 8;

    private NumberRules() {}

    /** Refuses a plain number that is zero in an integer's dtype as divisor, where there is anything to divide. */
    static void refuseZero(List<Expr> args) {
        DType dtype = DTypeRule.promoted(args);
        if (args.get(1) instanceof Literal divisor
                && dtype.kind() == Kind.INTEGER
                && divisor.valueAs(dtype).equals(0L)
                && args.get(0).shape().numel() != 0) {
            throw Arith.zeroDivision();
        }
    }

    static void checkExponent(List<Expr> args) {
        boolean whole = DTypeRule.promoted(args).kind() != Kind.FLOATING;
        if (whole && args.get(1) instanceof Literal exponent && exponent.longValue() < 0) {
            throw new IllegalArgumentException("Integers to negative integer powers are not allowed.");
        }
    }

    /** Refuses powers of bools, and a plain exponent that the dtype cannot hold. */
    static void checkPower(List<Expr> args) {
        DType dtype = DTypeRule.promoted(args);
        if (args.get(1) instanceof Literal exponent) {
            if (dtype.kind() == Kind.INTEGER
                    || dtype.isReducedFloatingPoint()) { // wider floating dtypes let it overflow
                Fitting.check(dtype, exponent.value());
            }
        } else if (dtype == DType.BOOL) { // a plain bool needs no kernel: all true, or itself
            throw new IllegalArgumentException("\"pow\" not implemented for 'Bool'");
        }
    }

    /**
     * What a power with a plain exponent is instead, or null: the square root, or one over it, which differs from the power at -0.0
     * and -inf, for float32 and float64, as PyTorch computes it; and a product.
     */
    public static @Nullable Expr powerFor(List<Expr> args, DType result) {
        if (args.get(0) instanceof Literal || !(args.get(1) instanceof Literal exponent)) {
            return null;
        }
        double value = exponent.doubleValue();
        boolean wide = result.isFloatingPoint() && !result.isReducedFloatingPoint();
        Op root = value == 0.5 ? Ops.SQRT : value == -0.5 ? Ops.RSQRT : null;
        if (wide && root != null) {
            return Expr.apply(root, Expr.cast(args.get(0), result));
        }
        int most = result == DType.FLOAT64 ? 3 : MOST_FACTORS;
        boolean product = value == Math.rint(value) && value >= 3 && value <= most;
        return product ? product(args.get(0), (int) value, result) : null;
    }

    /**
     * A power by multiplication, from the exponent's highest binary digit down: of 6, x * x * x squared. Two products of floating
     * numbers keep what the power's row permits; more are computed in a wider dtype and rounded once.
     */
    private static Expr product(Expr base, int exponent, DType result) {
        DType wider = result.isReducedFloatingPoint()
                ? result.widened()
                : result == DType.FLOAT32 && exponent > 3 ? DType.FLOAT64 : result;
        Expr x = Expr.cast(Expr.cast(base, result), wider);
        Expr power = x;
        for (int digit = Integer.highestOneBit(exponent) >> 1; digit > 0; digit >>= 1) {
            power = Expr.apply(Ops.SQUARE, power);
            power = (exponent & digit) == 0 ? power : Expr.apply(Ops.MUL, power, x);
        }
        return Expr.cast(power, result);
    }

    /** Refuses plain choices that the promoted dtype cannot hold; PyTorch lets a number overflow a reduced floating one. */
    static void checkChoices(List<Expr> choices) {
        DType dtype = DTypeRule.promoted(choices);
        if (!dtype.isReducedFloatingPoint()) {
            checkFits(choices, dtype);
        }
    }

    /** Refuses plain bounds of bools, and those that the promoted dtype cannot hold. */
    static void checkBounds(List<Expr> args, String kernel) {
        DType dtype = DTypeRule.promoted(args);
        if (dtype == DType.BOOL && args.stream().anyMatch(arg -> arg instanceof Literal)) {
            throw new IllegalArgumentException("\"" + kernel + "\" not implemented for 'Bool'");
        }
        checkFits(args, dtype);
    }

    static void checkFits(List<Expr> args, DType dtype) {
        for (Expr arg : args) {
            if (arg instanceof Literal number) {
                Fitting.check(dtype, number.value());
            }
        }
    }

    /**
     * Rounds first what PyTorch rounds first: where a reduced floating result is computed in float32, every argument
     * but a plain number, or a single element on the right.
     */
    public static List<Expr> roundedArguments(List<Expr> args, DTypeRule.Typing typing) {
        if (!typing.result().isReducedFloatingPoint() || typing.compute() != DType.FLOAT32) {
            return args;
        }
        Expr[] rounded = new Expr[args.size()];
        for (int i = 0; i < rounded.length; i++) {
            Expr arg = args.get(i);
            boolean kept = arg instanceof Literal
                    || args.size() == 2 && i == 1 && arg.shape().numel() == 1;
            rounded[i] = kept ? arg : Expr.cast(arg, typing.result());
        }
        return List.of(rounded);
    }
}
