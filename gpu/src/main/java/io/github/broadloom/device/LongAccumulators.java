package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.RawMemory;

/** Accumulators of integers and bools. Sums wrap at 64 bits. */
abstract class LongAccumulators extends Accumulators {

    static final LongAccumulators SUM = new Sum();
    static final LongAccumulators MIN = new Min();
    static final LongAccumulators MAX = new Max();

    @Override
    public final Object allocate(int count) {
        return new long[count];
    }

    @Override
    public final void lift(DType dtype, Object elements, int count, Object into) {
        long[] to = (long[]) into;
        switch (dtype) {
            case INT64 -> System.arraycopy(elements, 0, to, 0, count);
            case INT32 -> {
                int[] from = (int[]) elements;
                for (int i = 0; i < count; i++) {
                    to[i] = from[i];
                }
            }
            case INT16 -> {
                short[] from = (short[]) elements;
                for (int i = 0; i < count; i++) {
                    to[i] = from[i];
                }
            }
            default -> {
                byte[] from = (byte[]) elements;
                int mask = dtype == DType.INT8 ? -1 : 0xff;
                for (int i = 0; i < count; i++) {
                    to[i] = from[i] & mask;
                }
            }
        }
    }

    @Override
    public final void store(Object values, int from, int count, double divisor, DType dtype, long address) {
        long[] source = (long[]) values;
        for (int i = 0; i < count; i++) {
            long value = source[from + i];
            switch (dtype.bytes()) {
                case 8 -> RawMemory.putLong(address + 8L * i, value);
                case 4 -> RawMemory.putInt(address + 4L * i, (int) value);
                case 2 -> RawMemory.putShort(address + 2L * i, (short) value);
                default -> RawMemory.putByte(address + i, (byte) value);
            }
        }
    }

    private static final class Sum extends LongAccumulators {
        @Override
        public void combine(Object into, int at, Object other, int from, int count) {
            long[] a = (long[]) into;
            long[] b = (long[]) other;
            for (int k = 0; k < count; k++) {
                a[at + k] = a[at + k] + b[from + k];
            }
        }

        @Override
        public void foldPairs(Object values, int from, int pairs, int width, Object into, int at) {
            long[] in = (long[]) values;
            long[] out = (long[]) into;
            for (int j = 0; j < pairs; j++) {
                for (int c = 0; c < width; c++) {
                    int base = from + 2 * j * width + c;
                    out[at + j * width + c] = in[base] + in[base + width];
                }
            }
        }

        @Override
        public void foldEights(Object values, int from, int groups, int width, Object into, int at) {
            long[] in = (long[]) values;
            long[] out = (long[]) into;
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

        private static long eight(long[] in, int base, int width) {
            long first = (in[base] + in[base + width]) + (in[base + 2 * width] + in[base + 3 * width]);
            long second = (in[base + 4 * width] + in[base + 5 * width]) + (in[base + 6 * width] + in[base + 7 * width]);
            return first + second;
        }

        @Override
        public void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at) {
            long[] in = (long[]) values;
            long[] out = (long[]) into;
            for (int s = 0; s < segments; s++) {
                for (int c = 0; c < width; c++) {
                    int base = from + s * count * width + c;
                    out[at + s * width + c] = segment(in, base, count, width);
                }
            }
        }

        private static long segment(long[] in, int start, int count, int width) {
            int base = start;
            int length = Integer.highestOneBit(count);
            long total = block(in, base, length, width);
            for (int left = count - length; left > 0; left -= length) {
                base += length * width;
                length = Integer.highestOneBit(left);
                total = total + block(in, base, length, width);
            }
            return total;
        }

        private static long block(long[] in, int base, int length, int width) {
            if (length == 1) {
                return in[base];
            }
            if (length == 8) {
                return eight(in, base, width);
            }
            int half = length / 2;
            long left = block(in, base, half, width);
            long right = block(in, base + half * width, half, width);
            return left + right;
        }
    }

    private static final class Min extends LongAccumulators {
        @Override
        public void combine(Object into, int at, Object other, int from, int count) {
            long[] a = (long[]) into;
            long[] b = (long[]) other;
            for (int k = 0; k < count; k++) {
                a[at + k] = Math.min(a[at + k], b[from + k]);
            }
        }

