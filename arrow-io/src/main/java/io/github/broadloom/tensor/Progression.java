package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.SixDigits;
import io.github.broadloom.shape.Shape;
import java.io.Serializable;

/** Numbers in equal steps, of which any run is made without those before it: what {@code arange} and {@code linspace} are made of. */
public sealed interface Progression extends Serializable {
    DType dtype();

    long count();

    /** Its numbers from one place to before another: a vector. */
    Tensor elements(long from, long to);

    /** All of its numbers. */
    default Tensor elements() {
        return elements(0, count());
    }

    /**
     * From {@code start} in steps, {@code end} excluded; the elements are computed in int64 and then cast.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a step of 0 or in the other direction, and for bool
     */
    static Progression arange(long start, long end, long step, DType dtype) {
        check("arange", dtype);
        checkRange(step == 0, step > 0 ? start > end : start < end);
        long distance = Math.subtractExact(end, start);
        return new Longs(start, step, distance == 0 ? 0 : (distance - Long.signum(step)) / step + 1, dtype);
    }

    /**
     * From {@code start} in steps, {@code end} excluded; the elements are computed in float64 and then rounded.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a step of 0 or in the other direction, ends that are not finite or too far apart, and for bool
     */
    static Progression arange(double start, double end, double step, DType dtype) {
        check("arange", dtype);
        if (step != 0 && (!Double.isFinite(start) || !Double.isFinite(end))) {
            throw new IllegalArgumentException(
                    "unsupported range: " + SixDigits.of(start) + " -> " + SixDigits.of(end));
        }
        checkRange(step == 0, !(step > 0 ? start <= end : start >= end));
        double count = Math.ceil((end - start) / step);
        if (!(count < Long.MAX_VALUE)) {
            throw new IllegalArgumentException("invalid size, possible overflow?");
        }
        return new Doubles(start, step, (long) count, dtype);
    }

    /**
     * {@code steps} numbers evenly from {@code start} to {@code end}, both included; the second half is counted back from the end.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a negative number of steps, and for bool
     */
    static Progression linspace(double start, double end, long steps, DType dtype) {
        check("linspace", dtype);
        if (steps < 0) {
            throw new IllegalArgumentException("number of steps must be non-negative");
        }
        return new Between(start, end, steps, dtype);
    }

    private static void check(String name, DType dtype) {
        if (dtype == DType.BOOL) {
            throw new IllegalArgumentException("\"" + name + "_cpu\" not implemented for 'Bool'");
        }
    }

    private static void checkRange(boolean stands, boolean inconsistent) {
        if (stands) {
            throw new IllegalArgumentException("step must be nonzero");
        }
        if (inconsistent) {
            throw new IllegalArgumentException("upper bound and lower bound inconsistent with step sign");
        }
    }

    /** Integers. */
    record Longs(long start, long step, long count, DType dtype) implements Progression {
        @Override
        public Tensor elements(long from, long to) {
            return Tensors.ofLongs(dtype, Shape.of(to - from), (first, values, length) -> {
                for (int i = 0; i < length; i++) {
                    values[i] = start + (from + first + i) * step;
                }
            });
        }
    }

    /** Floating numbers from a first one on. */
    record Doubles(double start, double step, long count, DType dtype) implements Progression {
        @Override
        public Tensor elements(long from, long to) {
            return Tensors.ofDoubles(dtype, Shape.of(to - from), (first, values, length) -> {
                for (int i = 0; i < length; i++) {
                    values[i] = start + (from + first + i) * step;
                }
            });
        }
    }

    /** Floating numbers from a first one to a last one. */
    record Between(double start, double end, long count, DType dtype) implements Progression {
        @Override
        public Tensor elements(long from, long to) {
            double step = (end - start) / Math.max(1, count - 1);
            return Tensors.ofDoubles(dtype, Shape.of(to - from), (first, values, length) -> {
                for (int i = 0; i < length; i++) {
                    long place = from + first + i;
                    boolean firstHalf = place < count / 2 || count == 1;
                    values[i] = firstHalf ? start + place * step : end - (count - 1 - place) * step;
                }
            });
        }
    }
}
