package io.github.broadloom.shape;

import java.util.stream.IntStream;

/** The views of {@link Layout} that put the dimensions in another order. */
final class Permuting {
    private Permuting() {}

    static Layout permute(Layout layout, int... dims) {
        Shape shape = layout.shape();
        if (dims.length != shape.rank()) {
            // PyTorch says sparse_coo of dense tensors too.
            throw new IllegalArgumentException("permute(sparse_coo): number of dimensions in the tensor input does not"
                    + " match the length of the desired ordering of dimensions i.e. input.dim() = " + shape.rank()
                    + " is not equal to len(dims) = " + dims.length);
        }
        long[] sizes = new long[dims.length];
        long[] strides = new long[dims.length];
        boolean[] seen = new boolean[dims.length];
        for (int to = 0; to < dims.length; to++) {
            int from = shape.normalizeDim(dims[to]);
            if (seen[from]) {
                throw new IllegalArgumentException("permute(): duplicate dims are not allowed.");
            }
            seen[from] = true;
            sizes[to] = shape.size(from);
            strides[to] = layout.stride(from);
        }
        return new Layout(Shape.of(sizes), strides, layout.offset());
    }

    static Layout transpose(Layout layout, int dim0, int dim1) {
        int a = layout.shape().normalizeDim(dim0);
        int b = layout.shape().normalizeDim(dim1);
        if (layout.rank() == 0) {
            return layout;
        }
        int[] order = IntStream.range(0, layout.rank()).toArray();
        order[a] = b;
        order[b] = a;
        return permute(layout, order);
    }

    static Layout t(Layout layout) {
        if (layout.rank() > 2) {
            throw new IllegalArgumentException(
                    "t() expects a tensor with <= 2 dimensions, but self is " + layout.rank() + "D");
        }
        return layout.rank() < 2 ? layout : transpose(layout, 0, 1);
    }

    static Layout movedim(Layout layout, int source, int destination) {
        int from = layout.shape().normalizeDim(source);
        int to = layout.shape().normalizeDim(destination);
        if (layout.rank() == 0) {
            return layout;
        }
        int last = layout.rank() - 1;
        int[] order = IntStream.range(0, layout.rank()).toArray();
        System.arraycopy(order, from + 1, order, from, last - from);
        System.arraycopy(order, to, order, to + 1, last - to);
        order[to] = from;
        return permute(layout, order);
    }
}
