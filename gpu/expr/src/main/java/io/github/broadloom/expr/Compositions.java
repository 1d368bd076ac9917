package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import org.jspecify.annotations.Nullable;

/** Operations that PyTorch itself makes of others, with the same roundings: they need no row of their own. */
public final class Compositions {
    public static final double RADIANS_PER_DEGREE = Math.PI / 180;
    public static final double DEGREES_PER_RADIAN = 180 / Math.PI;

    private static final double SELU_ALPHA = 1.6732632423543772848170429916717;
    private static final double SELU_SCALE = 1.0507009873554804934193349852946;

    private Compositions() {}

    /** Held between bounds, of which either may be missing. */
    public static Expr clamp(Expr input, @Nullable Expr min, @Nullable Expr max) {
        if (min != null && max != null) {
            return Expr.apply(Ops.CLAMP, BroadcastWarning.checked(input, min, max));
        }
        if (min != null) {
            return Expr.apply(Ops.CLAMP_MIN, BroadcastWarning.checked(input, min));
        }
        if (max != null) {
            return Expr.apply(Ops.CLAMP_MAX, BroadcastWarning.checked(input, max));
        }
        throw new IllegalArgumentException("torch.clamp: At least one of 'min' or 'max' must not be None");
    }

    /** The quotient, rounded as PyTorch's {@code rounding_mode} says: null, {@code trunc} or {@code floor}. */
    public static Expr div(Expr input, Expr other, @Nullable String roundingMode) {
        Op division = roundingMode == null ? Ops.DIV : Rounding.of(roundingMode).division();
        return Expr.apply(division, BroadcastWarning.checked(input, other));
    }

    /** The operand itself; bools are refused. */
    public static Expr positive(Expr input) {
        if (input instanceof Literal literal) {
            return literal.value() instanceof Boolean ? Expr.literal(literal.longValue()) : literal;
        }
        if (input.dtype() == DType.BOOL) {
            throw new IllegalArgumentException("The `+` operator, on a bool tensor is not supported.");
        }
        return input;
    }

    public static Expr rsub(Expr input, Expr other) {
        BroadcastWarning.check(input, other);
        return Expr.apply(Ops.SUB, other, input);
    }

    /** Rounded to so many decimals; null is an integer, and 0 is the same of floating numbers alone. */
    public static Expr round(Expr input, @Nullable Long decimals) {
        DType dtype = input.dtype();
        if (decimals == null || decimals == 0 && dtype.isFloatingPoint()) {
            return Expr.apply(Ops.ROUND, input);
        }
        if (!(input instanceof Literal) && !dtype.isFloatingPoint()) {
            throw new IllegalArgumentException('"' + (decimals == 0 ? "round_vml_cpu" : "round_cpu")
                    + "\" not implemented for '" + dtype.typeName() + "'");
        }
        if (dtype.isReducedFloatingPoint()) { // in one step
            return Expr.cast(round(Expr.cast(input, dtype.widened()), decimals), dtype);
        }
        Expr power = Literal.of(Double.valueOf("1e" + Math.min(Math.abs(decimals), 999)));
        Op there = decimals < 0 ? Ops.DIV : Ops.MUL;
        Op back = decimals < 0 ? Ops.MUL : Ops.DIV;
        return Expr.apply(back, Expr.apply(Ops.ROUND, Expr.apply(there, input, power)), power);
    }

    public static Expr deg2rad(Expr input) {
        return Expr.apply(Ops.MUL, input, Expr.literal(RADIANS_PER_DEGREE));
    }

    public static Expr rad2deg(Expr input) {
        return Expr.apply(Ops.MUL, input, Expr.literal(DEGREES_PER_RADIAN));
    }

    /** |input - other| ≤ atol + |rtol · other|, or equal, or both NaN where those count as equal. */
    public static Expr isclose(Expr input, Expr other, double rtol, double atol, NanEquality nans) {
        BroadcastWarning.check(input, other);
        checkCloseness(input, other, rtol, atol);
        Expr close = Expr.apply(Ops.EQ, input, other);
        boolean floating = input.dtype().isFloatingPoint();
        if (floating && nans == NanEquality.EQUAL) {
            Expr both = Expr.apply(Ops.LOGICAL_AND, Expr.apply(Ops.NE, input, input), Expr.apply(Ops.NE, other, other));
            close = Expr.apply(Ops.LOGICAL_OR, close, both);
        }
        if (rtol == 0 && atol == 0) {
            return close;
        }
        Expr a = input.dtype() == DType.BOOL ? Expr.cast(input, DType.FLOAT32) : input;
        Expr b = floating ? other : Expr.cast(other, DType.FLOAT32);
        Expr relative = Expr.apply(Ops.ABS, Expr.apply(Ops.MUL, b, Expr.literal(rtol)));
        Expr allowed = Expr.apply(Ops.ADD, relative, Expr.literal(atol));
        Expr actual = Expr.apply(Ops.ABS, Expr.apply(Ops.SUB, a, b));
        Expr within =
                Expr.apply(Ops.LOGICAL_AND, Expr.apply(Ops.ISFINITE, actual), Expr.apply(Ops.LE, actual, allowed));
        return Expr.apply(Ops.LOGICAL_OR, close, within);
    }

