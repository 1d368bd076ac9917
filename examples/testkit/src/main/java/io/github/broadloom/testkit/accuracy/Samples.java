package io.github.broadloom.testkit.accuracy;

import io.github.broadloom.dtype.ReducedFloat;
import java.util.Map;
import java.util.SplittableRandom;

/** Arguments to measure at: every stratum of a dtype's values gives one, chosen with a fixed seed. */
final class Samples {
    /** How many values float32 has. */
    static final long ALL_FLOATS = 1L << 32;

    private static final long SEED = 20240229;

    /** Exponents of two between which a function of doubles has something to show, and its reference an end. */
    private static final Map<String, int[]> EXPONENTS = Map.ofEntries(
            Map.entry("sin", new int[] {-60, 40}),
            Map.entry("cos", new int[] {-60, 40}),
            Map.entry("tan", new int[] {-60, 40}),
            Map.entry("sinc", new int[] {-60, 40}),
            Map.entry("log", new int[] {-1020, 1020}),
            Map.entry("log2", new int[] {-1020, 1020}),
            Map.entry("log10", new int[] {-1020, 1020}),
            Map.entry("sqrt", new int[] {-1020, 1020}),
            Map.entry("rsqrt", new int[] {-1020, 1020}),
            Map.entry("reciprocal", new int[] {-1020, 1020}),
            Map.entry("square", new int[] {-500, 500}),
            Map.entry("asin", new int[] {-60, -1}),
            Map.entry("acos", new int[] {-60, -1}),
            Map.entry("atanh", new int[] {-60, -1}),
            Map.entry("logit", new int[] {-60, -1}),
            Map.entry("asinh", new int[] {-60, 100}),
            Map.entry("acosh", new int[] {0, 100}),
            Map.entry("lgamma", new int[] {-60, 8}),
            Map.entry("erf", new int[] {-60, 4}),
            Map.entry("erfc", new int[] {-60, 4}),
            Map.entry("gelu", new int[] {-60, 5}),
            Map.entry("gelu_tanh", new int[] {-60, 4}));

    private static final int[] USUAL_EXPONENTS = {-60, 9};

    private Samples() {}

    /** One float of each of {@code count} strata of equally many bit patterns; NaN and infinities are among them. */
    static float[] floats(int count, long stream) {
        SplittableRandom random = new SplittableRandom(SEED + stream);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            long from = ALL_FLOATS * i / count;
            long to = ALL_FLOATS * (i + 1) / count;
            values[i] = Float.intBitsToFloat((int) random.nextLong(from, to));
        }
        return values;
    }

    /** In another order, always the same: so that pairs do not march together. */
    static float[] shuffled(float[] values) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = values.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            float kept = values[i];
            values[i] = values[j];
            values[j] = kept;
        }
        return values;
    }

    /** As {@link #shuffled(float[])}. */
    static double[] shuffled(double[] values) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = values.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            double kept = values[i];
            values[i] = values[j];
            values[j] = kept;
        }
        return values;
    }

    /** As many values of a reduced floating dtype, in a fixed order. */
    static float[] reduced(ReducedFloat format, float[] values) {
        float[] halves = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            halves[i] = format.toFloat((short) Float.floatToRawIntBits(values[i]));
        }
        return halves;
    }

    /** The floats of consecutive bit patterns. */
    static float[] floatsFrom(long firstBits, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = Float.intBitsToFloat((int) (firstBits + i));
        }
        return values;
    }

    /** Every value of a reduced floating dtype. */
    static float[] all(ReducedFloat format) {
        float[] values = new float[1 << 16];
        for (int i = 0; i < values.length; i++) {
            values[i] = format.toFloat((short) i);
        }
        return values;
    }

    /** Doubles of both signs, spread evenly over the exponents that suit the operation. */
    static double[] doubles(String op, int count, long stream) {
        int[] exponents = EXPONENTS.getOrDefault(op, USUAL_EXPONENTS);
        SplittableRandom random = new SplittableRandom(SEED + stream);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            int exponent = exponents[0] + (int) ((long) (exponents[1] - exponents[0] + 1) * i / count);
            double mantissa = random.nextDouble(1, 2);
            values[i] = Math.scalb(random.nextBoolean() ? mantissa : -mantissa, exponent);
        }
        return values;
    }
}
