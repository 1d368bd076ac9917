package io.github.broadloom.expr.math;

/**
 * The logarithm of the gamma function of doubles, within four units of the last place; near its zeros below -2, which no
 * double hits, within four units of the last place of 1. Chebyshev series around the zeros at 1 and 2 (their coefficients
 * were computed with 50 digits), Γ(x + 1) = x Γ(x) up to 10, Stirling's series from there, and Euler's reflection below
 * -0.5.
 */
public final class Gamma {
    /** lgamma(1 + d) / (d (d - 1)) for d from -0.5 to 0.5, over 2 d: it has no zero, so that nothing cancels. */
    private static final double[] NEAR_ONE = {
        0.5992017652562684, -0.13523864407505012, 0.022912123058847742, -0.0045425014892086875,
        0.0009737657453887527, -0.0002183918976031625, 5.042759968846042e-05, -1.188348476697295e-05,
        2.843082441768888e-06, -6.882434580587778e-07, 1.681901981132224e-07, -4.142337251877978e-08,
        1.0269232482208628e-08, -2.5601340515332235e-09, 6.413436775129348e-10, -1.6134553928150004e-10,
        4.074210753908471e-11, -1.0322133272009862e-11, 2.6229060193036037e-12, -6.682732659532457e-13,
        1.7067615710175653e-13, -4.368612159379254e-14, 1.1204253833781605e-14, -2.8788468114442426e-15,
        7.40945781329903e-16, -1.9099853682358576e-16, 4.930593074707631e-17, -1.2745267653723452e-17,
        3.2986728995664887e-18, -8.547397118448763e-19
    };

    /** lgamma(2 + d) / (d (d + 1)) for d from -0.5 to 0.5, over 2 d. */
    private static final double[] NEAR_TWO = {
        0.42702679007974553, -0.05136266063271509, 0.004283865121771959, -0.00040868943087787814,
        4.189889214014742e-05, -4.4884162278409e-06, 4.950359592304836e-07, -5.572882261152328e-08,
        6.369038926367588e-09, -7.363280290999341e-10, 8.590324630704468e-11, -1.0095630921452502e-11,
        1.1936859013748236e-12, -1.4186121794476558e-13, 1.693301639270074e-14, -2.0288519799922935e-15,
        2.43899034401661e-16, -2.940688354710887e-17, 3.554929051822112e-18, -4.3076617400936667e-19
    };

    /** B₂ₙ / (2n (2n - 1)), from n = 1 on. */
    private static final double[] STIRLING = {
        1 / 12.0, -1 / 360.0, 1 / 1260.0, -1 / 1680.0, 1 / 1188.0, -691 / 360360.0, 1 / 156.0, -3617 / 122400.0
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
        return d == 0 ? 0 : d * (d - 1) * Chebyshev.sum(NEAR_ONE, 2 * d);
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
        return d * (d + 1) * Chebyshev.sum(NEAR_TWO, 2 * d) + Math.log(product);
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
