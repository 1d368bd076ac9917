package io.github.broadloom.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.random.Distribution.Bernoulli;
import io.github.broadloom.random.Distribution.Integers;
import io.github.broadloom.random.Distribution.Normal;
import io.github.broadloom.random.Distribution.Uniform;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RandomArrayTest {
    private static final int MANY = 100_000;

    private static Tensor drawn(Distribution distribution, DType dtype, long... sizes) {
        return new RandomArray(7, 3, distribution, dtype, Shape.of(sizes)).read();
    }

    /** The lines {@code philox4x32 10} of Random123's {@code tests/kat_vectors}. */
    @Test
    void philoxGivesThePublishedVectors() {
        long[] block = new long[2];
        Philox.block(0, 0, 0, block);
        assertThat(block).containsExactly(0xe169c58d_6627e8d5L, 0x9b00dbd8_bc57ac4cL);
        Philox.block(-1, -1, -1, block);
        assertThat(block).containsExactly(0x41c83b0e_408f276dL, 0x6d5451fd_a20bc7c6L);
        Philox.block(0x299f31d0_a4093822L, 0x85a308d3_243f6a88L, 0x03707344_13198a2eL, block);
        assertThat(block).containsExactly(0x94fdcceb_d16cfe09L, 0x24126ea1_5001e420L);
    }

    /** The first two elements of seed 0, by hand from the first published vector; the normal ones by Python's {@code statistics.NormalDist}. */
    @Test
    void elementsAreMadeOfThePublishedBits() {
        assertThat(first(new Uniform(), DType.FLOAT64)).containsExactly(0.8805201978886142, 0.6054818538799213);
        assertThat(first(new Uniform(), DType.FLOAT32)).containsExactly(0.8805201649665833, 0.6054818034172058);
        assertThat(first(new Uniform(), DType.FLOAT16)).containsExactly(0.88037109375, 0.60546875);
        assertThat(first(new Uniform(), DType.BFLOAT16)).containsExactly(0.87890625, 0.60546875);
        assertThat(first(new Integers(0, 10), DType.INT8)).containsExactly(8, 6);
        assertThat(first(new Integers(-5, 6), DType.INT64)).containsExactly(4, 1);
        assertThat(first(new Bernoulli(0.7), DType.BOOL)).containsExactly(0, 1);
        double[] normal = first(new Normal(0, 1), DType.FLOAT64);
        assertThat(normal[0]).isCloseTo(1.1775912390542727, within(1e-15));
        assertThat(normal[1]).isCloseTo(0.26756224953309987, within(1e-15));
    }

    private static double[] first(Distribution distribution, DType dtype) {
        return new RandomArray(0, 0, distribution, dtype, Shape.of(2))
                .read()
                .to(DType.FLOAT64)
                .toDoubleArray();
    }

    /** Values of {@code statistics.NormalDist().inv_cdf}, in each of the three ranges. */
    @Test
    void theInverseNormalIsRightToTheLastDigits() {
        double[][] known = {
            {0x1p-53, -8.209536151601386},
            {1e-10, -6.361340902404056},
            {0.001, -3.090232306167813},
            {0.02425, -1.9729610513118845},
            {0.075, -1.4395314709384557},
            {0.3, -0.5244005127080407},
            {0.5, 0},
            {0.9, 1.2815515655446008},
            {0.999999, 4.753424308817089}
        };
        for (double[] pair : known) {
            assertThat(InverseNormal.of(pair[0])).isCloseTo(pair[1], within(4 * Math.ulp(pair[1])));
        }
    }

    @Test
    void anyBoxHasTheNumbersOfTheWhole() {
        SplittableRandom random = new SplittableRandom(1);
        for (long[] sizes : new long[][] {{}, {1}, {4001}, {3, 0, 2}, {3, 4, 5}, {2, 3, 1, 700}}) {
            for (Distribution distribution : new Distribution[] {new Uniform(), new Integers(-9, 99)}) {
                DType dtype = distribution instanceof Uniform ? DType.FLOAT32 : DType.INT32;
                RandomArray array = new RandomArray(5, 1, distribution, dtype, Shape.of(sizes));
                Tensor whole = array.read();
                for (int round = 0; round < 20; round++) {
                    long[] ends = Arrays.stream(sizes)
                            .map(size -> random.nextLong(size + 1))
                            .toArray();
                    long[] starts = Arrays.stream(ends)
                            .map(end -> random.nextLong(end + 1))
                            .toArray();
                    Box box = Box.of(starts, ends);
                    assertThat(array.read(box).values()).isEqualTo(box.of(whole).values());
                }
            }
        }
    }

    /** Mean and variance within five standard errors. */
    @Test
    void momentsAreThoseOfTheDistribution() {
        assertMoments(drawn(new Uniform(), DType.FLOAT64, MANY), 0.5, 1 / 12.0, 1 / 80.0);
        assertMoments(drawn(new Uniform(), DType.FLOAT32, MANY), 0.5, 1 / 12.0, 1 / 80.0);
        assertMoments(drawn(new Normal(0, 1), DType.FLOAT32, MANY), 0, 1, 3);
        assertMoments(drawn(new Normal(-3, 0.5), DType.FLOAT64, MANY), -3, 0.25, 3 / 16.0);
        assertMoments(drawn(new Bernoulli(0.2), DType.INT8, MANY), 0.2, 0.16, 0.2 * 0.8 * (1 - 3 * 0.16));
        assertMoments(drawn(new Integers(0, 11), DType.UINT8, MANY), 5, 10, 178);
    }

    /** @param fourth central moment */
    private static void assertMoments(Tensor tensor, double mean, double variance, double fourth) {
        double[] values = tensor.to(DType.FLOAT64).toDoubleArray();
        double first = Arrays.stream(values).sum() / values.length;
        double second = Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum() / values.length;
        assertThat(first).isCloseTo(mean, within(5 * Math.sqrt(variance / values.length)));
        assertThat(second).isCloseTo(variance, within(5 * Math.sqrt((fourth - variance * variance) / values.length)));
    }

    /** Four words for every three integers: one of the three would have two of them. */
    @Test
    void noIntegerOfAWideRangeComesMoreOftenThanItsNeighbours() {
        long low = -(1L << 63);
        int[] counts = new int[3];
        for (long value : drawn(new Integers(low, 1L << 62), DType.INT64, MANY).toLongArray()) {
            counts[(int) Long.remainderUnsigned(value - low, 3)]++;
        }
        for (int count : counts) {
            assertThat(count).isCloseTo(MANY / 3, within((int) (5 * Math.sqrt(MANY * 2 / 9.0))));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"UINT8", "INT8", "INT16", "INT32", "INT64"})
    void integersFillTheirDtype(DType dtype) {
        long low = dtype.isSigned() ? -1L << dtype.significantBits() : 0;
        long high = dtype == DType.INT64 ? Long.MAX_VALUE : 1L << dtype.significantBits();
        long[] values = drawn(new Integers(low, high), dtype, 5000).toLongArray();
        double range = (double) high - low;
        assertThat(Arrays.stream(values).min().getAsLong()).isLessThan((long) (low + range / 100));
        assertThat(Arrays.stream(values).max().getAsLong()).isGreaterThanOrEqualTo((long) (high - range / 100));
        assertThatThrownBy(() -> drawn(new Integers(3, 3), dtype, 1))
                .hasMessage("random_ expects 'from' to be less than 'to', but got from=3 >= to=3");
    }

    @Test
    void seedsAndStreamsDiffer() {
        Tensor own = drawn(new Uniform(), DType.FLOAT32, 100);
        assertThat(new RandomArray(7, 4, new Uniform(), DType.FLOAT32, Shape.of(100))
                        .read()
                        .values())
                .doesNotContainAnyElementsOf(own.values());
        assertThat(new RandomArray(8, 3, new Uniform(), DType.FLOAT32, Shape.of(100))
                        .read()
                        .values())
                .doesNotContainAnyElementsOf(own.values());
    }

    /** As PyTorch 2.13 says it. */
    @Test
    void whatCannotBeDrawnIsRefused() {
        assertThatThrownBy(() -> drawn(new Uniform(), DType.INT32, 2))
                .hasMessage("\"check_uniform_bounds\" not implemented for 'Int'");
        assertThatThrownBy(() -> drawn(new Normal(0, 1), DType.BOOL, 2))
                .hasMessage("\"normal_kernel_cpu\" not implemented for 'Bool'");
        assertThatThrownBy(() -> new Normal(0, -1)).hasMessage("normal expects std >= 0.0, but found std -1");
        assertThatThrownBy(() -> new Bernoulli(1.5)).hasMessage("bernoulli_ expects p to be in [0, 1], but got p=1.5");
        assertThatThrownBy(() -> new Bernoulli(Double.NaN)).hasMessageEndingWith("got p=nan");
        assertThatThrownBy(() -> drawn(new Integers(0, 257), DType.UINT8, 2))
                .hasMessage("to - 1 is out of bounds for unsigned char");
        assertThatThrownBy(() -> drawn(new Integers(-1, 3), DType.UINT8, 2))
                .hasMessage("from is out of bounds for unsigned char");
        assertThatThrownBy(() -> drawn(new Integers(0, 70000), DType.INT16, 2))
                .hasMessage("to - 1 is out of bounds for short int");
        assertThatThrownBy(() -> drawn(new Integers(0, 3), DType.FLOAT32, 2))
                .hasMessageStartingWith("Cannot draw integers as float32");
    }
}
