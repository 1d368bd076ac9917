package io.github.broadloom.shape;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How a layout takes a new shape without moving an element. */
final class Reshaping {
    private Reshaping() {}

    /** {@link Layout#inferShape} for {@code numel} elements; the texts are those of PyTorch's {@code infer_size}. */
    static Shape infer(long numel, long... sizes) {
        long known = 1;
        int unknown = -1;
        for (int dim = 0; dim < sizes.length; dim++) {
            if (sizes[dim] == -1) {
                if (unknown >= 0) {
                    throw new IllegalArgumentException("only one dimension can be inferred");
                }
                unknown = dim;
            } else if (sizes[dim] < 0) {
                throw new IllegalArgumentException("invalid shape dimension " + sizes[dim] + " at index " + dim
                        + " of shape " + Arrays.toString(sizes));
            } else {
                known = Math.multiplyHigh(known, sizes[dim]) != 0 || known * sizes[dim] < 0
                        ? Long.MAX_VALUE // more than any tensor has, so it cannot match
                        : known * sizes[dim];
            }
        }
        boolean fits = unknown < 0 ? known == numel : known > 0 ? numel % known == 0 : numel == 0;
        if (!fits) {
            throw new IllegalArgumentException(
                    "shape '" + Arrays.toString(sizes) + "' is invalid for input of size " + numel);
        }
        if (unknown < 0) {
            return Shape.of(sizes);
        }
        if (known == 0) {
            throw new IllegalArgumentException("cannot reshape tensor of 0 elements into shape "
                    + Arrays.toString(sizes)
                    + " because the unspecified dimension size -1 can be any value and is ambiguous");
        }
        return Shape.of(LongArrays.with(sizes, unknown, numel / known));
    }

    /**
     * The strides of {@code target} over the elements of {@code layout}, or null where they are not regular. The layout
     * falls into runs of dimensions that are contiguous among themselves; every run must become whole dimensions of the
     * target. The rule is PyTorch's {@code computeStride}.
     */
    static long @Nullable [] strides(Layout layout, Shape target) {
        Shape shape = layout.shape();
        if (shape.numel() == 0) {
            return shape.equals(target) ? layout.strides() : Layout.contiguousStrides(target);
        }
        long[] strides = new long[target.rank()];
        if (shape.rank() == 0) {
            Arrays.fill(strides, 1);
            return strides;
        }
        int to = target.rank() - 1;
        long runStride = layout.stride(shape.rank() - 1);
        long runElements = 1;
        for (int from = shape.rank() - 1; from >= 0; from--) {
            runElements *= shape.size(from);
            boolean runEnds =
                    from == 0 || (shape.size(from - 1) != 1 && layout.stride(from - 1) != runElements * runStride);
            if (!runEnds) {
                continue;
            }
            long filled = 1;
            while (to >= 0 && (filled < runElements || target.size(to) == 1)) {
                strides[to] = filled * runStride;
                filled *= target.size(to--);
            }
            if (filled != runElements) {
                return null;
            }
            if (from > 0) {
                runStride = layout.stride(from - 1);
                runElements = 1;
            }
        }
        return to < 0 ? strides : null;
    }

    /** {@link Layout#flattenedShape}. */
    static Shape flattened(Shape shape, int startDim, int endDim) {
        int start = shape.normalizeDim(startDim);
        int end = shape.normalizeDim(endDim);
        if (start > end) {
            throw new IllegalArgumentException("flatten() has invalid args: start_dim cannot come after end_dim");
        }
        if (shape.rank() == 0) {
            return Shape.of(1);
        }
        Shape flat = Shape.of(shape.dims(start, end + 1).numel());
        return shape.dims(0, start).concat(flat).concat(shape.dims(end + 1, shape.rank()));
    }
}
