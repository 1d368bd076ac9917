package io.github.broadloom.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceTest {

    /** The indices by the definition in Python's language reference, one at a time. */
    private static List<Long> definition(Long start, Long stop, long step, long size) {
        long from = start == null ? 0 : start < 0 ? start + size : start;
        long to = stop == null ? size : stop < 0 ? stop + size : stop;
        return LongStream.range(0, size)
                .filter(i -> i >= Math.max(from, 0) && i < to && (i - Math.max(from, 0)) % step == 0)
                .boxed()
                .toList();
    }

    @Test
    void everySmallSliceTakesThePythonIndices() {
        Long[] bounds = {null, -7L, -5L, -2L, -1L, 0L, 1L, 2L, 4L, 5L, 9L};
        for (long size = 0; size <= 5; size++) {
            for (Long start : bounds) {
                for (Long stop : bounds) {
                    for (long step = 1; step <= 6; step++) {
                        Slice slice = new Slice(start, stop, step);
                        long first = slice.first(size);
                        long stride = step;
                        List<Long> taken = LongStream.range(0, slice.count(size))
                                .mapToObj(i -> first + i * stride)
                                .toList();
                        assertThat(taken).as("%s of %d", slice, size).isEqualTo(definition(start, stop, step, size));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1:-1,1:-1", ":,:", "' 2 : 5 : 2 ',2:5:2", "::3,::3", "-4:,-4:", "::,:"})
    void pythonsNotationIsRead(String text, String canonical) {
        assertThat(Slice.parse(text)).hasToString(canonical);
        assertThat(Slice.parse(canonical)).isEqualTo(Slice.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "", "a:b", "1:2:3:4", "1.5:2", "99999999999999999999:"})
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> Slice.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Cannot read slice: '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"::0", "::-1"})
    void theStepIsPositive(String text) {
        assertThatThrownBy(() -> Slice.parse(text)).hasMessage("slice step must be positive");
    }

    @Test
    void boundsAtTheEndsOfLongAreClamped() {
        assertThat(new Slice(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE).count(3))
                .isEqualTo(1);
        assertThat(new Slice(Long.MAX_VALUE, null, 1).count(3)).isZero();
    }

    @Test
    void theShortFormsMeanTheirNotation() {
        assertThat(Slice.all()).isEqualTo(Slice.parse(":"));
        assertThat(Slice.of(1, -1)).isEqualTo(Slice.parse("1:-1"));
        assertThat(Slice.of(1, 9, 3)).isEqualTo(Slice.parse("1:9:3"));
        assertThat(Slice.from(-2)).isEqualTo(Slice.parse("-2:"));
        assertThat(Slice.to(4)).isEqualTo(Slice.parse(":4"));
        assertThat(Slice.every(2)).isEqualTo(Slice.parse("::2"));
    }
}
