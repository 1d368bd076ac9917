package io.github.broadloom.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileRangesTest {
    private static List<FileRanges.Range> ranges(Shape file, Box box, int elementBytes) throws IOException {
        List<FileRanges.Range> ranges = new ArrayList<>();
        new FileRanges(file, box, elementBytes).forEach(ranges::add);
        return ranges;
    }

    private static Box box(long... startsAndEnds) {
        long[] starts = new long[startsAndEnds.length / 2];
        long[] ends = new long[starts.length];
        for (int d = 0; d < starts.length; d++) {
            starts[d] = startsAndEnds[2 * d];
            ends[d] = startsAndEnds[2 * d + 1];
        }
        return Box.of(starts, ends);
    }

    @Test
    void wholeRowsAreOneRangeHoweverLong() throws IOException {
        Shape file = Shape.of(1_000_000, 100, 100);
        List<FileRanges.Range> ranges = ranges(file, box(5, 900_005, 0, 100, 0, 100), 8);
        assertThat(ranges).hasSize(1);
        assertThat(ranges.get(0).first()).isEqualTo(50_000);
        assertThat(ranges.get(0).elements()).isEqualTo(9_000_000_000L);
        assertThat(ranges.get(0).isExact()).isTrue();
    }

    @Test
    void columnsOfLongRowsAreReadRowByRow() throws IOException {
        Shape file = Shape.of(10, 1_000_000); // four million bytes lie between two rows
        List<FileRanges.Range> ranges = ranges(file, box(2, 5, 100, 200), 4);
        assertThat(ranges).allMatch(FileRanges.Range::isExact);
        assertThat(ranges.stream().map(FileRanges.Range::first)).containsExactly(2_000_100L, 3_000_100L, 4_000_100L);
        assertThat(ranges.stream().map(FileRanges.Range::part))
                .containsExactly(box(2, 3, 100, 200), box(3, 4, 100, 200), box(4, 5, 100, 200));
        assertThat(new FileRanges(file, box(2, 5, 100, 200), 4).costBytes())
                .isEqualTo(3 * 400 + 2 * FileRanges.STEP_BYTES);
        assertThat(new FileRanges(file, box(2, 5, 100, 200), 4).readingBytes()).isZero();
    }

    @Test
    void smallGapsAreReadThrough() throws IOException {
        Shape file = Shape.of(10, 1000); // 3,600 bytes lie between two rows
        List<FileRanges.Range> ranges = ranges(file, box(2, 5, 100, 200), 4);
        assertThat(ranges).hasSize(1);
        assertThat(ranges.get(0).first()).isEqualTo(2100);
        assertThat(ranges.get(0).elements()).isEqualTo(2 * 1000 + 100);
        assertThat(ranges.get(0).isExact()).isFalse();
        assertThat(new FileRanges(file, box(2, 5, 100, 200), 4).costBytes()).isEqualTo(4 * 2100);
        assertThat(new FileRanges(file, box(2, 5, 100, 200), 4).readingBytes()).isEqualTo(4 * 2100);
    }

    @Test
    void whatIsReadThroughIsHeldInPartsOfAMebibyte() throws IOException {
        Shape file = Shape.of(1_000_000, 2);
        Box column = box(0, 1_000_000, 1, 2);
        List<FileRanges.Range> ranges = ranges(file, column, 4);
        assertThat(ranges).hasSize(8); // of 131,072 rows
        assertThat(ranges).allMatch(range -> range.elements() * 4 <= 1 << 20);
        assertThat(ranges.stream()
                        .mapToLong(range -> range.part().shape().numel())
                        .sum())
                .isEqualTo(1_000_000);
        long read = ranges.stream().mapToLong(FileRanges.Range::elements).sum() * 4;
        assertThat(new FileRanges(file, column, 4).readingBytes()).isEqualTo((1 << 20) - 4);
        assertThat(new FileRanges(file, column, 4).costBytes()).isEqualTo(read + 7 * FileRanges.STEP_BYTES);
    }

    /** A request to an object store takes as long as two megabytes. */
    @Test
    void moreIsReadThroughWhereAStepTakesLonger() throws IOException {
        Shape file = Shape.of(100, 250_000);
        FileRanges far = new FileRanges(file, box(10, 20, 0, 1000), 4, 2 << 20);
        List<FileRanges.Range> ranges = new ArrayList<>();
        far.forEach(ranges::add);
        assertThat(ranges.stream().map(range -> range.part().size(0))).containsExactly(4L, 4L, 2L);
        assertThat(far.costBytes()).isEqualTo(4 * (7 * 250_000 + 3 * 1000) + 2 * (2 << 20));
    }

    @Test
    void aStepIsMadeWhereAnyDimensionHasALargeGap() throws IOException {
        Shape file = Shape.of(3, 1000, 50, 10);
        Box box = box(0, 3, 10, 20, 5, 7, 0, 10);
        List<FileRanges.Range> ranges = ranges(file, box, 4);
        // Two thousand bytes between the lines of a plane, two million less 20,000 between the planes.
        assertThat(ranges).hasSize(3);
        assertThat(ranges.get(1).first()).isEqualTo(500_000 + 10 * 500 + 50);
        assertThat(ranges.get(1).elements()).isEqualTo(9 * 500 + 20);
        assertThat(ranges.get(1).part()).isEqualTo(box.with(0, 1, 2));
    }

    @Test
    void nothingIsReadForNothing() throws IOException {
        assertThat(ranges(Shape.of(3, 4), box(1, 1, 0, 4), 4)).isEmpty();
        assertThat(new FileRanges(Shape.of(3, 4), box(0, 3, 2, 2), 4).costBytes())
                .isZero();
        assertThat(ranges(Shape.SCALAR, box(), 4)).hasSize(1);
    }
}
