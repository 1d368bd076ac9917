package io.github.broadloom.nearest;

import io.github.broadloom.device.LeastProducts;
import io.github.broadloom.device.PackedProducts;
import java.util.Arrays;

/**
 * Which columns may be among the k least of each row, by scores that are known to within a slack. A score is off by no more than half of the row's slack; so whatever is among the k least by
 * exact ranks has a score of at most the k-th least score and the slack, and the few columns of which that holds are ranked exactly, as are those whose score is NaN.
 */
public final class Shortlist {
    private final int k;
    private final int capacity;
    private final double[] slack;
    private final double[] thresholds;
    private final int[] counts;
    private final double[] scores;
    private final int[] columns;
    private final double[] sorted;
    private final Pairs pairs;
    private long ranked;

    /** Takes the pairs that are to be ranked exactly. */
    @FunctionalInterface
    public interface Pairs {
        void rank(int row, int column);
    }

    public Shortlist(int rows, int k, Pairs pairs) {
        this.k = k;
        this.capacity = capacity(k);
        this.slack = new double[rows];
        this.thresholds = new double[rows];
        this.counts = new int[rows];
        this.scores = new double[rows * capacity];
        this.columns = new int[rows * capacity];
        this.sorted = new double[capacity];
        this.pairs = pairs;
    }

    /** How many columns of a row are remembered at a time. */
    static int capacity(int k) {
        return 2 * k + 32;
    }

    /** Begins a row. */
    public void begin(int row, double rowSlack) {
        counts[row] = 0;
        slack[row] = rowSlack;
        thresholds[row] = Double.POSITIVE_INFINITY;
    }

    /**
     * Takes scores of a row.
     *
     * @param block a {@code float[]} or {@code double[]}
     * @param at where they begin in it
     * @param column the column of the first
     */
    public void offer(int row, Object block, int at, int count, int column) {
        if (block instanceof float[] floats) {
            offer(row, floats, at, count, column);
        } else {
            offer(row, (double[]) block, at, count, column);
        }
    }

    private void offer(int row, float[] block, int at, int count, int column) {
        double threshold = thresholds[row];
        for (int i = 0; i < count; i++) {
            if (!(block[at + i] > threshold)) {
                threshold = add(row, block[at + i], column + i);
            }
        }
    }

    private void offer(int row, double[] block, int at, int count, int column) {
        double threshold = thresholds[row];
        for (int i = 0; i < count; i++) {
            if (!(block[at + i] > threshold)) {
                threshold = add(row, block[at + i], column + i);
            }
        }
    }

    /** As {@link #offer(int, Object, int, int, int)}, where {@code products} find the few that count. */
    void offer(int row, float[] block, int at, int count, int column, PackedProducts products) {
        int end = at + count;
        int i = products.firstUpTo(block, at, end, thresholds[row]);
        while (i < end) {
            double threshold = add(row, block[i], column + i - at);
            i = products.firstUpTo(block, i + 1, end, threshold);
        }
    }

    /**
     * Takes the {@linkplain LeastProducts least} scores of a row, in their order.
     *
     * @param areAll whether the row has no others
     * @return whether they are enough; else none is taken, and all scores of the row must be offered
     */
    boolean offerLeast(int row, long[] least, int at, int count, boolean areAll) {
        double threshold = count < k ? Double.POSITIVE_INFINITY : LeastProducts.product(least[at + k - 1]) + slack[row];
        boolean isBeyond = areAll || LeastProducts.product(least[at + count - 1]) > threshold;
        if (!isBeyond || Float.isNaN(LeastProducts.product(least[at]))) {
            return false;
        }
        for (int i = at; i < at + count && LeastProducts.product(least[i]) <= threshold; i++) {
            add(row, LeastProducts.product(least[i]), LeastProducts.column(least[i]));
        }
        return true;
    }

    /** Adds one, and tells the threshold for the next. */
    private double add(int row, double score, int column) {
        if (Double.isNaN(score)) {
            pairs.rank(row, column);
            ranked++;
            return thresholds[row];
        }
        int at = row * capacity + counts[row]++;
        scores[at] = score;
        columns[at] = column;
        if (counts[row] == capacity) {
            shrink(row);
            if (counts[row] > capacity - capacity / 4) {
                rank(row); // nearly all are as near: scores cannot tell them apart
            }
        }
        return thresholds[row];
    }

    /** Lowers the threshold to what the k-th least score says, and drops what is above it. */
    private void shrink(int row) {
        int first = row * capacity;
        int count = counts[row];
        System.arraycopy(scores, first, sorted, 0, count);
        Arrays.sort(sorted, 0, count);
        double threshold = Math.min(thresholds[row], sorted[k - 1] + slack[row]);
        thresholds[row] = threshold;
        int kept = first;
        for (int i = first; i < first + count; i++) {
            if (scores[i] <= threshold) {
                scores[kept] = scores[i];
                columns[kept++] = columns[i];
            }
        }
        counts[row] = kept - first;
    }

    /** Ranks what is left of a row. */
    public void rank(int row) {
        if (counts[row] > k) {
            shrink(row);
        }
        int first = row * capacity;
        for (int i = first; i < first + counts[row]; i++) {
            pairs.rank(row, columns[i]);
        }
        ranked += counts[row];
        counts[row] = 0;
    }

    /** How many pairs were ranked so far. */
    public long ranked() {
        return ranked;
    }
}
