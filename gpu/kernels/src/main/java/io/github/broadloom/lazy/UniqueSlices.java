package io.github.broadloom.lazy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.UniqueValues.Inverse;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Optional;

/** The distinct slices of a tensor along a dimension, in the order of their elements from the first to the last. They are compared by which of the distinct values each element is. */
final class UniqueSlices {
    private final Tensor ranks;
    private final int count;
    private final long width;

    /** @param ranks of all elements, row by row */
    private UniqueSlices(Tensor ranks, int count) {
        this.ranks = ranks;
        this.count = count;
        this.width = count == 0 ? 0 : ranks.numel() / count;
    }

    /** @see UniqueValues#dimOfSlices */
    static int along(Shape shape, int dim) {
        if (shape.rank() == 0) {
            throw new IndexOutOfBoundsException("Dimension specified as " + dim + " but tensor has no dimensions");
        }
        int along = shape.normalizeDim(dim);
        if (shape.numel() == 0 && shape.with(along, 1).numel() == 0) {
            throw new IllegalArgumentException(
                    "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
        }
        return along;
    }

    /** @throws IllegalArgumentException with PyTorch's text, where slices have no elements */
    static UniqueValues of(Tensor tensor, int dim, Inverse inverse, int threads) {
        int along = along(tensor.shape(), dim);
        Tensor rows = tensor.movedim(along, 0).contiguous();
        UniqueValues elements = UniqueValues.of(rows, Inverse.WITH, threads);
        try (Hold held = Hold.of(elements.inverse(), rows)) {
            UniqueSlices slices = new UniqueSlices(
                    elements.inverse(), Math.toIntExact(rows.shape().size(0)));
            return slices.unique(rows, inverse).along(along);
        } finally {
            elements.release();
            rows.releaseCopyOf(tensor);
        }
    }

    /** @param parts the distinct slices of parts, along the first dimension, in the order of the parts */
    static UniqueValues joined(List<UniqueValues> parts, int threads) {
        Tensor rows = rows(parts);
        UniqueValues all = of(rows, 0, Inverse.WITH, threads);
        try (Hold held = Hold.of(all.inverse())) {
            return new UniqueValues(all.values(), counted(parts, all), Optional.of(places(parts, all.inverse())));
        } finally {
            rows.release();
            all.counts().release();
            all.inverse().release();
        }
    }

    private static Tensor rows(List<UniqueValues> parts) {
        Tensor first = parts.get(0).values();
        long count = parts.stream().mapToLong(part -> part.counts().numel()).sum();
        Tensor rows = Tensors.empty(first.dtype(), first.shape().with(0, count));
        long at = 0;
        for (UniqueValues part : parts) {
            rows.narrow(0, at, part.counts().numel()).copy_(part.values());
            at += part.counts().numel();
        }
        return rows;
    }

    private static Tensor counted(List<UniqueValues> parts, UniqueValues all) {
        Tensor counts = Tensors.zeros(all.counts().shape(), DType.INT64);
        long row = 0;
        for (UniqueValues part : parts) {
            for (long i = 0; i < part.counts().numel(); i++) {
                long count = counts.address() + element(all.inverse(), row++) * Long.BYTES;
                RawMemory.putLong(count, RawMemory.getLong(count) + element(part.counts(), i));
            }
        }
        return counts;
    }

    private static Tensor places(List<UniqueValues> parts, Tensor placeOfRow) {
        long slices = parts.stream().mapToLong(part -> part.inverse().numel()).sum();
        Tensor places = Tensors.empty(DType.INT64, Shape.of(slices));
        long at = places.address();
        long firstRow = 0;
        for (UniqueValues part : parts) {
            for (long i = 0; i < part.inverse().numel(); i++, at += Long.BYTES) {
                RawMemory.putLong(at, element(placeOfRow, firstRow + element(part.inverse(), i)));
            }
            firstRow += part.counts().numel();
        }
        return places;
    }

    private static long element(Tensor numbers, long at) {
        return RawMemory.getLong(numbers.address() + at * Long.BYTES);
    }

    private UniqueValues unique(Tensor rows, Inverse inverse) {
        int[] order = sorted();
        int[] firsts = new int[count];
        Tensor places = Tensors.empty(DType.INT64, Shape.of(count));
        long[] counts = new long[count];
        int found = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || compare(order[i - 1], order[i]) != 0) {
                firsts[found++] = order[i];
            }
            counts[found - 1]++;
            RawMemory.putLong(places.address() + (long) order[i] * Long.BYTES, found - 1);
        }
        Tensor values = Tensors.empty(rows.dtype(), rows.shape().with(0, found));
        long bytes = rows.dtype().sizeBytes(width);
        for (int i = 0; i < found; i++) {
            RawMemory.copy(null, rows.address() + firsts[i] * bytes, null, values.address() + i * bytes, bytes);
        }
        Tensor counted = Tensors.empty(DType.INT64, Shape.of(found));
        for (int i = 0; i < found; i++) {
            RawMemory.putLong(counted.address() + (long) i * Long.BYTES, counts[i]);
        }
        if (inverse == Inverse.WITHOUT) {
            places.release();
        }
        return new UniqueValues(
                UniqueValues.withOneZero(values),
                counted,
                inverse == Inverse.WITH ? Optional.of(places) : Optional.empty());
    }

    /** The numbers of the slices in order, by merging; equal ones keep theirs. */
    private int[] sorted() {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        int[] other = new int[count];
        for (int length = 1; length < count; length *= 2) {
            for (int first = 0; first < count; first += 2 * length) {
                merge(order, first, Math.min(count, first + length), Math.min(count, first + 2 * length), other);
            }
            int[] merged = other;
            other = order;
            order = merged;
        }
        return order;
    }

    private void merge(int[] order, int first, int middle, int end, int[] into) {
        int left = first;
        int right = middle;
        for (int i = first; i < end; i++) {
            boolean isLeft = right == end || left < middle && compare(order[left], order[right]) <= 0;
            into[i] = isLeft ? order[left++] : order[right++];
        }
    }

    private int compare(int one, int other) {
        long left = ranks.address() + one * width * Long.BYTES;
        long right = ranks.address() + other * width * Long.BYTES;
        for (long i = 0; i < width; i++) {
            int compared =
                    Long.compare(RawMemory.getLong(left + i * Long.BYTES), RawMemory.getLong(right + i * Long.BYTES));
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }
}
