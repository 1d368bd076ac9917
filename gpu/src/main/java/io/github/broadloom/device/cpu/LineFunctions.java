package io.github.broadloom.device.cpu;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.LineOp;

/** The functions of a line: of floating values as doubles, of integers and bools as longs. */
final class LineFunctions {
    private LineFunctions() {}

    /**
     * Computes one line.
     *
     * @param dtype of the values
     * @param values {@code double[]} or {@code long[]}; may be reordered
     * @param length how many, from the first on
     * @param results {@code double[]} or {@code long[]}, as the dtype of the results is
     */
    static void apply(LineOp op, DType dtype, Object values, int length, Object results) {
        switch (op.kind()) {
            case CUMSUM -> cumsum(dtype, values, length, results);
            case CUMPROD -> cumprod(dtype, values, length, results);
            case CUMMAX, CUMMIN, CUMMAX_INDICES, CUMMIN_INDICES -> extremes(op.kind(), values, length, results);
            case MEDIAN, MEDIAN_INDICES, NANMEDIAN, NANMEDIAN_INDICES ->
                OrderStatistics.median(op.kind(), values, length, results);
            case QUANTILE, NANQUANTILE ->
                OrderStatistics.quantile(op, dtype, (double[]) values, length, (double[]) results);
        }
    }

    /** One after the other, as PyTorch does: in double, but in float32 for float16. */
    private static void cumsum(DType dtype, Object values, int length, Object results) {
        if (values instanceof double[] doubles) {
            double sum = 0;
            for (int i = 0; i < length; i++) {
                sum = rounded(sum + doubles[i], dtype);
                ((double[]) results)[i] = sum;
            }
            return;
        }
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum += ((long[]) values)[i];
            ((long[]) results)[i] = sum;
        }
    }

    private static void cumprod(DType dtype, Object values, int length, Object results) {
        if (values instanceof double[] doubles) {
            double product = 1;
            for (int i = 0; i < length; i++) {
                product = rounded(product * doubles[i], dtype);
                ((double[]) results)[i] = product;
            }
            return;
        }
        long product = 1;
        for (int i = 0; i < length; i++) {
            product *= ((long[]) values)[i];
            ((long[]) results)[i] = product;
        }
    }

    private static double rounded(double value, DType dtype) {
        return dtype == DType.FLOAT16 ? (float) value : value;
    }

    /** The last of equal values counts, and the last NaN. */
    private static void extremes(LineOp.Kind kind, Object values, int length, Object results) {
        boolean greatest = kind == LineOp.Kind.CUMMAX || kind == LineOp.Kind.CUMMAX_INDICES;
        int best = 0;
        for (int i = 0; i < length; i++) {
            best = i == 0 || follows(values, best, i, greatest) ? i : best;
            if (kind.isIndices()) {
                ((long[]) results)[i] = best;
            } else if (values instanceof double[] doubles) {
                ((double[]) results)[i] = doubles[best];
            } else {
                ((long[]) results)[i] = ((long[]) values)[best];
            }
        }
    }

    private static boolean follows(Object values, int best, int i, boolean greatest) {
        if (values instanceof double[] doubles) {
            double a = doubles[best];
            double b = doubles[i];
            return Double.isNaN(b) || (greatest ? b >= a : b <= a);
        }
        long a = ((long[]) values)[best];
        long b = ((long[]) values)[i];
        return greatest ? b >= a : b <= a;
    }
}
