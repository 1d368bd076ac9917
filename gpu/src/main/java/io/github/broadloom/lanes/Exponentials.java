package io.github.broadloom.lanes;

/**
 * Functions built on the power of e. A float is computed as a double and rounded once. With k the nearest integer to
 * x / ln 2 and r = x - k ln 2, exp(x) is 2ᵏ p(r)², where p is exp(r / 2): a polynomial of degree 8, whose square is within 2⁻⁴⁸
 * of the power. Where the power itself is not wanted, it stays a quotient: exp(2h) is (h coth h + h) / (h coth h - h), and h coth h a
 * polynomial of h² within 2⁻⁴⁹; what is made of it takes one division in all, and loses nothing near zero. Every method may
 * write over what it reads.
 */
interface Exponentials {
    double LOG2_E = 1.4426950408889634;
    double LN_2 = 0.6931471805599453;

    /** Added to a number below 2⁵¹ and taken off again, it rounds to an integer, which stands in the low bits meanwhile. */
    double ROUNDER = 0x1.8p52;

    double P0 = 0.9999999999999998;
    double P1 = 0.49999999999996086;
    double P2 = 0.12500000000006112;
    double P3 = 0.020833333337693556;
    double P4 = 0.0026041666642586925;
    double P5 = 0.0002604165357551096;
    double P6 = 2.1701417313192264e-05;
    double P7 = 1.551553669880726e-06;
    double P8 = 9.680842353214273e-08;

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
