package io.github.broadloom.cpu.simd;

/**
 * The error function and what is made of it. A float is computed as a double and rounded once. The complement of erf is exp(-x²) g(t) / (x + 4) with t = (x - 4) / (x + 4), smooth as Shepherd and Laframboise found: a polynomial within
 * 2⁻⁴⁴ for x from 0 to 10.4. Every method may write over what it reads.
 */
interface Bells {
    double E0 = 1.1283791670955126;
    double E1 = -0.3761263890318375;
    double E2 = 0.11283791670955126;
    double E3 = -0.02686617064513125;

    /** Up to here the series at 0 is of four terms. */
    float NEAR = 0x1p-5f;

    double G0 = 1.0959956610004498;
    double G1 = -0.976548729080954;
    double G2 = 0.7732087022778023;
    double G3 = -0.5408538313059609;
    double G4 = 0.33085158726382446;
    double G5 = -0.17401093774326143;
    double G6 = 0.07638152599588116;
    double G7 = -0.026370039485281573;
    double G8 = 0.006111965587397266;
    double G9 = -0.0002811194052879245;
    double G10 = -0.00045474237064413296;
    double G11 = 0.00017764377246087958;
    double G12 = -3.781217953839526e-06;
    double G13 = -2.057337726817969e-05;
    double G14 = 3.55697929421991e-06;
    double G15 = 2.062141756316161e-06;

    double ROOT_HALF = 0.7071067811865476;

    /** From here on a float cannot tell the complement from 0. */
    float END = 10.3f;

    /** The same for the normal distribution function. */
    float NORMAL_END = 14.5f;

    void erf(float[] x, float[] out, int from, int to);

    void erfc(float[] x, float[] out, int from, int to);

    void gelu(float[] x, float[] out, int from, int to);
}
