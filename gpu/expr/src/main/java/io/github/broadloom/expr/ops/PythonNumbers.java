package io.github.broadloom.expr.ops;

import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.math.Arith;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations on plain numbers alone, as Python computes them: int stays int, true division gives float, bools count as 0
 * and 1. An int beyond 64 bits is an error here. Where integers must not wrap, or nothing be divided by zero, the row says how; every
 * other operation is computed by {@link OpOnNumbers}.
 */
public final class PythonNumbers {
    private PythonNumbers() {}

    /** Of integers, the second of which does not matter to an operation of one; null where they count as reals. */
    interface OfIntegers {
        @Nullable Long compute(long a, long b);
    }

    /** Of reals, as {@link OfIntegers}. */
    interface OfReals {
        double compute(double a, double b);
    }

    /**
     * The literal that Python computes.
     *
     * @throws IllegalArgumentException for a division by zero, an int beyond 64 bits, and with PyTorch's text for operations
     *     that such numbers do not have
     */
    public static Literal apply(Op op, List<Literal> args) {
        if (op == Ops.WHERE) {
            return args.get(0).doubleValue() != 0 ? args.get(1) : args.get(2);
        }
        Literal a = args.get(0);
        Literal b = args.get(args.size() - 1);
        boolean real = a.value() instanceof Double || b.value() instanceof Double;
        Object result = real ? null : ofIntegers(op, a.longValue(), b.longValue());
        if (result == null && (real || op.ofIntegers() != null) && op.ofReals() != null) {
            result = op.ofReals().compute(a.doubleValue(), b.doubleValue());
        }
        return Literal.of(result == null ? OpOnNumbers.compute(op, args) : result);
    }

    private static @Nullable Object ofIntegers(Op op, long a, long b) {
        try {
            return op.ofIntegers() == null ? null : op.ofIntegers().compute(a, b);
        } catch (ArithmeticException e) {
            String operator = op == Ops.SQUARE
                    ? "*"
                    : op.sign() == null ? op.name() : op.sign().text();
            throw new IllegalArgumentException(
                    "Cannot compute " + operator + " of plain integers: the result passes 64"
                            + " bits; write one of them as a float, such as 2.0",
                    e);
        }
    }

    static long floorDivide(long a, long b) {
        return b == -1 ? Math.negateExact(a) : Math.floorDiv(a, nonZero(b));
    }

    static @Nullable Long power(long base, long exponent) {
        if (exponent < 0) {
            return null;
        }
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

    static double power(double base, double exponent) {
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

    static long leftShift(long a, long count) {
        long shifted = Arith.leftShift(a, notNegative(count));
        if (a != 0 && (count > 62 || shifted >> count != a)) {
            throw new ArithmeticException();
        }
        return shifted;
    }

    static long notNegative(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("negative shift count");
        }
        return count;
    }

    static long nonZero(long divisor) {
        nonZero((double) divisor);
        return divisor;
    }

    static double nonZero(double divisor) {
        if (divisor == 0) {
            throw new IllegalArgumentException("division by zero");
        }
        return divisor;
    }
}
