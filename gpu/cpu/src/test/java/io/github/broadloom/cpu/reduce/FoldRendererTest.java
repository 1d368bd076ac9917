package io.github.broadloom.cpu.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.expr.ops.Reduction;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rendered folds, on integers, of which any order of joining gives the same. */
class FoldRendererTest {

    static Stream<Reduction> ofOneComponent() {
        return Arrays.stream(Reduction.values())
                .filter(reduction -> reduction.join().components() == 1);
    }

    static Stream<Reduction> positions() {
        return Stream.of(Reduction.ARGMIN, Reduction.ARGMAX);
    }

    private static FoldLoops loops(Reduction reduction, String type) {
        return FoldRenderer.loops(reduction.join(), type);
    }

    private static long expected(Reduction reduction, LongStream values) {
        return switch (reduction.join()) {
            case SUM -> values.sum();
            case PRODUCT -> values.reduce(1, (a, b) -> a * b);
            case MIN -> values.min().getAsLong();
            case MAX -> values.max().getAsLong();
            case AND -> values.reduce(-1, (a, b) -> a & b);
            case OR -> values.reduce(0, (a, b) -> a | b);
            default -> throw new IllegalArgumentException(reduction + " has two components");
        };
    }

    @ParameterizedTest
    @MethodSource("ofOneComponent")
    void eightsArePairsThreeTimes(Reduction reduction) {
        long[] values = LongStream.range(0, 48).map(i -> i * 7919 % 101 - 50).toArray();
        long[] eights = new long[6];
        long[] pairs = new long[24];
        FoldLoops loops = loops(reduction, "long");
        loops.foldEights(values, 0, 2, 3, eights, 0, 1);
        loops.foldPairs(values, 0, 8, 3, pairs, 0, 1);
        loops.foldPairs(pairs, 0, 4, 3, pairs, 0, 2);
        loops.foldPairs(pairs, 0, 2, 3, pairs, 0, 4);
        for (int i = 0; i < 6; i++) {
            int column = i % 3;
            int group = i / 3;
            LongStream folded = LongStream.range(0, 8).map(row -> values[(group * 8 + (int) row) * 3 + column]);
            assertThat(eights[i]).isEqualTo(pairs[i]).isEqualTo(expected(reduction, folded));
        }
    }

    /** Sums of doubles tell one order of joining from another: that of a vector of two, which is folded value by value, is that of numbers, folded level by level. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 16, 24, 64, 96, 100, 128, 200, 512})
    void segmentsAreFoldedInOneOrderWhateverTheirWidth(int count) {
        FoldLoops loops = loops(Reduction.SUM, "double");
        double[] numbers = new double[5 * count + 3];
        double[] vectors = new double[2 * numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Math.sin(i) * Math.pow(10, i % 17);
            vectors[2 * i] = numbers[i];
        }
        double[] given = numbers.clone();
        double[] ofNumbers = new double[6];
        double[] ofVectors = new double[10];
        loops.foldSegments(numbers, 3, 5, count, 1, ofNumbers, 1, 1);
        loops.foldSegments(vectors, 6, 5, count, 2, ofVectors, 0, 1);
        for (int segment = 0; segment < 5; segment++) {
            assertThat(ofNumbers[segment + 1]).isEqualTo(ofVectors[2 * segment]);
        }
        assertThat(numbers).isEqualTo(given);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 13, 31, 64, 100})
    void segmentsOfAnyLengthBecomeOneEach(int count) {
        long[] values =
                LongStream.range(0, 3L * count * 2).map(i -> i * 104729 % 997).toArray();
        ofOneComponent().forEach(reduction -> {
            long[] folded = new long[6];
            loops(reduction, "long").foldSegments(values, 0, 3, count, 2, folded, 0, 1);
            for (int i = 0; i < 6; i++) {
                int column = i % 2;
                int segment = i / 2;
                LongStream run =
                        LongStream.range(0, count).map(row -> values[(segment * count + (int) row) * 2 + column]);
                assertThat(folded[i]).isEqualTo(expected(reduction, run));
            }
        });
    }

    /** Values from 0 to 4, so that there are many equal ones, each beside its place. */
    private static long[] valuesAndPlaces(int count) {
        long[] pairs = new long[2 * count];
        for (int i = 0; i < count; i++) {
            pairs[2 * i] = i * 7919L % 101 % 5;
            pairs[2 * i + 1] = i;
        }
        return pairs;
    }

    private static long firstPlace(Reduction reduction, long[] pairs, LongStream places) {
        Comparator<Long> byValue = Comparator.comparing(place -> pairs[2 * place.intValue()]);
        return places.boxed()
                .min((reduction == Reduction.ARGMIN ? byValue : byValue.reversed()).thenComparing(place -> place))
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("positions")
    void theFirstOfEqualValuesIsTheOneThatStays(Reduction reduction) {
        for (int count : new int[] {1, 2, 3, 8, 13, 100}) {
            long[] pairs = valuesAndPlaces(3 * count * 2);
            long[] folded = new long[12];
            loops(reduction, "long").foldSegments(pairs, 0, 3, count, 4, folded, 0, 1);
            for (int i = 0; i < 6; i++) {
                int column = i % 2;
                int segment = i / 2;
                LongStream places = LongStream.range(0, count).map(row -> ((long) segment * count + row) * 2 + column);
                assertThat(folded[2 * i + 1]).isEqualTo(firstPlace(reduction, pairs, places));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 13, 100})
    void momentsOfSegmentsAreThoseOfTheTwoPassFormula(int count) {
        double[] pairs = new double[2 * 3 * count];
        for (int i = 0; i < 3 * count; i++) {
            pairs[2 * i] = i * 7919 % 101;
        }
        double[] folded = new double[6];
        loops(Reduction.VAR, "double").foldSegments(pairs, 0, 3, count, 2, folded, 0, 1);
        for (int segment = 0; segment < 3; segment++) {
            double mean = 0;
            for (int i = 0; i < count; i++) {
                mean += pairs[2 * (segment * count + i)] / count;
            }
            double deviations = 0;
            for (int i = 0; i < count; i++) {
                deviations += Math.pow(pairs[2 * (segment * count + i)] - mean, 2);
            }
            assertThat(folded[2 * segment]).isCloseTo(mean, within(1e-11));
            assertThat(folded[2 * segment + 1]).isCloseTo(deviations, within(1e-8));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 6})
    void eightsOfTwoComponentsArePairsThreeTimes(int width) {
        double[] values = new double[16 * width];
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 2 == 0 ? Math.sin(i) : 0;
        }
        FoldLoops loops = loops(Reduction.VAR, "double");
        double[] eights = new double[2 * width];
        double[] pairs = new double[8 * width];
        loops.foldEights(values, 0, 2, width, eights, 0, 3);
        loops.foldPairs(values, 0, 8, width, pairs, 0, 3);
        loops.foldPairs(pairs, 0, 4, width, pairs, 0, 6);
        loops.foldPairs(pairs, 0, 2, width, pairs, 0, 12);
        assertThat(eights).isEqualTo(Arrays.copyOf(pairs, 2 * width));
        assertThat(eights[1]).isPositive();
    }
}
