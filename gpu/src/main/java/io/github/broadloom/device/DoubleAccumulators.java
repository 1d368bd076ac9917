package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Float16;
import io.github.broadloom.tensor.RawMemory;

/** Accumulators of floating values. One NaN stands for all, so that results have the same bits on every path. */
abstract class DoubleAccumulators extends Accumulators {

    static final DoubleAccumulators SUM = new Sum();
    static final DoubleAccumulators MIN = new Min();
    static final DoubleAccumulators MAX = new Max();

    @Override
    public final Object allocate(int count) {
        return new double[count];
    }

    @Override
    public final void lift(DType dtype, Object elements, int count, Object into) {
        double[] to = (double[]) into;
        switch (dtype) {
            case FLOAT64 -> System.arraycopy(elements, 0, to, 0, count);
            case FLOAT32 -> {
                float[] from = (float[]) elements;
                for (int i = 0; i < count; i++) {
                    to[i] = from[i];
                }
            }
            default -> {
                short[] from = (short[]) elements;
                for (int i = 0; i < count; i++) {
                    to[i] = Float16.toFloat(from[i]);
                }
            }
        }
    }

    @Override
    public final void store(Object values, int from, int count, double divisor, DType dtype, long address) {
        double[] source = (double[]) values;
        for (int i = 0; i < count; i++) {
            double value = source[from + i] / divisor;
            double canonical = Double.isNaN(value) ? Double.NaN : value;
            switch (dtype) {
                case FLOAT64 -> RawMemory.putDouble(address + 8L * i, canonical);
                case FLOAT32 -> RawMemory.putFloat(address + 4L * i, (float) canonical);
                default -> RawMemory.putShort(address + 2L * i, Float16.fromDouble(canonical));
            }
        }
    }

    private static final class Sum extends DoubleAccumulators {
        @Override
        public void combine(Object into, int at, Object other, int from, int count) {
            double[] a = (double[]) into;
            double[] b = (double[]) other;
            for (int k = 0; k < count; k++) {
                a[at + k] = a[at + k] + b[from + k];
            }
        }

        @Override
        public void foldPairs(Object values, int from, int pairs, int width, Object into, int at) {
            double[] in = (double[]) values;
            double[] out = (double[]) into;
            for (int j = 0; j < pairs; j++) {
                for (int c = 0; c < width; c++) {
                    int base = from + 2 * j * width + c;
                    out[at + j * width + c] = in[base] + in[base + width];
                }
            }
        }

        @Override
        public void foldEights(Object values, int from, int groups, int width, Object into, int at) {
            double[] in = (double[]) values;
            double[] out = (double[]) into;
            if (width == 1) {
                for (int j = 0; j < groups; j++) {
                    out[at + j] = eight(in, from + 8 * j, 1);
                }
                return;
            }
            for (int j = 0; j < groups; j++) {
                for (int c = 0; c < width; c++) {
                    out[at + j * width + c] = eight(in, from + 8 * j * width + c, width);
                }
            }
        }

        private static double eight(double[] in, int base, int width) {
            double first = (in[base] + in[base + width]) + (in[base + 2 * width] + in[base + 3 * width]);
            double second =
                    (in[base + 4 * width] + in[base + 5 * width]) + (in[base + 6 * width] + in[base + 7 * width]);
            return first + second;
        }

        @Override
        public void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at) {
            double[] in = (double[]) values;
            double[] out = (double[]) into;
            for (int s = 0; s < segments; s++) {
                for (int c = 0; c < width; c++) {
                    int base = from + s * count * width + c;
                    out[at + s * width + c] = segment(in, base, count, width);
                }
            }
        }

        private static double segment(double[] in, int start, int count, int width) {
            int base = start;
            int length = Integer.highestOneBit(count);
            double total = block(in, base, length, width);
            for (int left = count - length; left > 0; left -= length) {
                base += length * width;
                length = Integer.highestOneBit(left);
                total = total + block(in, base, length, width);
            }
            return total;
        }

