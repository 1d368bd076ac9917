package io.github.broadloom.expr.math;

/**
 * What compiled kernels call where an operation is more than an operator. Every method states one row of the table of operations; the
 * overloads are those of the values inside a kernel. Small enough for the JIT to inline.
 */
public final class Arith {
    private Arith() {}

    /** What an integer division by zero raises, in PyTorch's words. */
    public static ArithmeticException zeroDivision() {
        return new ArithmeticException("ZeroDivisionError");
    }

    private static int nonZero(int divisor) {
        if (divisor == 0) {
            throw zeroDivision();
        }
        return divisor;
    }

    private static long nonZero(long divisor) {
        if (divisor == 0) {
            throw zeroDivision();
        }
        return divisor;
    }

    /** The quotient rounded towards zero. */
    public static int truncDivide(int a, int b) {
        return a / nonZero(b);
    }

    public static long truncDivide(long a, long b) {
        return a / nonZero(b);
    }

    /** The quotient rounded down. */
    public static int floorDivide(int a, int b) {
        return Math.floorDiv(a, nonZero(b));
    }

    public static long floorDivide(long a, long b) {
        return Math.floorDiv(a, nonZero(b));
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

    /** The remainder with the divisor's sign. */
    public static int remainder(int a, int b) {
        return Math.floorMod(a, nonZero(b));
    }

    public static long remainder(long a, long b) {
        return Math.floorMod(a, nonZero(b));
    }

    /** The remainder with the divisor's sign; NaN where the divisor is 0. */
    public static float remainder(float a, float b) {
        float mod = a % b;
        return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
    }

    public static double remainder(double a, double b) {
        double mod = a % b;
        return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
    }

    /** The remainder with the dividend's sign. */
    public static int fmod(int a, int b) {
        return a % nonZero(b);
    }

    public static long fmod(long a, long b) {
        return a % nonZero(b);
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

    public static long sign(long a) {
        return Long.signum(a);
    }

    /** -1, 0 or 1; 0 of NaN. */
    public static float sign(float a) {
        return a > 0 ? 1 : a < 0 ? -1 : 0;
    }

    public static double sign(double a) {
        return a > 0 ? 1 : a < 0 ? -1 : 0;
    }

    /** Whether the sign bit is set. */
    public static boolean signbit(float a) {
        return Float.floatToRawIntBits(a) < 0;
    }

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

    public static long leftShift(long a, long count) {
        return count < 0 || count > 63 ? 0 : a << count;
    }

    /** Bits moved down with the sign; all sign where the count is negative or passes the width. */
    public static int rightShift(int a, int count) {
        return a >> (count < 0 || count > 31 ? 31 : count);
    }

    public static long rightShift(long a, long count) {
        return a >> (count < 0 || count > 63 ? 63 : count);
    }

    /** From a to b by a weight: computed from the nearer end. */
    public static float lerp(float a, float b, float weight) {
        return Math.abs(weight) < 0.5f ? a + weight * (b - a) : b - (b - a) * (1 - weight);
    }

    public static double lerp(double a, double b, double weight) {
        return Math.abs(weight) < 0.5 ? a + weight * (b - a) : b - (b - a) * (1 - weight);
    }

    /** The greater, of zeros the first; the other where one is NaN. */
    public static float fmax(float a, float b) {
        return a < b || Float.isNaN(a) ? b : a;
    }

    public static double fmax(double a, double b) {
        return a < b || Double.isNaN(a) ? b : a;
    }

    /** The smaller, of zeros the first; the other where one is NaN. */
    public static float fmin(float a, float b) {
        return b < a || Float.isNaN(a) ? b : a;
    }

    public static double fmin(double a, double b) {
        return b < a || Double.isNaN(a) ? b : a;
    }

    /** a, or what stands for NaN and for the infinities. */
    public static float nanToNum(float a, float nan, float posinf, float neginf) {
        return Float.isNaN(a) ? nan : Math.abs(a) <= Float.MAX_VALUE ? a : a > 0 ? posinf : neginf;
    }

    public static double nanToNum(double a, double nan, double posinf, double neginf) {
        return Double.isNaN(a) ? nan : Math.abs(a) <= Double.MAX_VALUE ? a : a > 0 ? posinf : neginf;
    }
}
