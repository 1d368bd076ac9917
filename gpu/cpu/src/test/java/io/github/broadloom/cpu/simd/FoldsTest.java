package io.github.broadloom.cpu.simd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.kernels.reduce.PairwiseTree;
import java.util.Arrays;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What reductions do to arrays, in plain loops and on the Vector API. */
class FoldsTest {
    private final Random random = new Random(7);

    static Stream<FoldPrimitives> twins() {
        return Stream.of(new FoldPrimitives(), Twins.vector(FoldPrimitives.class));
    }

    private double[] values(int count) {
        return random.doubles(count, -1e3, 1e3).toArray();
    }

    @Test
    void momentsAreMeansAndSquaredDistances() {
        double[] x = values(5 + 3 * PairwiseTree.BLOCK);
        double[] scalar = new double[6];
        new FoldPrimitives().moments(x, 5, 3, scalar);
        for (int block = 0; block < 3; block++) {
            double[] part = Arrays.copyOfRange(x, 5 + 64 * block, 5 + 64 * (block + 1));
            double mean = Arrays.stream(part).sum() / 64;
            double squares =
                    Arrays.stream(part).map(v -> (v - mean) * (v - mean)).sum();
            assertThat(scalar[2 * block]).isCloseTo(mean, within(1e-10));
            assertThat(scalar[2 * block + 1]).isCloseTo(squares, within(1e-6));
        }
        double[] vector = new double[6];
        Twins.vector(FoldPrimitives.class).moments(x, 5, 3, vector);
        assertThat(vector).isEqualTo(scalar);
    }

