package io.github.broadloom.cpu.simd;

/**
 * Functions that give angles. A float is computed as a double and rounded once. The arc tangent is q a(q²) up to 1, a polynomial within 2⁻⁴⁴,
 * and beyond it π / 2 less that of the inverse; the arc sine is y b(y²) up to a half, within 2⁻⁴⁸, and beyond it π / 2 less twice that of
 * √((1 - x) / 2). Every method may write over what it reads.
 */
interface Arcs {
    double HALF_PI = 1.5707963267948966;

    double T0 = 0.9999999999999613;
    double T1 = -0.3333333333128784;
    double T2 = 0.19999999820089012;
    double T3 = -0.14285708004251368;
    double T4 = 0.11110995297250768;
    double T5 = -0.09089608201112609;
    double T6 = 0.07682618374332703;
    double T7 = -0.06616099721723986;
    double T8 = 0.05690220437056468;
    double T9 = -0.04716335099672143;
    double T10 = 0.035685745194837616;
    double T11 = -0.023047826427946973;
    double T12 = 0.01178629383106613;
    double T13 = -0.004364452022496558;
    double T14 = 0.0010241220921163316;
    double T15 = -0.00011321497692996932;

    double A0 = 1.0000000000000036;
    double A1 = 0.16666666666331506;
    double A2 = 0.07500000052618416;
    double A3 = 0.0446428249904614;
    double A4 = 0.03038294876602288;
    double A5 = 0.022353947959756298;
    double A6 = 0.017557071907382024;
    double A7 = 0.012510729722263754;
    double A8 = 0.018059526414342875;
    double A9 = -0.007564346395738099;
    double A10 = 0.0317055963431075;

    void atan(float[] x, float[] out, int from, int to);

    void asin(float[] x, float[] out, int from, int to);

    void acos(float[] x, float[] out, int from, int to);
}
