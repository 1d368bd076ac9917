package io.github.broadloom.lanes;

/**
 * Functions built on the power of e. A float is computed as a double and rounded once. With k the nearest integer to
 * x / ln 2 and r = x - k ln 2, exp(x) is 2ᵏ (1 + r q(r)), where q is (exp(r) - 1) / r: a polynomial of degree 8, within
 * 2⁻⁴³ of it. Every method may write over what it reads.
 */
interface Exponentials {
    double LOG2_E = 1.4426950408889634;
    double LN_2 = 0.6931471805599453;

    /** Added to a number below 2⁵¹ and taken off again, it rounds to an integer, which stands in the low bits meanwhile. */
    double ROUNDER = 0x1.8p52;

    double Q0 = 0.999999999999989;
    double Q1 = 0.4999999999980006;
    double Q2 = 0.1666666666694083;
    double Q3 = 0.0416666668895701;
    double Q4 = 0.008333333231733726;
    double Q5 = 0.0013888821903963186;
    double Q6 = 0.00019841371426444388;
    double Q7 = 2.4876058529669708e-05;
    double Q8 = 2.7557338663741734e-06;

    /** From here on the power of e is more than the greatest float, and down to -105 more than nothing. */
    float HIGHEST = 90;

    float LOWEST = -105;

    void exp(float[] x, float[] out, int from, int to);

    void exp2(float[] x, float[] out, int from, int to);

    void expm1(float[] x, float[] out, int from, int to);

    void sinh(float[] x, float[] out, int from, int to);

    void cosh(float[] x, float[] out, int from, int to);

    void tanh(float[] x, float[] out, int from, int to);
}
