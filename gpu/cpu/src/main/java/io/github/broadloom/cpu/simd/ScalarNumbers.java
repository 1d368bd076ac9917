package io.github.broadloom.cpu.simd;

/** Parts of functions of one number, which become those of a vector where the build translates them. */
final class ScalarNumbers {
    /** Added to a number below 2⁵¹ and taken off again, it rounds to an integer, which stands in the low bits meanwhile. */
    static final double ROUNDER = 0x1.8p52;

    /** The same of a float, below 2²². */
    static final float FLOAT_ROUNDER = 0x1.8p23f;

    private ScalarNumbers() {}

    /** The sum of the coefficients, each times the power of z that its place says, from the highest on. */
    static double polynomial(double z, double[] coefficients) {
        double sum = coefficients[coefficients.length - 1];
        for (int i = coefficients.length - 2; i >= 0; i--) {
            sum = Math.fma(sum, z, coefficients[i]);
        }
        return sum;
    }

    static float polynomial(float z, float[] coefficients) {
        float sum = coefficients[coefficients.length - 1];
        for (int i = coefficients.length - 2; i >= 0; i--) {
            sum = Math.fma(sum, z, coefficients[i]);
        }
        return sum;
    }

    /** The number held between bounds; NaN stays. */
    static float held(float x, float lowest, float highest) {
        float above = x < lowest ? lowest : x;
        return above > highest ? highest : above;
    }

    /** The magnitude, at most a bound; NaN stays. */
    static float size(float x, float highest) {
        float size = magnitude(x);
        return size > highest ? highest : size;
    }

    /** The number without its sign bit; {@link Math#abs} may leave that of a NaN. */
    static float magnitude(float x) {
        return Float.intBitsToFloat(Float.floatToRawIntBits(x) & Integer.MAX_VALUE);
    }

    /** The number with the sign bit of another, where it has none itself. */
    static float signed(float number, float sign) {
        return Float.intBitsToFloat(
                Float.floatToRawIntBits(number) | Float.floatToRawIntBits(sign) & Integer.MIN_VALUE);
    }

    /** The number, and one NaN for all. */
    static float canonical(float x) {
        return x >= Float.NEGATIVE_INFINITY ? x : Float.NaN;
    }
}
