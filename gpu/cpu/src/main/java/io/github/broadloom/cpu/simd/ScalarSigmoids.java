package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarExponentials.HIGHEST;
import static io.github.broadloom.cpu.simd.ScalarExponentials.LOWEST;
import static io.github.broadloom.cpu.simd.ScalarExponentials.floatPowerOfE;
import static io.github.broadloom.cpu.simd.ScalarExponentials.powerOfE;
import static io.github.broadloom.cpu.simd.ScalarNumbers.canonical;
import static io.github.broadloom.cpu.simd.ScalarNumbers.held;
import static io.github.broadloom.cpu.simd.ScalarNumbers.size;

/**
 * Activation functions, from the power of e. But for the logistic function a float is computed as a double and rounded once. They have no value at -inf where they are x times
 * something that is 0 there.
 */
final class ScalarSigmoids implements Sigmoids {
    /** Beyond it on either side exp(x) is nothing beside 1, or 1 beside it, and x exp(x) rounds to 0. */
    static final float FAR = 120;

    /** √(8 / π), and 0.044715 times that. */
    static final double SLOPE = 1.5957691216057308;

    static final double CUBIC = 0.07135481627260025;

    /** 1 / (1 + exp(-x)), and 0 where exp(-x) passes the greatest float. */
    @OfArrays
    static float sigmoid(float x) {
        return 1 / (floatPowerOfE(0 - held(x, -HIGHEST, -LOWEST)) + 1);
    }

    /** x / (1 + exp(-x)). */
    @OfArrays
    static float silu(float x) {
        double power = powerOfE(0 - (double) held(x, -FAR, FAR));
        return quotient(x, -FAR, power);
    }

    /** gelu's approximation by tanh. */
    @OfArrays
    static float geluTanh(float x) {
        double held = held(x, -12, 12);
        double exponent = 0 - held * Math.fma(held * held, CUBIC, SLOPE);
        double power = powerOfE(exponent);
        return quotient(x, -12, power);
    }

    /** x tanh(log(1 + exp(x))). */
    @OfArrays
    static float mish(float x) {
        double power = powerOfE(held(x, -FAR, FAR));
        return share(x, Math.fma(power, power, power + power));
    }

    /** log(1 + exp(beta x)) / beta, and x where beta x passes the threshold. */
    @OfArrays(numbers = 2)
    static float softplus(float x, float beta, float threshold) {
        double exponent = Math.max(0 - Math.abs((double) x * beta), -200);
        double power = powerOfE(exponent);
        double f = ScalarLogarithms.rest(power);
        double log = ScalarLogarithms.logarithm(power, f);
        return curved(x, beta, threshold, log);
    }

    /** log(1 / (1 + exp(-x))). */
    @OfArrays
    static float logsigmoid(float x) {
        double exponent = 0 - (double) size(x, FAR);
        double power = powerOfE(exponent);
        double f = ScalarLogarithms.rest(power);
        double log = ScalarLogarithms.logarithm(power, f);
        return difference(x, log);
    }

    /** x, held above a bound, divided by one and a power; NaN where x is -inf or NaN. */
    private static float quotient(float x, float lowest, double power) {
        float result = (float) ((x < lowest ? lowest : x) / (power + 1));
        return x > Float.NEGATIVE_INFINITY ? result : Float.NaN;
    }

    /** x times above / (above + 2), for exp(2x) + 2 exp(x); NaN where x is -inf or NaN. */
    private static float share(float x, double above) {
        float result = (float) ((x < -FAR ? -FAR : x) * (above / (above + 2)));
        return x > Float.NEGATIVE_INFINITY ? result : Float.NaN;
    }

    private static float curved(double x, double beta, double threshold, double log) {
        double y = x * beta;
        double curved = (log + Math.max(y, 0)) / beta;
        return canonical((float) (y > threshold ? x : curved));
    }

    private static float difference(float x, double log) {
        float below = x < 0 ? x : 0f;
        float result = (float) (below - log) + 0f; // not -0
        return x >= Float.NEGATIVE_INFINITY ? result : Float.NaN;
    }
}