    private static void checkCloseness(Expr input, Expr other, double rtol, double atol) {
        boolean number = input instanceof Literal || other instanceof Literal;
        if (!number && input.dtype() != other.dtype()) {
            throw new IllegalArgumentException(
                    input.dtype().typeName() + " did not match " + other.dtype().typeName());
        }
        checkNotNegative("rtol", rtol);
        checkNotNegative("atol", atol);
    }

    private static void checkNotNegative(String name, double value) {
        if (!(value >= 0)) {
            String text = Double.isNaN(value) ? "nan" : String.valueOf(value).replaceFirst("\\.0$", "");
            throw new IllegalArgumentException(name + " must be greater than or equal to zero, but got " + text);
        }
    }

    /** log(z / (1 - z)) of the operand z held in [eps, 1 - eps]; as it is where eps is null. */
    public static Expr logit(Expr input, @Nullable Double eps) {
        if (eps == null || eps < 0) {
            return Expr.apply(Ops.LOGIT, input);
        }
        Expr z = input.dtype().isFloatingPoint() ? input : Expr.cast(input, DType.FLOAT32);
        Expr high = Expr.literal(1 - eps);
        Expr capped = Expr.apply(Ops.WHERE, Expr.apply(Ops.GT, z, high), high, z);
        Expr low = Expr.literal(eps);
        return Expr.apply(Ops.LOGIT, Expr.apply(Ops.WHERE, Expr.apply(Ops.LT, z, low), low, capped));
    }

    /** {@code approximate}: {@code none} or {@code tanh}. */
    public static Expr gelu(Expr input, String approximate) {
        return switch (approximate) {
            case "none" -> Expr.apply(Ops.GELU, input);
            case "tanh" -> Expr.apply(Ops.GELU_TANH, input);
            default -> throw new IllegalArgumentException("approximate argument must be either none or tanh.");
        };
    }

    /** Clamp; of integers between truncated bounds. */
    public static Expr hardtanh(Expr input, Literal min, Literal max) {
        if (input.dtype() == DType.BOOL) {
            throw new IllegalArgumentException("Bool inputs not supported for hardtanh");
        }
        boolean integer = input.dtype().kind() == Kind.INTEGER;
        if (input.dtype() == DType.UINT8 && (min.longValue() < 0 || max.longValue() < 0)) {
            throw new IllegalArgumentException("cannot do hardtanh on an unsigned type with negative limits");
        }
        if (min.doubleValue() > max.doubleValue()) {
            throw new IllegalArgumentException("min_val cannot be greater than max_val");
        }
        return integer
                ? Expr.apply(Ops.CLAMP, input, Expr.literal(min.longValue()), Expr.literal(max.longValue()))
                : Expr.apply(Ops.CLAMP, input, min, max);
    }

    public static Expr relu6(Expr input) {
        return hardtanh(input, Literal.of(0L), Literal.of(6L));
    }

    public static Expr softsign(Expr input) {
        return Expr.apply(Ops.DIV, input, Expr.apply(Ops.ADD, Expr.apply(Ops.ABS, input), Expr.literal(1L)));
    }

    public static Expr tanhshrink(Expr input) {
        return Expr.apply(Ops.SUB, input, Expr.apply(Ops.TANH, input));
    }

    public static Expr selu(Expr input) {
        return Expr.apply(Ops.ELU, input, Expr.literal(SELU_ALPHA), Expr.literal(SELU_SCALE));
    }

    public static Expr celu(Expr input, double alpha) {
        if (alpha == 0) {
            throw new IllegalArgumentException("ZeroDivisionError: alpha cannot be 0 for CELU");
        }
        return Expr.apply(Ops.ELU, input, Expr.literal(alpha), Expr.literal(1.0), Expr.literal(1 / alpha));
    }
}
