package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Of many indices of few groups, results of blocks are put together: as by loops over arrays. {@code groups.jsonl} holds those of fewer. */
class GroupBlocksTest {
    private static final int ROWS = 2_100_000;
    private static final int COLUMNS = 2;
    private static final int GROUPS = 5;

    @Test
    void groupsOfManyIndicesAreThoseOfLoops() {
        double[] values = new double[ROWS * COLUMNS];
        long[] labels = new long[ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (i * 7919L % 100_003) / 8.0 - 5000; // sums are exact
        }
        for (int i = 0; i < ROWS; i++) {
            labels[i] = i * 31L % 7 - 1; // some of no group
        }
        double[] sums = new double[GROUPS * COLUMNS];
        double[] least = new double[GROUPS * COLUMNS];
        double[] first = new double[GROUPS * COLUMNS];
        double[] last = new double[GROUPS * COLUMNS];
        long[] counts = new long[GROUPS];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        for (int i = 0; i < ROWS; i++) {
            int group = (int) labels[i];
            if (group < 0 || group >= GROUPS) {
                continue;
            }
            for (int c = 0; c < COLUMNS; c++) {
                double value = values[i * COLUMNS + c];
                int at = group * COLUMNS + c;
                sums[at] += value;
                least[at] = Math.min(least[at], value);
                first[at] = counts[group] == 0 ? value : first[at];
                last[at] = value;
            }
            counts[group]++;
        }
        LazyTensor x = LazyTensor.of(Tensors.copyOf(values, ROWS, COLUMNS));
        Tensor by = Tensors.of(labels);
        assertThat(x.groupBy(by, GROUPS, 0).sum().compute().toDoubleArray()).containsExactly(sums);
        assertThat(x.groupBy(by, GROUPS, 0).min().compute().toDoubleArray()).containsExactly(least);
        assertThat(x.groupBy(by, GROUPS, 0).first().compute().toDoubleArray()).containsExactly(first);
        assertThat(x.groupBy(by, GROUPS, 0).last().compute().toDoubleArray()).containsExactly(last);
        Tensor count =
                x.groupBy(by, GROUPS, 0).count().select(1, 0).to(DType.INT64).compute();
        assertThat(count.contiguous().toLongArray()).containsExactly(counts);
    }

    /** In blocks of a power of two, 16 to 32 times as many indices as groups; what these come to is joined by pairs, and pairs of pairs. */
    @Test
    void sumsOfLargeResultsAreThoseOfBlocksJoinedByPairs() {
        int rows = 600;
        int columns = 7001;
        int groups = 3;
        double[] values = new double[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.sin(i * 0.7) * Math.pow(10, i % 7); // sums are not exact
        }
        long[] labels = new long[rows];
        Arrays.setAll(labels, row -> row * 5L % 4 - row % 3 / 2); // some of no group
        double[][] blocks = new double[(rows + 63) / 64][groups * columns];
        for (int row = 0; row < rows; row++) {
            for (int c = 0; labels[row] >= 0 && labels[row] < groups && c < columns; c++) {
                blocks[row / 64][(int) labels[row] * columns + c] += values[row * columns + c];
            }
        }
        double[] expected = new double[groups * columns];
        Arrays.setAll(expected, at -> {
            double[] b = new double[blocks.length];
            Arrays.setAll(b, block -> blocks[block][at]);
            return (((b[0] + b[1]) + (b[2] + b[3])) + ((b[4] + b[5]) + (b[6] + b[7]))) + (b[8] + b[9]);
        });
        LazyTensor x = LazyTensor.of(Tensors.copyOf(values, rows, columns));
        Tensor by = Tensors.of(labels);
        assertThat(x.groupBy(by, groups, 0).sum().compute().toDoubleArray()).containsExactly(expected);
        assertThat(x.t().groupBy(by, groups, 1).sum().t().compute().contiguous().toDoubleArray())
                .containsExactly(expected);
    }
}