        private static double block(double[] in, int base, int length, int width) {
            if (length == 1) {
                return in[base];
            }
            if (length == 8) {
                return eight(in, base, width);
            }
            int half = length / 2;
            double left = block(in, base, half, width);
            double right = block(in, base + half * width, half, width);
            return left + right;
        }
    }

    private static final class Min extends DoubleAccumulators {
        @Override
        public void combine(Object into, int at, Object other, int from, int count) {
            double[] a = (double[]) into;
            double[] b = (double[]) other;
            for (int k = 0; k < count; k++) {
                a[at + k] = Math.min(a[at + k], b[from + k]);
            }
        }

        @Override
        public void foldPairs(Object values, int from, int pairs, int width, Object into, int at) {
            double[] in = (double[]) values;
            double[] out = (double[]) into;
            for (int j = 0; j < pairs; j++) {
                for (int c = 0; c < width; c++) {
                    int base = from + 2 * j * width + c;
                    out[at + j * width + c] = Math.min(in[base], in[base + width]);
                }
            }
        }

        @Override
        public void foldEights(Object values, int from, int groups, int width, Object into, int at) {
            double[] in = (double[]) values;
            double[] out = (double[]) into;
            if (width == 1) {
                for (int j = 0; j < groups; j++) {
                    out[at + j] = eight(in, from + 8 * j, 1);
                }
                return;
            }
            for (int j = 0; j < groups; j++) {
                for (int c = 0; c < width; c++) {
                    out[at + j * width + c] = eight(in, from + 8 * j * width + c, width);
                }
            }
        }

        private static double eight(double[] in, int base, int width) {
            double first = Math.min(
                    Math.min(in[base], in[base + width]), Math.min(in[base + 2 * width], in[base + 3 * width]));
            double second = Math.min(
                    Math.min(in[base + 4 * width], in[base + 5 * width]),
                    Math.min(in[base + 6 * width], in[base + 7 * width]));
            return Math.min(first, second);
        }

        @Override
        public void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at) {
            double[] in = (double[]) values;
            double[] out = (double[]) into;
            for (int s = 0; s < segments; s++) {
                for (int c = 0; c < width; c++) {
                    int base = from + s * count * width + c;
                    out[at + s * width + c] = segment(in, base, count, width);
                }
            }
        }

        private static double segment(double[] in, int start, int count, int width) {
            int base = start;
            int length = Integer.highestOneBit(count);
            double total = block(in, base, length, width);
            for (int left = count - length; left > 0; left -= length) {
                base += length * width;
                length = Integer.highestOneBit(left);
                total = Math.min(total, block(in, base, length, width));
            }
            return total;
        }

        private static double block(double[] in, int base, int length, int width) {
            if (length == 1) {
                return in[base];
            }
            if (length == 8) {
                return eight(in, base, width);
            }
            int half = length / 2;
            double left = block(in, base, half, width);
            double right = block(in, base + half * width, half, width);
            return Math.min(left, right);
        }
    }

    private static final class Max extends DoubleAccumulators {
        @Override
        public void combine(Object into, int at, Object other, int from, int count) {
            double[] a = (double[]) into;
            double[] b = (double[]) other;
            for (int k = 0; k < count; k++) {
                a[at + k] = Math.max(a[at + k], b[from + k]);
            }
        }

        @Override
        public void foldPairs(Object values, int from, int pairs, int width, Object into, int at) {
            double[] in = (double[]) values;
            double[] out = (double[]) into;
            for (int j = 0; j < pairs; j++) {
                for (int c = 0; c < width; c++) {
                    int base = from + 2 * j * width + c;
                    out[at + j * width + c] = Math.max(in[base], in[base + width]);
                }
            }
        }

        @Override
        public void foldEights(Object values, int from, int groups, int width, Object into, int at) {
            double[] in = (double[]) values;
            double[] out = (double[]) into;
            if (width == 1) {
                for (int j = 0; j < groups; j++) {
                    out[at + j] = eight(in, from + 8 * j, 1);
                }
                return;
            }
            for (int j = 0; j < groups; j++) {
                for (int c = 0; c < width; c++) {
                    out[at + j * width + c] = eight(in, from + 8 * j * width + c, width);
                }
            }
        }

        private static double eight(double[] in, int base, int width) {
            double first = Math.max(
                    Math.max(in[base], in[base + width]), Math.max(in[base + 2 * width], in[base + 3 * width]));
            double second = Math.max(
                    Math.max(in[base + 4 * width], in[base + 5 * width]),
                    Math.max(in[base + 6 * width], in[base + 7 * width]));
            return Math.max(first, second);
        }

        @Override
        public void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at) {
            double[] in = (double[]) values;
            double[] out = (double[]) into;
            for (int s = 0; s < segments; s++) {
                for (int c = 0; c < width; c++) {
                    int base = from + s * count * width + c;
                    out[at + s * width + c] = segment(in, base, count, width);
                }
            }
        }

        private static double segment(double[] in, int start, int count, int width) {
            int base = start;
            int length = Integer.highestOneBit(count);
            double total = block(in, base, length, width);
            for (int left = count - length; left > 0; left -= length) {
                base += length * width;
                length = Integer.highestOneBit(left);
                total = Math.max(total, block(in, base, length, width));
            }
            return total;
        }

        private static double block(double[] in, int base, int length, int width) {
            if (length == 1) {
                return in[base];
            }
            if (length == 8) {
                return eight(in, base, width);
            }
            int half = length / 2;
            double left = block(in, base, half, width);
            double right = block(in, base + half * width, half, width);
            return Math.max(left, right);
        }
    }
}