        @Override
        public void foldPairs(Object values, int from, int pairs, int width, Object into, int at) {
            long[] in = (long[]) values;
            long[] out = (long[]) into;
            for (int j = 0; j < pairs; j++) {
                for (int c = 0; c < width; c++) {
                    int base = from + 2 * j * width + c;
                    out[at + j * width + c] = Math.min(in[base], in[base + width]);
                }
            }
        }

        @Override
        public void foldEights(Object values, int from, int groups, int width, Object into, int at) {
            long[] in = (long[]) values;
            long[] out = (long[]) into;
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

        private static long eight(long[] in, int base, int width) {
            long first = Math.min(
                    Math.min(in[base], in[base + width]), Math.min(in[base + 2 * width], in[base + 3 * width]));
            long second = Math.min(
                    Math.min(in[base + 4 * width], in[base + 5 * width]),
                    Math.min(in[base + 6 * width], in[base + 7 * width]));
            return Math.min(first, second);
        }

        @Override
        public void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at) {
            long[] in = (long[]) values;
            long[] out = (long[]) into;
            for (int s = 0; s < segments; s++) {
                for (int c = 0; c < width; c++) {
                    int base = from + s * count * width + c;
                    out[at + s * width + c] = segment(in, base, count, width);
                }
            }
        }

        private static long segment(long[] in, int start, int count, int width) {
            int base = start;
            int length = Integer.highestOneBit(count);
            long total = block(in, base, length, width);
            for (int left = count - length; left > 0; left -= length) {
                base += length * width;
                length = Integer.highestOneBit(left);
                total = Math.min(total, block(in, base, length, width));
            }
            return total;
        }

        private static long block(long[] in, int base, int length, int width) {
            if (length == 1) {
                return in[base];
            }
            if (length == 8) {
                return eight(in, base, width);
            }
            int half = length / 2;
            long left = block(in, base, half, width);
            long right = block(in, base + half * width, half, width);
            return Math.min(left, right);
        }
    }

    private static final class Max extends LongAccumulators {
        @Override
        public void combine(Object into, int at, Object other, int from, int count) {
            long[] a = (long[]) into;
            long[] b = (long[]) other;
            for (int k = 0; k < count; k++) {
                a[at + k] = Math.max(a[at + k], b[from + k]);
            }
        }

        @Override
        public void foldPairs(Object values, int from, int pairs, int width, Object into, int at) {
            long[] in = (long[]) values;
            long[] out = (long[]) into;
            for (int j = 0; j < pairs; j++) {
                for (int c = 0; c < width; c++) {
                    int base = from + 2 * j * width + c;
                    out[at + j * width + c] = Math.max(in[base], in[base + width]);
                }
            }
        }

        @Override
        public void foldEights(Object values, int from, int groups, int width, Object into, int at) {
            long[] in = (long[]) values;
            long[] out = (long[]) into;
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

        private static long eight(long[] in, int base, int width) {
            long first = Math.max(
                    Math.max(in[base], in[base + width]), Math.max(in[base + 2 * width], in[base + 3 * width]));
            long second = Math.max(
                    Math.max(in[base + 4 * width], in[base + 5 * width]),
                    Math.max(in[base + 6 * width], in[base + 7 * width]));
            return Math.max(first, second);
        }

        @Override
        public void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at) {
            long[] in = (long[]) values;
            long[] out = (long[]) into;
            for (int s = 0; s < segments; s++) {
                for (int c = 0; c < width; c++) {
                    int base = from + s * count * width + c;
                    out[at + s * width + c] = segment(in, base, count, width);
                }
            }
        }

        private static long segment(long[] in, int start, int count, int width) {
            int base = start;
            int length = Integer.highestOneBit(count);
            long total = block(in, base, length, width);
            for (int left = count - length; left > 0; left -= length) {
                base += length * width;
                length = Integer.highestOneBit(left);
                total = Math.max(total, block(in, base, length, width));
            }
            return total;
        }

        private static long block(long[] in, int base, int length, int width) {
            if (length == 1) {
                return in[base];
            }
            if (length == 8) {
                return eight(in, base, width);
            }
            int half = length / 2;
            long left = block(in, base, half, width);
            long right = block(in, base + half * width, half, width);
            return Math.max(left, right);
        }
    }
}
