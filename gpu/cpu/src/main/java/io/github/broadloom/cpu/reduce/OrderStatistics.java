package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.LineOp;
import java.util.Arrays;
import org.apache.commons.math3.util.KthSelector;

/** Medians and quantiles of one line. */
public final class OrderStatistics {
    /** Its quantile refuses a longer line. */
    private static final long MOST_OF_PYTORCH = 1 << 24;

    /** So many places between which the parts lie are remembered from rank to rank. */
    private static final int MOST_PIVOTS = 512;

    private OrderStatistics() {}

    /**
     * The value of rank (n - 1) / 2, rounded down; a NaN where there is one and it counts, or where there is nothing
     * else.
     */
    public static void median(LineOp.Kind kind, Object values, int length, Object results) {
        if (length == 0) {
            nothing(results);
            return;
        }
        boolean skipsNaN = kind == LineOp.Kind.NANMEDIAN || kind == LineOp.Kind.NANMEDIAN_INDICES;
        int place = values instanceof double[] doubles
                ? medianPlace(doubles, length, skipsNaN)
                : medianPlace((long[]) values, length);
        if (kind.isIndices()) {
            ((long[]) results)[0] = place;
        } else if (values instanceof double[] doubles) {
            ((double[]) results)[0] = doubles[place];
        } else {
            ((long[]) results)[0] = ((long[]) values)[place];
        }
    }

    /** PyTorch converts a NaN to the dtype. */
    private static void nothing(Object results) {
        if (results instanceof double[] doubles) {
            doubles[0] = Double.NaN;
        } else {
            ((long[]) results)[0] = Long.MIN_VALUE;
        }
    }

    private static int medianPlace(double[] values, int length, boolean skipsNaN) {
        double[] numbers = numbers(values, length);
        if (numbers.length == 0 || (numbers.length < length && !skipsNaN)) {
            return firstPlace(values, Double.NaN);
        }
        return firstPlace(values, new Ranks(numbers).value((numbers.length - 1) / 2));
    }

    private static int medianPlace(long[] values, int length) {
        long[] sorted = Arrays.copyOf(values, length);
        Arrays.sort(sorted);
        long median = sorted[(length - 1) / 2];
        int place = 0;
        while (values[place] != median) {
            place++;
        }
        return place;
    }

    private static int firstPlace(double[] values, double wanted) {
        int place = 0;
        while (values[place] != wanted && !(Double.isNaN(values[place]) && Double.isNaN(wanted))) {
            place++;
        }
        return place;
    }

    /** All but NaN, in an array of their own. */
    private static double[] numbers(double[] values, int length) {
        double[] numbers = new double[length];
        int count = 0;
        for (int i = 0; i < length; i++) {
            numbers[count] = values[i];
            count += Double.isNaN(values[i]) ? 0 : 1;
        }
        return count == length ? numbers : Arrays.copyOf(numbers, count);
    }

    /** The values of some ranks, each found by parting numbers, which need not be put in order for it; zeros of both signs are equal. */
    private static final class Ranks {
        private static final KthSelector SELECTOR = new KthSelector();

        private final double[] numbers;
        private final int[] pivots = new int[MOST_PIVOTS];

        /** @param numbers whose order changes */
        Ranks(double[] numbers) {
            this.numbers = numbers;
            Arrays.fill(pivots, -1);
        }

        /** @param rank from 0 */
        double value(int rank) {
            return SELECTOR.select(numbers, pivots, rank);
        }
    }

    /** The rank is computed in the values' dtype, as PyTorch does. */
    public static void quantile(LineOp op, DType dtype, double[] values, int length, double[] results) {
        double[] numbers = numbers(values, length);
        if (numbers.length == 0 || (numbers.length < length && op.kind() == LineOp.Kind.QUANTILE)) {
            results[0] = Double.NaN;
            return;
        }
        double rank = rank(op, dtype, numbers.length);
        Ranks ranks = new Ranks(numbers);
        results[0] = quantile(op, dtype, rank, ranks.value((int) rank), ranks.value((int) Math.ceil(rank)));
    }

    /** The rank of a quantile among numbers in order, from 0; between two of them it is no whole number. Of more numbers than PyTorch takes it is a float64's. */
    static double rank(LineOp op, DType dtype, long numbers) {
        DType of = numbers > MOST_OF_PYTORCH ? DType.FLOAT64 : dtype;
        return rounded(rounded(op.number(), of) * (numbers - 1), of);
    }

    /** The quantile of a rank, out of the numbers whose ranks are the whole ones below and above it; of zeros the positive one. */
    static double quantile(LineOp op, DType dtype, double rank, double lower, double higher) {
        double part = rank - Math.floor(rank);
        double below = lower + 0.0;
        double above = higher + 0.0;
        return switch (op.interpolation()) {
            case LOWER -> below;
            case HIGHER -> above;
            case NEAREST -> Math.rint(rank) == Math.floor(rank) ? below : above;
            case MIDPOINT -> between(below, above, 0.5, dtype);
            case LINEAR -> between(below, above, rounded(part, dtype), dtype);
        };
    }

    /** {@code torch.lerp}, which counts from the nearer end; each step rounded to the dtype. */
    private static double between(double below, double above, double weight, DType dtype) {
        double distance = rounded(above - below, dtype);
        return weight < 0.5
                ? below + rounded(weight * distance, dtype)
                : above - rounded(distance * rounded(1 - weight, dtype), dtype);
    }

    private static double rounded(double value, DType dtype) {
        return dtype == DType.FLOAT32 ? (float) value : value;
    }
}
