package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Of many indices and few groups, results of blocks are put together: by loops over arrays. {@code groups.jsonl} holds those of fewer. */
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
}
