package io.github.broadloom.lanes;

/**
 * Functions of the first {@code n} elements of arrays, which kernels call between their loops. Functions of floats are computed
 * as doubles, within about 2⁻⁴⁰ of the value, and rounded once: the nearest float but for about one in 30,000. On the Vector API,
 * where the JVM was started with {@code --add-modules=jdk.incubator.vector}, else in plain loops; the bits are the same. A result may
 * be written over an operand. A truth is a byte, written as 0 or 1, and read as whether it is not 0.
 */
public final class Lanes {
    private static final Exponentials EXPONENTIALS = Twins.of(Exponentials.class, new ScalarExponentials());
    private static final Choices CHOICES = Twins.of(Choices.class, new ScalarChoices());

    private Lanes() {}

    /** Whether the functions run on the Vector API. The results are the same without it. */
    public static boolean isVectorized() {
        return Twins.VECTORIZED;
    }

    /** e to the power of x. */
    public static void exp(float[] x, float[] out, int n) {
        EXPONENTIALS.exp(x, out, 0, n);
    }

    /** 2 to the power of x. */
    public static void exp2(float[] x, float[] out, int n) {
        EXPONENTIALS.exp2(x, out, 0, n);
    }

    /** e to the power of x, minus one, exact near zero. */
    public static void expm1(float[] x, float[] out, int n) {
        EXPONENTIALS.expm1(x, out, 0, n);
    }

    /** The hyperbolic sine. */
    public static void sinh(float[] x, float[] out, int n) {
        EXPONENTIALS.sinh(x, out, 0, n);
    }

    /** The hyperbolic cosine. */
    public static void cosh(float[] x, float[] out, int n) {
        EXPONENTIALS.cosh(x, out, 0, n);
    }

    /** The hyperbolic tangent. */
    public static void tanh(float[] x, float[] out, int n) {
        EXPONENTIALS.tanh(x, out, 0, n);
    }

    /** Whether a is less than b. */
    public static void lt(float[] a, float[] b, byte[] out, int n) {
        CHOICES.lt(a, b, out, 0, n);
    }

    /** Whether a is less than b or equal. */
    public static void le(float[] a, float[] b, byte[] out, int n) {
        CHOICES.le(a, b, out, 0, n);
    }

    /** Whether a equals b. */
    public static void eq(float[] a, float[] b, byte[] out, int n) {
        CHOICES.eq(a, b, out, 0, n);
    }

    /** Whether a differs from b. */
    public static void ne(float[] a, float[] b, byte[] out, int n) {
        CHOICES.ne(a, b, out, 0, n);
    }

    /** Whether a is less than b. */
    public static void lt(int[] a, int[] b, byte[] out, int n) {
        CHOICES.lt(a, b, out, 0, n);
    }

    /** Whether a is less than b or equal. */
    public static void le(int[] a, int[] b, byte[] out, int n) {
        CHOICES.le(a, b, out, 0, n);
    }

    /** Whether a equals b. */
    public static void eq(int[] a, int[] b, byte[] out, int n) {
        CHOICES.eq(a, b, out, 0, n);
    }

    /** Whether a differs from b. */
    public static void ne(int[] a, int[] b, byte[] out, int n) {
        CHOICES.ne(a, b, out, 0, n);
    }

    /** a where the truth is not 0, else b. */
    public static void where(byte[] truth, float[] a, float[] b, float[] out, int n) {
        CHOICES.where(truth, a, b, out, 0, n);
    }

    /** a where the truth is not 0, else b. */
    public static void where(byte[] truth, int[] a, int[] b, int[] out, int n) {
        CHOICES.where(truth, a, b, out, 0, n);
    }
}
