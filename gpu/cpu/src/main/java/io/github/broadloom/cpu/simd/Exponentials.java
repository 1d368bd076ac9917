package io.github.broadloom.cpu.simd;

/**
 * Functions built on the power of e. A float is computed as a double and rounded once. With k the nearest integer to
 * x / ln 2 and r = x - k ln 2, exp(x) is 2ᵏ (1 + r p(r)), where p is (exp(r) - 1) / r: a polynomial of degree 8, within 2⁻⁴³
 * of it. Where the power itself is not wanted, it stays a quotient: exp(2h) is (h coth h + h) / (h coth h - h), and h coth h a
 * polynomial of h² within 2⁻⁴⁹; what is made of it takes one division in all, and loses nothing near zero. Every method may
 * write over what it reads.
 */
interface Exponentials {
    double LOG2_E = 1.4426950408889634;
    double LN_2 = 0.6931471805599453;

    /** Added to a number below 2⁵¹ and taken off again, it rounds to an integer, which stands in the low bits meanwhile. */
    double ROUNDER = 0x1.8p52;

    double P0 = 0.999999999999989;
    double P1 = 0.4999999999980006;
    double P2 = 0.1666666666694083;
    double P3 = 0.0416666668895701;
    double P4 = 0.008333333231733726;
    double P5 = 0.0013888821903963186;
    double P6 = 0.00019841371426444388;
    double P7 = 2.4876058529669708e-05;
    double P8 = 2.7557338663741734e-06;

    /** Those of h coth h with their signs turned, by which the zeros of a difference keep the sign of h. */
    double C0 = -1.000000000000001;

    double C1 = -0.33333333333164894;
    double C2 = 0.02222222177307776;
    double C3 = -0.002116360201402808;
    double C4 = 0.00021004270402535794;

    /** From here on the power of e is more than the greatest float, and down to -105 more than nothing. */
    float HIGHEST = 90;

    float LOWEST = -105;

    /** From here on the hyperbolic tangent is 1 to the last place. */
    float FLAT = 10;

    void exp(float[] x, float[] out, int from, int to);

    void exp2(float[] x, float[] out, int from, int to);

    void expm1(float[] x, float[] out, int from, int to);

    void sinh(float[] x, float[] out, int from, int to);

    void cosh(float[] x, float[] out, int from, int to);

    void tanh(float[] x, float[] out, int from, int to);
}
