package io.github.broadloom.expr;

/**
 * What compiled kernels call where an operation is more than an operator. Every method states one row of {@link Ops}; the
 * overloads are those of the values inside a kernel. Small enough for the JIT to inline.
 */
public final class Arith {
    private static final double LOG_2 = 0.693147180559945309417;

    private Arith() {}

    /** The quotient rounded down; 0 where the divisor is 0. */
    public static int floorDivide(int a, int b) {
        return b == 0 ? 0 : Math.floorDiv(a, b);
    }

    /** The quotient rounded down; 0 where the divisor is 0. */
    public static long floorDivide(long a, long b) {
        return b == 0 ? 0 : Math.floorDiv(a, b);
    }

    /** The quotient rounded down, computed from the remainder as in Python; the plain quotient where the divisor is 0. */
    public static float floorDivide(float a, float b) {
        if (b == 0) {
            return a / b;
        }
        float mod = a % b;
        float quotient = (a - mod) / b;
        if (mod != 0 && (b < 0) != (mod < 0)) {
            quotient -= 1;
        }
        if (quotient == 0) {
            return Math.copySign(0f, a / b);
        }
        float floor = (float) Math.floor(quotient);
        return quotient - floor > 0.5f ? floor + 1 : floor;
    }

    /** The quotient rounded down, computed from the remainder as in Python; the plain quotient where the divisor is 0. */
    public static double floorDivide(double a, double b) {
        if (b == 0) {
            return a / b;
        }
        double mod = a % b;
        double quotient = (a - mod) / b;
        if (mod != 0 && (b < 0) != (mod < 0)) {
            quotient -= 1;
        }
        if (quotient == 0) {
            return Math.copySign(0.0, a / b);
        }
        double floor = Math.floor(quotient);
        return quotient - floor > 0.5 ? floor + 1 : floor;
    }

    /** The remainder with the divisor's sign; 0 where the divisor is 0. */
    public static int remainder(int a, int b) {
        return b == 0 ? 0 : Math.floorMod(a, b);
    }

    /** The remainder with the divisor's sign; 0 where the divisor is 0. */
    public static long remainder(long a, long b) {
        return b == 0 ? 0 : Math.floorMod(a, b);
    }

    /** The remainder with the divisor's sign; NaN where the divisor is 0. */
    public static float remainder(float a, float b) {
        float mod = a % b;
        return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
    }

    /** The remainder with the divisor's sign; NaN where the divisor is 0. */
    public static double remainder(double a, double b) {
        double mod = a % b;
        return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
    }

    /** The remainder with the dividend's sign; 0 where the divisor is 0. */
    public static int fmod(int a, int b) {
        return b == 0 ? 0 : a % b;
    }

    /** The remainder with the dividend's sign; 0 where the divisor is 0. */
    public static long fmod(long a, long b) {
        return b == 0 ? 0 : a % b;
    }

    /** The power modulo 2³², by squaring; a negative exponent gives 0, or ±1 of ±1. */
    public static int pow(int base, int exponent) {
        return (int) pow((long) base, (long) exponent); // the low bits of a product come from the low bits alone
    }

    /** The power modulo 2⁶⁴, by squaring; a negative exponent gives 0, or ±1 of ±1. */
    public static long pow(long base, long exponent) {
        if (exponent < 0) {
            long ofMinusOne = (exponent & 1) == 0 ? 1 : -1;
            return base == 1 ? 1 : base == -1 ? ofMinusOne : 0;
        }
        long result = 1;
        long square = base;
        for (long left = exponent; left != 0; left >>= 1) {
            if ((left & 1) != 0) {
                result *= square;
            }
            square *= square;
        }
        return result;
    }

    /** The power, rounded from that of doubles. */
    public static float pow(float base, float exponent) {
        return exponent == 2 ? base * base : (float) cPow(base, exponent);
    }

    /** The power; exponent 2 is the base times itself. */
    public static double pow(double base, double exponent) {
        return exponent == 2 ? base * base : cPow(base, exponent);
    }

    /** C's pow: 1 to any power is 1, and so is -1 to an infinite one, where Java says NaN. */
    private static double cPow(double base, double exponent) {
        if (base == 1 || base == -1 && Double.isInfinite(exponent)) {
            return 1;
        }
        return Math.pow(base, exponent);
    }

    /** The length of the hypotenuse; the squares of floats cannot overflow a double. */
    public static float hypot(float a, float b) {
        if (Float.isInfinite(a) || Float.isInfinite(b)) {
            return Float.POSITIVE_INFINITY;
        }
        return (float) Math.sqrt((double) a * a + (double) b * b);
    }

    /** The length of the hypotenuse. */
    public static double hypot(double a, double b) {
        return Math.hypot(a, b);
    }

    /** -1, 0 or 1. */
    public static int sign(int a) {
        return Integer.signum(a);
    }

    /** -1, 0 or 1. */
    public static long sign(long a) {
        return Long.signum(a);
    }

    /** -1, 0 or 1; 0 of NaN. */
    public static float sign(float a) {
        return a > 0 ? 1 : a < 0 ? -1 : 0;
    }

    /** -1, 0 or 1; 0 of NaN. */
    public static double sign(double a) {
        return a > 0 ? 1 : a < 0 ? -1 : 0;
    }

    /** Whether the sign bit is set. */
    public static boolean signbit(float a) {
        return Float.floatToRawIntBits(a) < 0;
    }

    /** Whether the sign bit is set. */
    public static boolean signbit(double a) {
        return Double.doubleToRawLongBits(a) < 0;
    }

    /** Rounded towards zero. */
    public static double trunc(double a) {
        return a < 0 ? Math.ceil(a) : Math.floor(a);
    }

    /** Bits moved up; 0 where the count is negative or passes the width. */
    public static int leftShift(int a, int count) {
        return count < 0 || count > 31 ? 0 : a << count;
    }

    /** Bits moved up; 0 where the count is negative or passes the width. */
    public static long leftShift(long a, long count) {
        return count < 0 || count > 63 ? 0 : a << count;
    }

    /** Bits moved down with the sign; all sign where the count is negative or passes the width. */
    public static int rightShift(int a, int count) {
        return a >> (count < 0 || count > 31 ? 31 : count);
    }

    /** Bits moved down with the sign; all sign where the count is negative or passes the width. */
    public static long rightShift(long a, long count) {
        return a >> (count < 0 || count > 63 ? 63 : count);
    }

    /** 2 to the power of a. */
    public static double exp2(double a) {
        return Math.pow(2, a);
    }

    /** The logarithm to base 2, exact for powers of 2: the exponent is taken off before the logarithm. */
    public static double log2(double a) {
        if (!(a > 0) || a == Double.POSITIVE_INFINITY) {
            return Math.log(a);
        }
        double scaled = a < Double.MIN_NORMAL ? a * 0x1p54 : a;
        int exponent = Math.getExponent(scaled);
        double mantissa = Math.scalb(scaled, -exponent);
        if (mantissa > 1.4142135623730951) { // keeps the logarithm small against the exponent, and exact near 1
            mantissa *= 0.5;
            exponent++;
        }
        return (a < Double.MIN_NORMAL ? exponent - 54 : exponent) + Math.log(mantissa) / LOG_2;
    }

    /** 1 / (1 + exp(-a)). */
    public static double sigmoid(double a) {
        return 1 / (1 + Math.exp(-a));
    }
}
