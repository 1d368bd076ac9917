package io.github.broadloom.cpu.simd;

/**
 * Functions of angles. A float is computed as a double and rounded once. The sine comes from the distance r to the nearest multiple of π,
 * the cosine from that to the nearest odd multiple of π / 2, by an odd polynomial within 2⁻⁴³; the multiple is taken off in two parts of π, which is
 * exact enough for every float below {@link #FAR}. What is farther is left to {@link StrictMath}. Every method may write over what it
 * reads.
 */
interface Angles {
    float FAR = 0x1p27f;

    double INVERSE_PI = 0.3183098861837907;
    double TWO_OVER_PI = 0.6366197723675814;

    /** π, and what a double leaves off it. */
    double PI = 3.141592653589793;

    double PI_REST = 1.2246467991473532e-16;

    /** sin(r) / r of r², up to π / 2. */
    double S0 = 0.9999999999999375;

    double S1 = -0.16666666666432053;
    double S2 = 0.008333333318751064;
    double S3 = -0.00019841266408898313;
    double S4 = 2.755693169612219e-06;
    double S5 = -2.502950993072763e-08;
    double S6 = 1.540104112737501e-10;

    /** cos(r) of r², up to π / 4. */
    double C0 = 0.9999999999999999;

    double C1 = -0.4999999999999915;
    double C2 = 0.04166666666645377;
    double C3 = -0.0013888888868706446;
    double C4 = 2.4801578143104746e-05;
    double C5 = -2.755517714953599e-07;
    double C6 = 2.0627398922520865e-09;

    void sin(float[] x, float[] out, int from, int to);

    void cos(float[] x, float[] out, int from, int to);

    void tan(float[] x, float[] out, int from, int to);
}
