package io.github.broadloom.random;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;

/**
 * An array of random numbers, of which any box is drawn by itself: an element depends on the seed, the stream and its place in row-major order alone. The same bits stand for an
 * element whatever its dtype: of a float32 those of the float64, cut off.
 */
public record RandomArray(long seed, int stream, Distribution distribution, DType dtype, Shape shape)
        implements BlockReader {
    /** @throws IllegalArgumentException where numbers of that dtype cannot be drawn so, with PyTorch's text where it has one */
    public RandomArray {
        distribution.check(dtype);
    }

    /** All of it. */
    public Tensor read() {
        return read(Box.whole(shape));
    }

    @Override
    public Tensor read(Box box) {
        Lines lines = Lines.of(box, shape);
        if (distribution instanceof Distribution.Integers integers) {
            return Tensors.ofLongs(dtype, box.shape(), (first, values, count) -> {
                bits(lines, first, values, count);
                integers(integers, lines, first, values, count);
            });
        }
        Distribution.Floating floating = (Distribution.Floating) distribution;
        return Tensors.ofDoubles(dtype, box.shape(), (first, values, count) -> {
            long[] bits = new long[count];
            bits(lines, first, bits, count);
            floating.fill(values, bits, dtype.significantBits());
        });
    }

    /** Nothing is read. */
    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return 0;
    }

    private void bits(Lines lines, long first, long[] to, int count) {
        for (int at = 0; at < count; ) {
            int part = (int) Math.min(count - at, lines.length - (first + at) % lines.length);
            Philox.bits(seed, stream, 0, lines.place(first + at), to, at, part);
            at += part;
        }
    }

    private void integers(Distribution.Integers integers, Lines lines, long first, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            for (int attempt = 1; integers.refuses(values[i]); attempt++) {
                Philox.bits(seed, stream, attempt, lines.place(first + i), values, i, 1);
            }
            values[i] = integers.value(values[i]);
        }
    }

    /**
     * The lines of a box whose elements are neighbours in the whole, as long as they can be.
     *
     * @param cut the last dimension of which the box has a part; -1 where it is the whole
     */
    private record Lines(Box box, Shape whole, int cut, long length) {
        static Lines of(Box box, Shape whole) {
            int cut = whole.rank() - 1;
            long length = 1;
            while (cut >= 0 && box.size(cut) == whole.size(cut)) {
                length *= whole.size(cut--);
            }
            return new Lines(box, whole, cut, cut < 0 ? length : length * box.size(cut));
        }

        /** The place in the whole of an element of the box. */
        long place(long index) {
            long place = index % length;
            if (cut < 0) {
                return place;
            }
            long stride = length / box.size(cut);
            place += box.start(cut) * stride;
            long rest = index / length;
            for (int d = cut - 1; d >= 0; d--) {
                stride *= whole.size(d + 1);
                place += (box.start(d) + rest % box.size(d)) * stride;
                rest /= box.size(d);
            }
            return place;
        }
    }
}
