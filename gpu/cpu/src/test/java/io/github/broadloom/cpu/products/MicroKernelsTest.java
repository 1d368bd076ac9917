package io.github.broadloom.cpu.products;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tiles against the sum that their documentation says, on both twins. */
class MicroKernelsTest {
    private static final int STEP = MicroKernels.COLUMNS + 3;
    private static final int AT = 5;
    private static final List<Integer> LENGTHS = List.of(0, 1, 2, 7, 256);

    private final Random random = new Random(11);

    /** The products of each type of elements, in plain loops or on the Vector API. */
    enum Twin {
        PLAIN,
        VECTOR;

        MicroKernels of(ValueType element) {
            return MicroKernelSource.compile(element, this == VECTOR);
        }
    }

    private interface Places {
        void check(int row, int column, int place);
    }

    private static void forEach(Places places) {
        for (int row = 0; row < MicroKernels.ROWS; row++) {
            for (int column = 0; column < MicroKernels.COLUMNS; column++) {
                places.check(row, column, AT + row * STEP + column);
            }
        }
    }

    private static int size(int n) {
        return 2 + n * MicroKernels.COLUMNS;
    }

    @ParameterizedTest
    @EnumSource
    void floatsAreFusedOneAfterTheOther(Twin twin) {
        for (int n : LENGTHS) {
            float[] a = new float[size(n)];
            float[] b = new float[size(n)];
            for (int i = 0; i < a.length; i++) {
                a[i] = (float) random.nextGaussian();
                b[i] = (float) random.nextGaussian();
            }
            float[] out = new float[AT + MicroKernels.ROWS * STEP];
            twin.of(ValueType.FLOAT).multiply(a, 1, b, 2, n, out, AT, STEP);
            forEach((row, column, place) -> {
                float sum = 0;
                for (int p = 0; p < n; p++) {
                    sum = Math.fma(a[1 + p * MicroKernels.ROWS + row], b[2 + p * MicroKernels.COLUMNS + column], sum);
                }
                assertThat(out[place]).isEqualTo(sum);
            });
            assertThat(out[AT + MicroKernels.COLUMNS]).as("between two rows").isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void doublesAreFusedOneAfterTheOther(Twin twin) {
        for (int n : LENGTHS) {
            double[] a = random.doubles(size(n)).toArray();
            double[] b = random.doubles(size(n)).toArray();
            double[] out = new double[AT + MicroKernels.ROWS * STEP];
            twin.of(ValueType.DOUBLE).multiply(a, 1, b, 2, n, out, AT, STEP);
            forEach((row, column, place) -> {
                double sum = 0;
                for (int p = 0; p < n; p++) {
                    sum = Math.fma(a[1 + p * MicroKernels.ROWS + row], b[2 + p * MicroKernels.COLUMNS + column], sum);
                }
                assertThat(out[place]).isEqualTo(sum);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void integersWrap(Twin twin) {
        for (int n : LENGTHS) {
            int[] a = random.ints(size(n)).toArray();
            int[] b = random.ints(size(n)).toArray();
            long[] c = random.longs(size(n)).toArray();
            long[] d = random.longs(size(n)).toArray();
            int[] ints = new int[AT + MicroKernels.ROWS * STEP];
            long[] longs = new long[AT + MicroKernels.ROWS * STEP];
            twin.of(ValueType.INT).multiply(a, 1, b, 2, n, ints, AT, STEP);
            twin.of(ValueType.LONG).multiply(c, 1, d, 2, n, longs, AT, STEP);
            forEach((row, column, place) -> {
                int sum = 0;
                long wide = 0;
                for (int p = 0; p < n; p++) {
                    sum += a[1 + p * MicroKernels.ROWS + row] * b[2 + p * MicroKernels.COLUMNS + column];
                    wide += c[1 + p * MicroKernels.ROWS + row] * d[2 + p * MicroKernels.COLUMNS + column];
                }
                assertThat(ints[place]).isEqualTo(sum);
                assertThat(longs[place]).isEqualTo(wide);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void productsAreAddedToWhatIsThere(Twin twin) {
        float[] out = new float[AT + MicroKernels.ROWS * STEP];
        Arrays.fill(out, 0.5f);
        float[] ones = new float[size(3)];
        Arrays.fill(ones, 1);
        twin.of(ValueType.FLOAT).multiply(ones, 1, ones, 2, 3, out, AT, STEP);
        forEach((row, column, place) -> assertThat(out[place]).isEqualTo(3.5f));
        assertThat(out[AT + MicroKernels.COLUMNS]).as("between two rows").isEqualTo(0.5f);
        twin.of(ValueType.FLOAT).clear(out, 7);
        assertThat(out[6]).isZero();
        assertThat(out[7]).isEqualTo(3.5f);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void theFirstUpToALimitIsFound(Twin twin) {
        for (float small : new float[] {2, 1, Float.NaN, Float.NEGATIVE_INFINITY}) {
            for (int at = 3; at < 70; at++) {
                float[] values = new float[80];
                Arrays.fill(values, 2.5f);
                values[at] = small;
                values[2] = 0; // before the first
                assertThat(twin.of(ValueType.FLOAT).firstUpTo(values, 3, 70, 2)).isEqualTo(at);
                assertThat(twin.of(ValueType.FLOAT).firstUpTo(values, at + 1, 70, 2))
                        .isEqualTo(70);
            }
        }
        double between = Math.nextUp(1.0); // no float
        assertThat(twin.of(ValueType.FLOAT).firstUpTo(new float[] {2, 1, 2}, 0, 3, between))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void oneNaNStandsForAll(Twin twin) {
        float[] floats = new float[19];
        double[] doubles = new double[19];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = i % 2 == 0 ? i : Float.intBitsToFloat(0xFFC00000 + i);
            doubles[i] = i % 2 == 0 ? -i : Double.longBitsToDouble(0xFFF8000000000000L + i);
        }
        twin.of(ValueType.FLOAT).keepOneNaN(floats, floats.length);
        twin.of(ValueType.DOUBLE).keepOneNaN(doubles, doubles.length);
        for (int i = 0; i < floats.length; i++) {
            assertThat(Float.floatToRawIntBits(floats[i]))
                    .isEqualTo(Float.floatToRawIntBits(i % 2 == 0 ? i : Float.NaN));
            assertThat(Double.doubleToRawLongBits(doubles[i]))
                    .isEqualTo(Double.doubleToRawLongBits(i % 2 == 0 ? -i : Double.NaN));
        }
    }
}
