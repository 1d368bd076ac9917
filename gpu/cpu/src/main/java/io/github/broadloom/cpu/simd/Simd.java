package io.github.broadloom.cpu.simd;

/**
 * Functions of the first {@code n} elements of arrays, which kernels call between their loops. Functions of floats are computed
 * as doubles, within about 2⁻⁴⁰ of the value, and rounded once: the nearest float but for about one in 30,000. On the Vector API,
 * where the JVM was started with {@code --add-modules=jdk.incubator.vector} and has its second compiler, C2, else in plain loops; the bits are the same. A result may
 * be written over an operand. A truth is a byte, written as 0 or 1, and read as whether it is not 0.
 */
public final class Simd {
    private static final Exponentials EXPONENTIALS = Twins.of(Exponentials.class, new ScalarExponentials());
    private static final Logarithms LOGARITHMS = Twins.of(Logarithms.class, new ScalarLogarithms());
    private static final Powers POWERS = Twins.of(Powers.class, new ScalarPowers());
    private static final Angles ANGLES = Twins.of(Angles.class, new ScalarAngles());
    private static final Arcs ARCS = Twins.of(Arcs.class, new ScalarArcs());
    private static final Sigmoids SIGMOIDS = Twins.of(Sigmoids.class, new ScalarSigmoids());
    private static final Bells BELLS = Twins.of(Bells.class, new ScalarBells());
    private static final Choices CHOICES = Twins.of(Choices.class, new ScalarChoices());
    private static final KernelSupport PLACES = Twins.of(KernelSupport.class, new ScalarKernelSupport());
    private static final boolean READS_MEMORY = PLACES.readMemory();

    private Simd() {}

    /** Whether the functions run on the Vector API. The results are the same without it. */
    public static boolean isVectorized() {
        return Twins.VECTORIZED;
    }

    /** Whether kernels can be of vectors of eight floats, on the Vector API: this machine has them. */
    public static boolean haveEights() {
        return PLACES.haveEights();
    }

    /** Whether kernels can read and write off-heap memory as vectors of eight floats, too: on Java 17 and 18. */
    public static boolean readsMemory() {
        return READS_MEMORY;
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

    /** The natural logarithm. */
    public static void log(float[] x, float[] out, int n) {
        LOGARITHMS.log(x, out, 0, n);
    }

    /** The logarithm to base 2. */
    public static void log2(float[] x, float[] out, int n) {
        LOGARITHMS.log2(x, out, 0, n);
    }

    /** The logarithm to base 10. */
    public static void log10(float[] x, float[] out, int n) {
        LOGARITHMS.log10(x, out, 0, n);
    }

    /** The natural logarithm of 1 + x, exact near zero. */
    public static void log1p(float[] x, float[] out, int n) {
        LOGARITHMS.log1p(x, out, 0, n);
    }

    /** 1 / √x. */
    public static void rsqrt(float[] x, float[] out, int n) {
        POWERS.rsqrt(x, out, 0, n);
    }

    /** The sine of x in radians. */
    public static void sin(float[] x, float[] out, int n) {
        ANGLES.sin(x, out, 0, n);
    }

    /** The cosine of x in radians. */
    public static void cos(float[] x, float[] out, int n) {
        ANGLES.cos(x, out, 0, n);
    }

    /** The tangent of x in radians. */
    public static void tan(float[] x, float[] out, int n) {
        ANGLES.tan(x, out, 0, n);
    }

    /** The arc tangent in radians. */
    public static void atan(float[] x, float[] out, int n) {
        ARCS.atan(x, out, 0, n);
    }

    /** The arc sine in radians. */
    public static void asin(float[] x, float[] out, int n) {
        ARCS.asin(x, out, 0, n);
    }

    /** The arc cosine in radians. */
    public static void acos(float[] x, float[] out, int n) {
        ARCS.acos(x, out, 0, n);
    }

    /** 1 / (1 + exp(-x)), and 0 where exp(-x) passes the greatest float. */
    public static void sigmoid(float[] x, float[] out, int n) {
        SIGMOIDS.sigmoid(x, out, 0, n);
    }

    /** x / (1 + exp(-x)). */
    public static void silu(float[] x, float[] out, int n) {
        SIGMOIDS.silu(x, out, 0, n);
    }

    /** gelu's approximation by tanh. */
    public static void geluTanh(float[] x, float[] out, int n) {
        SIGMOIDS.geluTanh(x, out, 0, n);
    }

    /** x tanh(log(1 + exp(x))). */
    public static void mish(float[] x, float[] out, int n) {
        SIGMOIDS.mish(x, out, 0, n);
    }

    /** log(1 + exp(beta x)) / beta, and x where beta x passes the threshold. */
    public static void softplus(float[] x, float beta, float threshold, float[] out, int n) {
        SIGMOIDS.softplus(x, beta, threshold, out, 0, n);
    }

    /** log(1 / (1 + exp(-x))). */
    public static void logsigmoid(float[] x, float[] out, int n) {
        SIGMOIDS.logsigmoid(x, out, 0, n);
    }

    /** The error function. */
    public static void erf(float[] x, float[] out, int n) {
        BELLS.erf(x, out, 0, n);
    }

    /** One minus the error function, exact where that is near one. */
    public static void erfc(float[] x, float[] out, int n) {
        BELLS.erfc(x, out, 0, n);
    }

    /** x times the normal distribution function at it. */
    public static void gelu(float[] x, float[] out, int n) {
        BELLS.gelu(x, out, 0, n);
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

    /** x where a is less than b, else y. */
    public static void whereLt(float[] a, float[] b, float[] x, float[] y, float[] out, int n) {
        CHOICES.whereLt(a, b, x, y, out, 0, n);
    }

    /** x where a is less than b or equal, else y. */
    public static void whereLe(float[] a, float[] b, float[] x, float[] y, float[] out, int n) {
        CHOICES.whereLe(a, b, x, y, out, 0, n);
    }
}
