package io.github.broadloom.expr.math;

/**
 * Activation functions of doubles, within four units of the last place over their whole range: each is written so that
 * nothing cancels or underflows on the way where the result does not.
 */
public final class Activations {
    /** tanh(x) is 1 to the last place, and so is mish(x) / x, from here on. */
    private static final double LINEAR = 20;

    /** 2 √(2/π) and 0.044715 times that, and what the doubles leave off them. */
    private static final double SLOPE = 1.5957691216057308;

    private static final double SLOPE_REST = -9.96930880911092e-17;
    private static final double CUBIC = 0.07135481627260025;
    private static final double CUBIC_REST = -6.175149918155315e-19;

    private Activations() {}

    /** 1 / (1 + exp(-a)); as PyTorch's, 0 where exp(-a) passes the greatest double. */
    public static double sigmoid(double a) {
        return 1 / (1 + Math.exp(-a));
    }

    /** 1 / (1 + exp(-a)); as PyTorch's, 0 where exp(-a) passes the greatest float. */
    public static float sigmoid(float a) {
        double power = Math.exp(-a);
        return power > Float.MAX_VALUE ? 0 : (float) (1 / (1 + power));
    }

    /** x / (1 + exp(-x)). */
    public static double silu(double x) {
        return weighted(x, x);
    }

    /** x times the logistic function of y; the exponential in halves, so that it does not underflow before the product. */
    private static double weighted(double x, double y) {
        if (y >= 0) {
            return x / (1 + Math.exp(-y));
        }
        double half = Math.exp(y / 2);
        return x * half / (1 + half * half) * half;
    }

    /** x Φ(x), Φ the normal distribution function. */
    public static double gelu(double x) {
        return 0.5 * x * ErrorFunction.erfcOfRoot(-x);
    }

    /** x / (1 + exp(-y)), y = 2 √(2/π) (x + 0.044715 x³): gelu by tanh. The exponent is computed in two doubles. */
    public static double geluTanh(double x) {
        double square = x * x;
        double cubic = CUBIC * square;
        double slope = SLOPE + cubic;
        double y = slope * x;
        if (!(y > -1500) || y > 40) { // 0 and x, to the last place
            return y > 40 ? x : x * Math.exp(y);
        }
        double squareRest = Math.fma(x, x, -square);
        double cubicRest = Math.fma(CUBIC, square, -cubic) + (CUBIC * squareRest + CUBIC_REST * square);
        double slopeRest = cubic < SLOPE ? SLOPE - slope + cubic : cubic - slope + SLOPE;
        double rest = Math.fma(slope, x, -y) + (slopeRest + cubicRest + SLOPE_REST) * x;
        return weighted(x, y) * (y < 0 ? 1 + rest : 1);
    }

    /** x tanh(log(1 + exp(x))). */
    public static double mish(double x) {
        if (x > LINEAR) {
            return x;
        }
        double half = Math.exp(x / 2);
        double e = half * half;
        return x * half * (e + 2) / (e * (e + 2) + 2) * half;
    }

    /** log(1 + exp(beta x)) / beta, x where beta x passes the threshold. */
    public static double softplus(double x, double beta, double threshold) {
        return x * beta > threshold ? x : Math.log1p(Math.exp(x * beta)) / beta;
    }

    /** log(1 / (1 + exp(-x))). */
    public static double logsigmoid(double x) {
        return Math.min(x, 0) - Math.log1p(Math.exp(-Math.abs(x)));
    }

    /** scale x, and scale alpha (exp(inputScale x) - 1) below zero. */
    public static double elu(double x, double alpha, double scale, double inputScale) {
        return x < 0 ? Math.expm1(x * inputScale) * (alpha * scale) : x * scale;
    }
}
