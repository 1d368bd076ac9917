package io.github.broadloom.cpu.simd;

/**
 * Logarithms. A float is computed as a double and rounded once. With k the exponent for which m = x / 2ᵏ lies between √½ and √2, the
 * natural logarithm is k ln 2 + log(m), and log(m) = s p(s²), s = (m - 1) / (m + 1): a polynomial of degree 5, within 2⁻⁴⁵. A logarithm to
 * another base is the sum of both, each times its own constant. Every method may write over what it reads.
 */
interface Logarithms {
    double LOG10_E = 0.4342944819032518;
    double LOG10_2 = 0.3010299956639812;

    double P0 = 1.9999999999999465;
    double P1 = 0.6666666667971697;
    double P2 = 0.3999999485128195;
    double P3 = 0.28572170291416277;
    double P4 = 0.2217407789093128;
    double P5 = 0.19610582827672335;

    /** The bits of 1, and how many more than those of √½. */
    long ONE = 0x3FF0000000000000L;

    long ABOVE_ROOT_HALF = ONE - 0x3FE6A09E667F3BCDL;

    /** The bits of 2⁵²: an integer below it, put into the low bits, is added. */
    long INTEGER = 0x4330000000000000L;

    double INTEGER_BIAS = 0x1p52 + 1023;

    void log(float[] x, float[] out, int from, int to);

    void log2(float[] x, float[] out, int from, int to);

    void log10(float[] x, float[] out, int from, int to);

    void log1p(float[] x, float[] out, int from, int to);
}
