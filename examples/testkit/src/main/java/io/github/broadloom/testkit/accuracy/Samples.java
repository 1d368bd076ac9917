package io.github.broadloom.testkit.accuracy;

import io.github.broadloom.dtype.ReducedFloat;
import java.util.SplittableRandom;

/** Arguments to measure at: every stratum of a dtype's values gives one, chosen with a fixed seed. */
final class Samples {
    static final long ALL_FLOATS = 1L << 32;

    private static final long SEED = 20240229;

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

    static float[] floatsFrom(long firstBits, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = Float.intBitsToFloat((int) (firstBits + i));
        }
        return values;
    }

    static float[] all(ReducedFloat format) {
        float[] values = new float[1 << 16];
        for (int i = 0; i < values.length; i++) {
            values[i] = format.toFloat((short) i);
        }
        return values;
    }

    /** Doubles of both signs, spread evenly over the exponents that suit the operation. */
    static double[] doubles(String op, int count, long stream) {
        int[] exponents = exponents(op);
        SplittableRandom random = new SplittableRandom(SEED + stream);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            int exponent = exponents[0] + (int) ((long) (exponents[1] - exponents[0] + 1) * i / count);
            double mantissa = random.nextDouble(1, 2);
            values[i] = Math.scalb(random.nextBoolean() ? mantissa : -mantissa, exponent);
        }
        return values;
    }

    /** Exponents of two between which a function of doubles has something to show, and its reference an end. */
    private static int[] exponents(String op) {
        return switch (op) {
            case "sin", "cos", "tan", "sinc" -> new int[] {-60, 40};
            case "log", "log2", "log10", "sqrt", "rsqrt", "reciprocal" -> new int[] {-1020, 1020};
            case "square" -> new int[] {-500, 500};
            case "asin", "acos", "atanh", "logit" -> new int[] {-60, -1};
            case "asinh" -> new int[] {-60, 100};
            case "acosh" -> new int[] {0, 100};
            case "lgamma" -> new int[] {-60, 8};
            case "erf", "erfc", "gelu_tanh" -> new int[] {-60, 4};
            case "gelu" -> new int[] {-60, 5};
            default -> new int[] {-60, 9};
        };
    }
}
