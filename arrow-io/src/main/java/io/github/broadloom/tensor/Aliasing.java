package io.github.broadloom.tensor;

import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Overlap;
import io.github.broadloom.shape.Shape;

/** How the memory that an operation reads lies to the memory that it writes. */
public enum Aliasing {
    /** No byte is shared. */
    APART,

    /** Every element is read at the place where its result is written: safe for pointwise operations. */
    IN_PLACE,

    /** Elements may be overwritten before they are read: what is read must be copied first. */
    CROSSING;

    /**
     * The relation of two tensors, of which the first broadcasts to the second's shape. Sound, and cautious where the
     * exact answer is expensive: see {@link Overlap}.
     */
    public static Aliasing of(Tensor read, Tensor written) {
        if (!read.device().equals(written.device())
                || read.numel() == 0
                || written.numel() == 0
                || endOf(read) <= written.deviceAddress()) {
            return APART;
        }
        if (endOf(written) <= read.deviceAddress()) {
            return APART;
        }
        int width = written.dtype().bytes();
        long distanceBytes = read.deviceAddress() - written.deviceAddress();
        if (read.dtype().bytes() != width || distanceBytes % width != 0) {
            return CROSSING;
        }
        long distance = distanceBytes / width;
        if (distance == 0 && sameSteps(read.layout().expand(written.shape()), written.layout())) {
            return IN_PLACE;
        }
        Layout readPlaces = at(read.layout(), Math.max(distance, 0));
        Layout writtenPlaces = at(written.layout(), Math.max(-distance, 0));
        return Overlap.areApart(readPlaces, writtenPlaces) ? APART : CROSSING;
    }

    private static long endOf(Tensor tensor) {
        long elements = tensor.layout().maxElement() - tensor.layout().offset() + 1;
        return tensor.deviceAddress() + tensor.dtype().sizeBytes(elements);
    }

    private static Layout at(Layout layout, long offset) {
        return Layout.of(layout.shape(), layout.strides(), offset);
    }

    private static boolean sameSteps(Layout a, Layout b) {
        Shape shape = b.shape();
        for (int dim = 0; dim < shape.rank(); dim++) {
            if (shape.size(dim) > 1 && a.stride(dim) != b.stride(dim)) {
                return false;
            }
        }
        return true;
    }
}
