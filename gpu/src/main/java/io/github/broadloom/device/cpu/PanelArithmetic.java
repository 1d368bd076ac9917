package io.github.broadloom.device.cpu;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lanes.Casts;
import io.github.broadloom.lanes.Dots;
import io.github.broadloom.lanes.Panels;

/**
 * What the products of a dtype are summed in: floats of float32 and float16, doubles, longs, and ints of the narrower integers, which wrap
 * when they are stored. The arrays are of that type; stored elements lie in {@link StoredArrays}.
 */
abstract class PanelArithmetic {
    final DType dtype;

    private PanelArithmetic(DType dtype) {
        this.dtype = dtype;
    }

    static PanelArithmetic of(DType dtype) {
        return switch (dtype) {
            case FLOAT16, FLOAT32 -> new Floats(dtype);
            case FLOAT64 -> new Doubles();
            case INT64 -> new Longs();
            case UINT8, INT8, INT16, INT32 -> new Ints(dtype);
            case BOOL -> throw new IllegalArgumentException("Cannot multiply matrices of bool; convert them first");
        };
    }

    /** Whether the stored elements are what is computed with. */
    final boolean isStored() {
        return bytes() == dtype.bytes();
    }

    /** Of an element of the arrays. */
    abstract int bytes();

    abstract Object allocate(int count);

    /** Stored elements as what is computed with. */
    abstract void load(Object stored, Object into, int count);

    /** A tile of {@link Panels}. */
    abstract void multiply(Object a, int aFrom, Object b, int bFrom, int n, Object out, int at, int step);

    /** The sums of products of {@link Dots}, of lines that begin with the arrays. */
    abstract void dots(Object a, int aStep, Object b, int bStep, int n, Object out);

    /** Adds the second to the first. */
    abstract void add(Object sums, Object others, int count);

    /** Results as they are stored, rounded or wrapped; may change {@code values}. */
    abstract void store(Object values, Object stored, int count);

    private static final class Floats extends PanelArithmetic {
        Floats(DType dtype) {
            super(dtype);
        }

        @Override
        int bytes() {
            return Float.BYTES;
        }

        @Override
        Object allocate(int count) {
            return new float[count];
        }

        @Override
        void load(Object stored, Object into, int count) {
            Casts.float16ToFloat32((short[]) stored, (float[]) into, count);
        }

        @Override
        void multiply(Object a, int aFrom, Object b, int bFrom, int n, Object out, int at, int step) {
            Panels.multiply((float[]) a, aFrom, (float[]) b, bFrom, n, (float[]) out, at, step);
        }

        @Override
        void dots(Object a, int aStep, Object b, int bStep, int n, Object out) {
            Dots.dots((float[]) a, 0, aStep, (float[]) b, 0, bStep, n, (float[]) out);
        }

        @Override
        void add(Object sums, Object others, int count) {
            float[] x = (float[]) sums;
            float[] y = (float[]) others;
            for (int i = 0; i < count; i++) {
                x[i] += y[i];
            }
        }

        @Override
        void store(Object values, Object stored, int count) {
            Panels.keepOneNaN((float[]) values, count);
            if (dtype == DType.FLOAT16) {
                Casts.float32ToFloat16((float[]) values, (short[]) stored, count);
            }
        }
    }

    private static final class Doubles extends PanelArithmetic {
        Doubles() {
            super(DType.FLOAT64);
        }

        @Override
        int bytes() {
            return Double.BYTES;
        }

        @Override
        Object allocate(int count) {
            return new double[count];
        }

        @Override
        void load(Object stored, Object into, int count) {
            throw new IllegalStateException("Doubles are computed with as they are stored");
        }

        @Override
        void multiply(Object a, int aFrom, Object b, int bFrom, int n, Object out, int at, int step) {
            Panels.multiply((double[]) a, aFrom, (double[]) b, bFrom, n, (double[]) out, at, step);
        }

        @Override
        void dots(Object a, int aStep, Object b, int bStep, int n, Object out) {
            Dots.dots((double[]) a, 0, aStep, (double[]) b, 0, bStep, n, (double[]) out);
        }

        @Override
        void add(Object sums, Object others, int count) {
            double[] x = (double[]) sums;
            double[] y = (double[]) others;
            for (int i = 0; i < count; i++) {
                x[i] += y[i];
            }
        }

        @Override
        void store(Object values, Object stored, int count) {
            Panels.keepOneNaN((double[]) values, count);
        }
    }

    private static final class Ints extends PanelArithmetic {
        Ints(DType dtype) {
            super(dtype);
        }

        @Override
        int bytes() {
            return Integer.BYTES;
        }

        @Override
        Object allocate(int count) {
            return new int[count];
        }

        @Override
        void load(Object stored, Object into, int count) {
            switch (dtype) {
                case UINT8 -> Casts.uint8ToInt32((byte[]) stored, (int[]) into, count);
                case INT8 -> Casts.int8ToInt32((byte[]) stored, (int[]) into, count);
                default -> Casts.int16ToInt32((short[]) stored, (int[]) into, count);
            }
        }

        @Override
        void multiply(Object a, int aFrom, Object b, int bFrom, int n, Object out, int at, int step) {
            Panels.multiply((int[]) a, aFrom, (int[]) b, bFrom, n, (int[]) out, at, step);
        }

        @Override
        void dots(Object a, int aStep, Object b, int bStep, int n, Object out) {
            Dots.dots((int[]) a, 0, aStep, (int[]) b, 0, bStep, n, (int[]) out);
        }

        @Override
        void add(Object sums, Object others, int count) {
            int[] x = (int[]) sums;
            int[] y = (int[]) others;
            for (int i = 0; i < count; i++) {
                x[i] += y[i];
            }
        }

        @Override
        void store(Object values, Object stored, int count) {
            switch (dtype) {
                case UINT8, INT8 -> Casts.int32ToInt8((int[]) values, (byte[]) stored, count);
                case INT16 -> Casts.int32ToInt16((int[]) values, (short[]) stored, count);
                default -> {} // stored as they are
            }
        }
    }

    private static final class Longs extends PanelArithmetic {
        Longs() {
            super(DType.INT64);
        }

        @Override
        int bytes() {
            return Long.BYTES;
        }

        @Override
        Object allocate(int count) {
            return new long[count];
        }

        @Override
        void load(Object stored, Object into, int count) {
            throw new IllegalStateException("Longs are computed with as they are stored");
        }

        @Override
        void multiply(Object a, int aFrom, Object b, int bFrom, int n, Object out, int at, int step) {
            Panels.multiply((long[]) a, aFrom, (long[]) b, bFrom, n, (long[]) out, at, step);
        }

        @Override
        void dots(Object a, int aStep, Object b, int bStep, int n, Object out) {
            Dots.dots((long[]) a, 0, aStep, (long[]) b, 0, bStep, n, (long[]) out);
        }

        @Override
        void add(Object sums, Object others, int count) {
            long[] x = (long[]) sums;
            long[] y = (long[]) others;
            for (int i = 0; i < count; i++) {
                x[i] += y[i];
            }
        }

        @Override
        void store(Object values, Object stored, int count) {
            // stored as they are
        }
    }
}
