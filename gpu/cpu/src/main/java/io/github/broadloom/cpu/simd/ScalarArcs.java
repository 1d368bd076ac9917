package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarNumbers.magnitude;
import static io.github.broadloom.cpu.simd.ScalarNumbers.polynomial;
import static io.github.broadloom.cpu.simd.ScalarNumbers.signed;

/**
 * Functions that give angles. A float is computed as a double and rounded once. The arc tangent is q a(q²) up to 1, a polynomial within 2⁻⁴⁴,
 * and beyond it π / 2 less that of the inverse; the arc sine is y b(y²) up to a half, within 2⁻⁴⁸, and beyond it π / 2 less twice that of
 * √((1 - x) / 2).
 */
final class ScalarArcs implements Arcs {
    static final double HALF_PI = 1.5707963267948966;

    /** atan(q) / q of q². */
    static final double[] TANGENT = {
        0.9999999999999613,
        -0.3333333333128784,
        0.19999999820089012,
        -0.14285708004251368,
        0.11110995297250768,
        -0.09089608201112609,
        0.07682618374332703,
        -0.06616099721723986,
        0.05690220437056468,
        -0.04716335099672143,
        0.035685745194837616,
        -0.023047826427946973,
        0.01178629383106613,
        -0.004364452022496558,
        0.0010241220921163316,
        -0.00011321497692996932
    };

    /** asin(y) / y of y². */
    static final double[] SINE = {
        1.0000000000000036,
        0.16666666666331506,
        0.07500000052618416,
        0.0446428249904614,
        0.03038294876602288,
        0.022353947959756298,
        0.017557071907382024,
        0.012510729722263754,
        0.018059526414342875,
        -0.007564346395738099,
        0.0317055963431075
    };

    /** The arc tangent in radians. */
    @OfArrays
    static float atan(float x) {
        double part = tangentPart(magnitude(x));
        return turned(part, magnitude(x) > 1 ? -1f : 1f, 0.5 * HALF_PI, x);
    }

    /** The arc sine in radians. */
    @OfArrays
    static float asin(float x) {
        double part = sinePart(magnitude(x));
        return arcSine(part, magnitude(x), x);
    }

    /** The arc cosine in radians. */
    @OfArrays
    static float acos(float x) {
        double part = sinePart(magnitude(x));
        return arcCosine(part, magnitude(x), x);
    }

    /** The arc tangent of the least of a size and one, divided by the greatest. */
    private static double tangentPart(float size) {
        int bits = Float.floatToRawIntBits(size);
        double above = Float.intBitsToFloat(Math.min(bits, Float.floatToRawIntBits(1)));
        double q = above / Float.intBitsToFloat(Math.max(bits, Float.floatToRawIntBits(1)));
        return polynomial(q * q, TANGENT) * q;
    }

    /** The arc sine of the size up to a half, of the root that stands for it beyond; NaN above 1. */
    private static double sinePart(double size) {
        double z = Math.min(size * size, (1 - size) * 0.5);
        return polynomial(z, SINE) * Math.sqrt(z);
    }

    /** The part times a factor, and a turn for each that the factor is less than 1. */
    private static float turned(double part, double factor, double turn, float sign) {
        return signed((float) Math.fma(part, factor, Math.fma(factor, -turn, turn)), sign);
    }

    private static float arcSine(double part, float size, float x) {
        float result = turned(part, size > 0.5f ? -2f : 1f, HALF_PI / 3, x);
        return size <= 1 ? result : Float.NaN;
    }

    private static float arcCosine(double part, float size, float x) {
        boolean large = size > 0.5f;
        float factor = large ? 2f : -1f;
        float quarters = large ? x < 0 ? 2f : 0f : 1f;
        float sense =
                Float.intBitsToFloat(Float.floatToRawIntBits(factor) ^ Float.floatToRawIntBits(x) & Integer.MIN_VALUE);
        float result = (float) Math.fma(part, sense, quarters * HALF_PI);
        return size <= 1 ? result : Float.NaN;
    }
}
