package io.github.broadloom.cpu.simd;

import io.github.broadloom.kernels.reduce.PairwiseTree;

/** What {@link Folds} does, one by one. */
class FoldPrimitives {
    static final int EIGHT = 8;

    /** The sum of eight values, {@code step} apart. */
    static double eight(double[] x, int at, int step) {
        double first = (x[at] + x[at + step]) + (x[at + 2 * step] + x[at + 3 * step]);
        double second = (x[at + 4 * step] + x[at + 5 * step]) + (x[at + 6 * step] + x[at + 7 * step]);
        return first + second;
    }

    void moments(double[] x, int from, int blocks, double[] out) {
        double[] sums = new double[EIGHT];
        double[] squares = new double[PairwiseTree.BLOCK];
        for (int block = 0; block < blocks; block++) {
            int start = from + block * PairwiseTree.BLOCK;
            for (int lane = 0; lane < EIGHT; lane++) {
                sums[lane] = eight(x, start + lane, EIGHT);
            }
            double mean = eight(sums, 0, 1) * (1.0 / PairwiseTree.BLOCK);
            for (int i = 0; i < PairwiseTree.BLOCK; i++) {
                double distance = x[start + i] - mean;
                squares[i] = distance * distance;
            }
            for (int lane = 0; lane < EIGHT; lane++) {
                sums[lane] = eight(squares, lane, EIGHT);
            }
            out[2 * block] = mean;
            out[2 * block + 1] = eight(sums, 0, 1);
        }
    }

    void addEights(float[] x, int from, int eights, double[] out) {
        addEights(x, from, 0, eights, out);
    }

    /** Those from {@code first} on. */
    static void addEights(float[] x, int from, int first, int eights, double[] out) {
        for (int i = first; i < eights; i++) {
            int at = from + EIGHT * i;
            double left = ((double) x[at] + x[at + 1]) + ((double) x[at + 2] + x[at + 3]);
            out[i] = left + (((double) x[at + 4] + x[at + 5]) + ((double) x[at + 6] + x[at + 7]));
        }
    }

    void addRows(float[] x, int width, double[] out) {
        addRows(x, width, 0, out);
    }

    /** The columns from {@code first} on. */
    static void addRows(float[] x, int width, int first, double[] out) {
        for (int c = first; c < width; c++) {
            double left = ((double) x[c] + x[width + c]) + ((double) x[2 * width + c] + x[3 * width + c]);
            double right =
                    ((double) x[4 * width + c] + x[5 * width + c]) + ((double) x[6 * width + c] + x[7 * width + c]);
            out[c] = left + right;
        }
    }

    void addRows(double[] x, int width, double[] out) {
        addRows(x, width, 0, out);
    }

    /** The columns from {@code first} on. */
    static void addRows(double[] x, int width, int first, double[] out) {
        for (int c = first; c < width; c++) {
            out[c] = eight(x, c, width);
        }
    }

    void extremesOfRows(float[] x, int width, float sign, float[] out) {
        extremesOfRows(x, width, sign, 0, out);
    }

    /** The columns from {@code first} on. */
    static void extremesOfRows(float[] x, int width, float sign, int first, float[] out) {
        for (int c = first; c < width; c++) {
            float best = sign * x[c];
            for (int row = 1; row < EIGHT; row++) {
                best = Math.max(best, sign * x[row * width + c]);
            }
            out[c] = sign * best;
        }
    }

    float extreme(float[] x, int from, int n, float sign) {
        return extreme(x, from, n, sign, x[from]);
    }

    /** Of these and {@code other}. */
    static float extreme(float[] x, int from, int n, float sign, float other) {
        float best = sign * other;
        for (int i = from; i < from + n; i++) {
            best = Math.max(best, sign * x[i]);
        }
        return sign * best;
    }

    void firstExtremesOfRows(float[] x, int width, float sign, float[] best, float[] rows) {
        firstExtremesOfRows(x, width, sign, 0, best, rows);
    }

    /** The columns from {@code first} on. */
    static void firstExtremesOfRows(float[] x, int width, float sign, int first, float[] best, float[] rows) {
        for (int c = first; c < width; c++) {
            float found = sign * x[c];
            int at = 0;
            for (int row = 1; row < EIGHT && !Float.isNaN(found); row++) {
                float value = sign * x[row * width + c];
                if (!(value <= found)) {
                    found = value;
                    at = row;
                }
            }
            best[c] = sign * found;
            rows[c] = at;
        }
    }

    void addFloats(float[] x, double[] into, int n) {
        addFloats(x, into, 0, n);
    }

    /** Those from {@code first} on. */
    static void addFloats(float[] x, double[] into, int first, int n) {
        for (int i = first; i < n; i++) {
            into[i] += x[i];
        }
    }

    void liftMoments(double[] x, int n) {
        liftMoments(x, 0, n);
    }

    /** Those from {@code first} on, from the right, so that no value is overwritten before it moved. */
    static void liftMoments(double[] x, int first, int n) {
        for (int i = n - 1; i >= first; i--) {
            double value = x[i];
            x[2 * i] = value;
            x[2 * i + 1] = 0 * Math.abs(value);
        }
    }

    void joinMoments(double[] into, int at, double[] other, int from, int count, double share, double spread) {
        for (int k = 0; k < count; k += 2) {
            double distance = other[from + k] - into[at + k];
            into[at + k] += distance * share;
            into[at + k + 1] = into[at + k + 1] + other[from + k + 1] + distance * distance * spread;
        }
    }

    void divide(double[] x, int from, double origin, double divisor, float[] out, int n) {
        divide(x, from, origin, divisor, out, 0, n);
    }

    /** The elements from {@code first} on. */
    static void divide(double[] x, int from, double origin, double divisor, float[] out, int first, int n) {
        for (int i = first; i < n; i++) {
            float quotient = (float) ((x[from + i] + origin) / divisor);
            out[i] = Float.isNaN(quotient) ? Float.NaN : quotient;
        }
    }
}
