package io.github.broadloom.expr.ops;

import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.math.Arith;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations on plain numbers alone, as Python computes them: int stays int, true division gives float, bools count as 0
 * and 1. An int beyond 64 bits is an error here. Python's operators are computed here, for integers must not wrap; every other
 * operation by {@link OpOnNumbers}.
 */
public final class PythonNumbers {
    private PythonNumbers() {}

    /**
     * The literal that Python computes.
     *
     * @throws IllegalArgumentException for a division by zero, an int beyond 64 bits, and with PyTorch's text for operations
     *     that such numbers do not have
     */
    public static Literal apply(Op op, List<Literal> args) {
        if (op == Ops.WHERE) {
            return truth(args.get(0)) ? args.get(1) : args.get(2);
        }
        Object result = switch (args.size()) {
            case 1 -> unary(op, args.get(0));
            case 2 -> binary(op, args.get(0), args.get(1));
            default -> null;
        };
        return Literal.of(result == null ? OpOnNumbers.compute(op, args) : result);
    }

    private static @Nullable Object unary(Op op, Literal a) {
        if (isReal(a)) {
            return op == Ops.NEG ? (Object) (-a.doubleValue()) : null;
        }
        long value = a.longValue();
        return switch (op.name()) {
            case "neg" -> exact("-", () -> Math.negateExact(value));
            case "abs" -> exact("abs", () -> value < 0 ? Math.negateExact(value) : value);
            case "square" -> exact("*", () -> Math.multiplyExact(value, value));
            case "bitwise_not" -> ~value; // of a bool, too
            default -> null;
        };
    }

    private static @Nullable Object binary(Op op, Literal a, Literal b) {
        boolean real = isReal(a) || isReal(b);
        return switch (op.name()) {
            case "div" -> a.doubleValue() / nonZero(b).doubleValue();
            case "pow" -> power(a, b, real);
            default -> real ? ofReals(op, a, b) : ofIntegers(op, a, b);
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

    private static Literal nonZero(Literal divisor) {
        if (divisor.doubleValue() == 0) {
            throw new IllegalArgumentException("division by zero");
        }
        return divisor;
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
