package io.github.broadloom.expr;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations on plain numbers alone, as Python computes them: int stays int, true division gives float, bools count as 0
 * and 1. An int beyond 64 bits is an error here.
 */
final class PythonNumbers {
    private static final Map<Op, DoubleUnaryOperator> FUNCTIONS = Map.ofEntries(
            Map.entry(Ops.SQRT, Math::sqrt),
            Map.entry(Ops.EXP, Math::exp),
            Map.entry(Ops.EXP2, SpecialFunctions::exp2),
            Map.entry(Ops.EXPM1, Math::expm1),
            Map.entry(Ops.LOG, Math::log),
            Map.entry(Ops.LOG2, SpecialFunctions::log2),
            Map.entry(Ops.LOG10, Math::log10),
            Map.entry(Ops.LOG1P, Math::log1p),
            Map.entry(Ops.SIN, Math::sin),
            Map.entry(Ops.COS, Math::cos),
            Map.entry(Ops.TAN, Math::tan),
            Map.entry(Ops.ASIN, Math::asin),
            Map.entry(Ops.ACOS, Math::acos),
            Map.entry(Ops.ATAN, Math::atan),
            Map.entry(Ops.SINH, Math::sinh),
            Map.entry(Ops.COSH, Math::cosh),
            Map.entry(Ops.TANH, Math::tanh),
            Map.entry(Ops.RSQRT, x -> 1 / Math.sqrt(x)),
            Map.entry(Ops.RECIPROCAL, x -> 1 / x),
            Map.entry(Ops.SIGMOID, Activations::sigmoid),
            Map.entry(Ops.ERF, ErrorFunction::erf));

    private PythonNumbers() {}

    /**
     * The literal that Python computes.
     *
     * @throws IllegalArgumentException for a division by zero, an int beyond 64 bits, and operations that Python does not
     *     have on numbers
     */
    static Literal apply(Op op, List<Expr> args) {
        Literal a = (Literal) args.get(0);
        Object result;
        if (op == Ops.WHERE) {
            result = (truth(a) ? (Literal) args.get(1) : (Literal) args.get(2)).value();
        } else if (args.size() == 1) {
            result = unary(op, a);
        } else {
            result = args.size() == 2 ? binary(op, a, (Literal) args.get(1)) : null;
        }
        if (result == null) {
            throw new IllegalArgumentException(
                    "Cannot apply " + op.name() + " to plain numbers alone: " + args + "; make one of them a tensor");
        }
        return Literal.of(result);
    }

    private static @Nullable Object unary(Op op, Literal a) {
        DoubleUnaryOperator function = FUNCTIONS.get(op);
        if (function != null) {
            return function.applyAsDouble(a.doubleValue());
        }
        boolean real = isReal(a);
        return switch (op.name()) {
            case "neg" ->
                real ? (Object) (-a.doubleValue()) : (Object) exact("-", () -> Math.negateExact(a.longValue()));
            case "abs" ->
                real
                        ? (Object) Math.abs(a.doubleValue())
                        : (Object)
                                exact("abs", () -> a.longValue() < 0 ? Math.negateExact(a.longValue()) : a.longValue());
            case "square" -> binary(Ops.MUL, a, a);
            case "bitwise_not" -> real ? null : (Object) ~a.longValue();
            case "logical_not" -> !truth(a);
            default -> null;
        };
    }

    private static @Nullable Object binary(Op op, Literal a, Literal b) {
        boolean real = isReal(a) || isReal(b);
        Object truth = truthOf(op, a, b, real);
        if (truth != null) {
            return truth;
        }
        return switch (op.name()) {
            case "div" -> divide(a.doubleValue(), nonZero(b).doubleValue());
            case "maximum" -> compare(a, b, real) >= 0 ? a.value() : b.value();
            case "minimum" -> compare(a, b, real) <= 0 ? a.value() : b.value();
            case "atan2" -> Math.atan2(a.doubleValue(), b.doubleValue());
            case "hypot" -> Math.hypot(a.doubleValue(), b.doubleValue());
            case "copysign" -> Math.copySign(a.doubleValue(), b.doubleValue());
            case "pow" -> power(a, b, real);
            default -> real ? ofReals(op, a, b) : ofIntegers(op, a, b);
        };
    }

    private static @Nullable Boolean truthOf(Op op, Literal a, Literal b, boolean real) {
        boolean nan = Double.isNaN(a.doubleValue()) || Double.isNaN(b.doubleValue());
        int order = compare(a, b, real);
        return switch (op.name()) {
            case "eq" -> !nan && order == 0;
            case "ne" -> nan || order != 0;
            case "lt" -> !nan && order < 0;
            case "le" -> !nan && order <= 0;
            case "gt" -> !nan && order > 0;
            case "ge" -> !nan && order >= 0;
            case "logical_and" -> truth(a) && truth(b);
            case "logical_or" -> truth(a) || truth(b);
            case "logical_xor" -> truth(a) != truth(b);
            default -> null;
        };
    }

