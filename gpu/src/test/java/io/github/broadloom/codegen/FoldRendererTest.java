package io.github.broadloom.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.expr.Reduction;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rendered folds, on integers, of which any order of joining gives the same. */
class FoldRendererTest {

    private static FoldLoops loops(Reduction reduction) {
        return KernelCompiler.compile(FoldRenderer.CLASS_NAME, FoldRenderer.render(reduction, "long"), FoldLoops.class);
    }

    private static long expected(Reduction reduction, LongStream values) {
        return switch (reduction) {
            case SUM, MEAN -> values.sum();
            case AMIN -> values.min().getAsLong();
            case AMAX -> values.max().getAsLong();
        };
    }

    @ParameterizedTest
    @EnumSource
    void eightsArePairsThreeTimes(Reduction reduction) {
        long[] values = LongStream.range(0, 48).map(i -> i * 7919 % 101 - 50).toArray();
        long[] eights = new long[6];
        long[] pairs = new long[24];
        FoldLoops loops = loops(reduction);
        loops.foldEights(values, 0, 2, 3, eights, 0);
        loops.foldPairs(values, 0, 8, 3, pairs, 0);
        loops.foldPairs(pairs, 0, 4, 3, pairs, 0);
        loops.foldPairs(pairs, 0, 2, 3, pairs, 0);
        for (int i = 0; i < 6; i++) {
            int column = i % 3;
            int group = i / 3;
            LongStream folded = LongStream.range(0, 8).map(row -> values[(group * 8 + (int) row) * 3 + column]);
            assertThat(eights[i]).isEqualTo(pairs[i]).isEqualTo(expected(reduction, folded));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 13, 31, 64, 100})
    void segmentsOfAnyLengthBecomeOneEach(int count) {
        long[] values =
                LongStream.range(0, 3L * count * 2).map(i -> i * 104729 % 997).toArray();
        for (Reduction reduction : Reduction.values()) {
            long[] folded = new long[6];
            loops(reduction).foldSegments(values, 0, 3, count, 2, folded, 0);
            for (int i = 0; i < 6; i++) {
                int column = i % 2;
                int segment = i / 2;
                LongStream run =
                        LongStream.range(0, count).map(row -> values[(segment * count + (int) row) * 2 + column]);
                assertThat(folded[i]).isEqualTo(expected(reduction, run));
            }
        }
    }
}