    @ParameterizedTest
    @MethodSource("twins")
    void eightsAreSumsOfPairsOfPairsOfNeighbours(FoldPrimitives twin) {
        float[] x = new float[3 + 8 * 45];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(24)));
        }
        Arrays.fill(x, 40, 80, -0f);
        x[120] = Float.NaN;
        x[140] = Float.NEGATIVE_INFINITY;
        for (int eights = 0; eights <= 45; eights++) {
            double[] out = new double[46];
            twin.addEights(x, 3, eights, out);
            for (int i = 0; i < eights; i++) {
                Double sum = halves(x, 3 + 8 * i, 8); // boxed: equal are NaNs, and not zeros of two signs
                assertThat(out[i]).as("%d of %d", i, eights).isEqualTo(sum);
            }
            assertThat(Arrays.copyOfRange(out, eights, 46)).containsOnly(0.0);
        }
    }

    @ParameterizedTest
    @MethodSource("twins")
    void eightRowsAreAddedAndComparedColumnByColumn(FoldPrimitives twin) {
        for (int width = 1; width <= 41; width++) {
            float[] x = withSpecials(8 * width);
            double[] sums = new double[width + 1];
            float[] greatest = new float[width + 1];
            float[] least = new float[width + 1];
            twin.addRows(x, width, sums);
            double[] wide = new double[x.length];
            Arrays.setAll(wide, i -> x[i]);
            double[] wideSums = new double[width];
            twin.addRows(wide, width, wideSums);
            twin.extremesOfRows(x, width, 1, greatest);
            twin.extremesOfRows(x, width, -1, least);
            for (int c = 0; c < width; c++) {
                float[] column = new float[8];
                for (int row = 0; row < 8; row++) {
                    column[row] = x[row * width + c];
                }
                assertThat(sums[c]).as("%d of %d", c, width).isEqualTo((Double) halves(column, 0, 8));
                assertThat(wideSums[c]).isEqualTo((Double) halves(column, 0, 8));
                assertThat(greatest[c]).isEqualTo((Float) extreme(column, Math::max));
                assertThat(least[c]).isEqualTo((Float) extreme(column, Math::min));
                float[] best = new float[width];
                float[] rows = new float[width];
                twin.firstExtremesOfRows(x, width, 1, best, rows);
                assertThat(rows[c]).as("of %s", Arrays.toString(column)).isEqualTo(first(column, (a, b) -> a > b));
                assertThat(best[c]).isEqualTo((Float) column[(int) rows[c]]);
                twin.firstExtremesOfRows(x, width, -1, best, rows);
                assertThat(rows[c]).as("of %s", Arrays.toString(column)).isEqualTo(first(column, (a, b) -> a < b));
                assertThat(best[c]).isEqualTo((Float) column[(int) rows[c]]);
            }
            assertThat(sums[width] + greatest[width] + least[width])
                    .as("behind the last")
                    .isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("twins")
    void theGreatestAndTheLeastAreThoseOfJava(FoldPrimitives twin) {
        for (int n = 1; n <= 150; n++) {
            float[] x = withSpecials(n + 2);
            float[] own = Arrays.copyOfRange(x, 2, n + 2);
            assertThat(twin.extreme(x, 2, n, 1)).as("of %d", n).isEqualTo((Float) extreme(own, Math::max));
            assertThat(twin.extreme(x, 2, n, -1)).as("of %d", n).isEqualTo((Float) extreme(own, Math::min));
        }
    }

    /** Zeros of both signs, infinities, and now and then NaN. */
    private float[] withSpecials(int count) {
        float[] specials = {0f, -0f, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, -Float.MIN_VALUE};
        float[] x = new float[count];
        boolean zeros = random.nextInt(3) == 0;
        for (int i = 0; i < count; i++) {
            x[i] = zeros ? specials[random.nextInt(2)] : (float) random.nextGaussian();
            if (!zeros && random.nextInt(9) == 0) {
                x[i] = specials[random.nextInt(specials.length)];
            }
        }
        if (random.nextInt(4) == 0) {
            x[random.nextInt(count)] = Float.intBitsToFloat(0xffc0_1234); // a processor's NaN has a sign
        }
        return x;
    }

    /** Where the first NaN is; where there is none, the first value before which none comes. */
    private static int first(float[] values, BiPredicate<Float, Float> isBefore) {
        int first = 0;
        for (int i = 1; i < values.length && !Float.isNaN(values[first]); i++) {
            first = Float.isNaN(values[i]) || isBefore.test(values[i], values[first]) ? i : first;
        }
        return first;
    }

    private static float extreme(float[] values, BinaryOperator<Float> of) {
        float best = values[0];
        for (float value : values) {
            best = of.apply(best, value);
        }
        return best;
    }

    @ParameterizedTest
    @MethodSource("twins")
    void floatsAreAddedAsDoublesToWhatStandsAtTheirPlaces(FoldPrimitives twin) {
        float[] x = new float[30];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(24)));
        }
        x[2] = -0f;
        x[9] = Float.NaN;
        x[17] = Float.POSITIVE_INFINITY;
        for (int n = 0; n <= 30; n++) {
            double[] before = values(30);
            before[2] = -0.0;
            double[] into = before.clone();
            twin.addFloats(x, into, n);
            for (int i = 0; i < 30; i++) {
                Double sum = i < n
                        ? before[i] + (double) x[i]
                        : before[i]; // boxed: equal are NaNs, and not zeros of two signs
                assertThat(into[i]).as("%d of %d", i, n).isEqualTo(sum);
            }
        }
    }

    private static double halves(float[] x, int from, int count) {
        return count == 1 ? x[from] : halves(x, from, count / 2) + halves(x, from + count / 2, count / 2);
    }

    @ParameterizedTest
    @MethodSource("twins")
    void momentsOfOneValueAreTheValueAndNoDistance(FoldPrimitives twin) {
        for (int n = 0; n <= 21; n++) {
            double[] values = values(n);
            double[] x = Arrays.copyOf(values, 2 * n);
            twin.liftMoments(x, n);
            for (int i = 0; i < n; i++) {
                assertThat(x[2 * i]).isEqualTo(values[i]);
                assertThat(x[2 * i + 1]).isEqualTo(0.0);
            }
        }
        double[] special = {1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 2, 3, 4, 5};
        double[] x = Arrays.copyOf(special, 18);
        twin.liftMoments(x, 9);
        for (int i = 0; i < 9; i++) {
            Double value = special[i]; // boxed: NaN is NaN, and -0.0 not 0.0
            assertThat(x[2 * i]).isEqualTo(value);
            assertThat(Double.isNaN(x[2 * i + 1])).isEqualTo(!Double.isFinite(special[i]));
        }
    }

    /** Of 3 and 5 values each: Chan, Golub and LeVeque's formula, operation by operation. */
    @ParameterizedTest
    @MethodSource("twins")
    void joinedMomentsAreThoseOfAllValues(FoldPrimitives twin) {
        for (int means = 0; means <= 21; means++) {
            double[] first = values(3 + 2 * means);
            double[] other = values(1 + 2 * means);
            double[] into = first.clone();
            twin.joinMoments(into, 3, other, 1, 2 * means, 5.0 / 8, 15.0 / 8);
            assertThat(Arrays.copyOf(into, 3)).isEqualTo(Arrays.copyOf(first, 3));
            for (int i = 0; i < means; i++) {
                double distance = other[1 + 2 * i] - first[3 + 2 * i];
                double squares = first[4 + 2 * i] + other[2 + 2 * i];
                assertThat(into[3 + 2 * i]).isEqualTo(first[3 + 2 * i] + distance * (5.0 / 8));
                assertThat(into[4 + 2 * i]).isEqualTo(squares + distance * distance * (15.0 / 8));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("twins")
    void quotientsAreRoundedOnceAndOneNanStandsForAll(FoldPrimitives twin) {
        double[] x = values(40);
        x[3] = Double.longBitsToDouble(0xfff8_0000_dead_beefL);
        x[22] = -0.0;
        float[] out = new float[37];
        twin.divide(x, 3, 0.0, 3.0, out, 37);
        assertThat(Float.floatToRawIntBits(out[0])).isEqualTo(Float.floatToRawIntBits(Float.NaN));
        for (int i = 1; i < 37; i++) {
            assertThat(out[i]).isEqualTo((float) ((x[3 + i] + 0.0) / 3.0));
        }
        assertThat(Float.floatToRawIntBits(out[19])).as("-0.0 + 0.0").isZero();
        twin.divide(x, 22, -0.0, 1.0, out, 1);
        assertThat(Float.floatToRawIntBits(out[0])).as("-0.0 + -0.0").isEqualTo(Integer.MIN_VALUE);
    }
}