    private static @Nullable Object ofReals(Op op, Literal left, Literal right) {
        double a = left.doubleValue();
        double b = right.doubleValue();
        return switch (op.name()) {
            case "add" -> a + b;
            case "sub" -> a - b;
            case "mul" -> a * b;
            case "floor_divide" -> Arith.floorDivide(a, nonZero(right).doubleValue());
            case "remainder" -> Arith.remainder(a, nonZero(right).doubleValue());
            case "fmod" -> a % nonZero(right).doubleValue();
            default -> null;
        };
    }

    private static @Nullable Object ofIntegers(Op op, Literal left, Literal right) {
        long a = left.longValue();
        long b = right.longValue();
        boolean bools = left.value() instanceof Boolean && right.value() instanceof Boolean;
        return switch (op.name()) {
            case "add" -> exact("+", () -> Math.addExact(a, b));
            case "sub" -> exact("-", () -> Math.subtractExact(a, b));
            case "mul" -> exact("*", () -> Math.multiplyExact(a, b));
            case "floor_divide" ->
                exact(
                        "//",
                        () -> b == -1
                                ? Math.negateExact(a)
                                : Math.floorDiv(a, nonZero(right).longValue()));
            case "remainder" -> Math.floorMod(a, nonZero(right).longValue());
            case "fmod" -> a % nonZero(right).longValue();
            case "bitwise_and" -> bools ? (Object) ((a & b) != 0) : (Object) (a & b);
            case "bitwise_or" -> bools ? (Object) ((a | b) != 0) : (Object) (a | b);
            case "bitwise_xor" -> bools ? (Object) ((a ^ b) != 0) : (Object) (a ^ b);
            case "bitwise_left_shift" -> exact("<<", () -> shiftLeft(a, b));
            case "bitwise_right_shift" -> Arith.rightShift(a, notNegative(b));
            default -> null;
        };
    }

    private static Object power(Literal a, Literal b, boolean real) {
        if (!real && b.longValue() >= 0) {
            return exact("**", () -> powExact(a.longValue(), b.longValue()));
        }
        double base = a.doubleValue();
        double exponent = b.doubleValue();
        if (base == 0 && exponent < 0) {
            throw new IllegalArgumentException("0.0 cannot be raised to a negative power");
        }
        double result = Arith.pow(base, exponent);
        if (Double.isNaN(result) && !Double.isNaN(base) && !Double.isNaN(exponent)) {
            throw new IllegalArgumentException("Cannot raise a plain number to a power: " + base + " ** " + exponent
                    + " is complex; give a base that is not negative");
        }
        return result;
    }

    private static long powExact(long base, long exponent) {
        long result = 1;
        long square = base;
        for (long left = exponent; left != 0; ) {
            if ((left & 1) != 0) {
                result = Math.multiplyExact(result, square);
            }
            left >>= 1;
            if (left != 0 && square != 0 && square != 1 && square != -1) {
                square = Math.multiplyExact(square, square);
            } else if (square == -1) {
                square = 1;
            }
        }
        return result;
    }

    private static long shiftLeft(long a, long count) {
        long shifted = Arith.leftShift(a, notNegative(count));
        if (a != 0 && (count > 62 || shifted >> count != a)) {
            throw new ArithmeticException();
        }
        return shifted;
    }

    private static long notNegative(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("negative shift count");
        }
        return count;
    }

    private static double divide(double a, double b) {
        return a / b;
    }

    private static Literal nonZero(Literal divisor) {
        if (divisor.doubleValue() == 0) {
            throw new IllegalArgumentException("division by zero");
        }
        return divisor;
    }

    private static int compare(Literal a, Literal b, boolean real) {
        if (!real) {
            return Long.compare(a.longValue(), b.longValue());
        }
        double x = a.doubleValue();
        double y = b.doubleValue();
        return x < y ? -1 : x > y ? 1 : 0;
    }

    private static boolean isReal(Literal a) {
        return a.value() instanceof Double;
    }

    private static boolean truth(Literal a) {
        return a.doubleValue() != 0;
    }

    private static Object exact(String operator, LongSupplier integer) {
        try {
            return integer.getAsLong();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "Cannot compute " + operator + " of plain integers: the result passes 64"
                            + " bits; write one of them as a float, such as 2.0",
                    e);
        }
    }
}
