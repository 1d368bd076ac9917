package io.github.broadloom.expr;

/**
 * The logarithm of the gamma function of doubles, within four units of the last place; near its zeros below -2, which no
 * double hits, within four units of the last place of 1. Chebyshev series around the zeros at 1 and 2 (their coefficients
 * were computed with 50 digits), Γ(x + 1) = x Γ(x) up to 10, Stirling's series from there, and Euler's reflection below -0.5.
 */
public final class Gamma {
    /** lgamma(1 + d) / d for d from -0.5 to 0.5, over 2 d. */
    private static final double[] NEAR_ONE = {
        -0.633011426275031,
        0.4405675574678963,
        -0.057857409449912446,
        0.010513973690267811,
        -0.002163989092091715,
        0.0004744402338724658,
        -0.00010799644528099427,
        2.5201155299530276e-05,
        -5.986014498026819e-06,
        1.4410616180293054e-06,
        -3.5060690575761177e-07,
        8.603823016763753e-08,
        -2.126510912478688e-08,
        5.287778091463614e-09,
        -1.3217135752166157e-09,
        3.3186698554450495e-10,
        -8.365902567746219e-11,
        2.116338666160694e-11,
        -5.370507653794381e-12,
        1.3666688100545857e-12,
        -3.486660039885161e-13,
        8.915622432767707e-14,
        -2.28454959350908e-14,
        5.86514671522212e-15,
        -1.5084071183968602e-15,
        3.885614648428306e-16,
        -1.0024188186640361e-16,
        2.5896418565384152e-17,
        -6.69867474095857e-18,
        1.7348373407131055e-18,
    };

    /** lgamma(2 + d) / d for d from -0.5 to 0.5, over 2 d. */
    private static final double[] NEAR_TWO = {
        0.41418612492156676,
        0.16322170068760064,
        -0.008658972394126285,
        0.0006727515726001485,
        -6.139556963628233e-05,
        6.110065797003576e-06,
        -6.410003033826223e-07,
        6.962242692768951e-08,
        -7.747248733788217e-09,
        8.774075140687239e-10,
        -1.0070266869830198e-10,
        1.1678602130652374e-11,
        -1.3656871334744932e-12,
        1.6079351149711552e-13,
        -1.9039501088488732e-14,
        2.2653768767833064e-15,
        -2.706656814831896e-16,
        3.245660731626191e-17,
        -3.904483378457447e-18,
        4.710435641256405e-19,
    };

    /** B₂ₙ / (2n (2n - 1)), from n = 1 on. */
    private static final double[] STIRLING = {
        1 / 12.0, -1 / 360.0, 1 / 1260.0, -1 / 1680.0, 1 / 1188.0, -691 / 360360.0, 1 / 156.0, -3617 / 122400.0,
    };

    /** log(2π) / 2 - 1/2. */
    private static final double STIRLING_CONSTANT = 0.4189385332046727;

    private Gamma() {}

    /** log |Γ(x)|: infinite at 0, at the negative integers and at both infinities. */
    public static double lgamma(double x) {
        if (x < 0.5) {
            return x > -0.5 ? nearOne(x) - Math.log(Math.abs(x)) : reflected(x);
        }
        if (x < 1.5) {
            return nearOne(x - 1);
        }
        return x < 10 ? reduced(x) : stirling(x);
    }

    private static double nearOne(double d) {
        return d == 0 ? 0 : d * Chebyshev.sum(NEAR_ONE, 2 * d);
    }

    /** Γ(x) = (x - 1) (x - 2) … y Γ(y), with y from 1.5 to 2.5. */
    private static double reduced(double x) {
        double product = 1;
        double y = x;
        while (y >= 2.5) {
            y -= 1;
            product *= y;
        }
        double d = y - 2;
        return d * Chebyshev.sum(NEAR_TWO, 2 * d) + Math.log(product);
    }

    private static double stirling(double x) {
        double inverse = 1 / x;
        double square = inverse * inverse;
        double sum = 0;
        for (int n = STIRLING.length - 1; n >= 0; n--) {
            sum = sum * square + STIRLING[n];
        }
        return (x - 0.5) * (Math.log(x) - 1) + (STIRLING_CONSTANT + sum * inverse);
    }

    /** Γ(x) Γ(-x) = -π / (x sin(πx)). */
    private static double reflected(double x) {
        if (x == Math.rint(x)) {
            return Double.POSITIVE_INFINITY; // -infinity, too
        }
        double sine = Math.abs(SpecialFunctions.sinPi(x));
        return Math.log(Math.PI / (-x * sine)) - lgamma(-x);
    }
}
