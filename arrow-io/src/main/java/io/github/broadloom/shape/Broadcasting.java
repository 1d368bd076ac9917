package io.github.broadloom.shape;

import io.github.broadloom.dtype.DType;
import java.util.Arrays;

/**
 * NumPy's broadcasting: shapes align at their last dimension, and a size of one repeats. A repeated dimension has stride
 * 0; this is the only place that expands.
 */
public final class Broadcasting {
    private Broadcasting() {}

    /**
     * The common shape, taken from left to right; none give the scalar.
     *
     * @throws IllegalArgumentException with PyTorch's text, for the last dimension that does not match
     */
    public static Shape broadcastShapes(Shape... shapes) {
        Shape common = Shape.SCALAR;
        for (Shape shape : shapes) {
            common = broadcast(common, shape);
        }
        return common;
    }

    private static Shape broadcast(Shape a, Shape b) {
        if (a.equals(b)) {
            return a;
        }
        int rank = Math.max(a.rank(), b.rank());
        long[] sizes = new long[rank];
        for (int dim = rank - 1; dim >= 0; dim--) {
            int dimA = dim - rank + a.rank();
            int dimB = dim - rank + b.rank();
            long sizeA = dimA < 0 ? 1 : a.size(dimA);
            long sizeB = dimB < 0 ? 1 : b.size(dimB);
            if (sizeA != sizeB && sizeA != 1 && sizeB != 1) {
                throw new IllegalArgumentException("The size of tensor a (" + sizeA
                        + ") must match the size of tensor b (" + sizeB + ") at non-singleton dimension " + dim);
            }
            sizes[dim] = sizeA == 1 ? sizeB : sizeA;
        }
        return Shape.of(sizes);
    }

    /**
     * Whether PyTorch's backward-compatibility warning is due: the shapes differ and broadcast, and they have equally
     * many elements, so that PyTorch before 0.2 paired the elements in order instead.
     */
    public static boolean warnsOfLegacyBroadcast(Shape a, Shape b) {
        return !a.equals(b) && a.numel() == b.numel() && compatible(a, b);
    }

    private static boolean compatible(Shape a, Shape b) {
        for (int back = 1; back <= Math.min(a.rank(), b.rank()); back++) {
            long sizeA = a.size(a.rank() - back);
            long sizeB = b.size(b.rank() - back);
            if (sizeA != sizeB && sizeA != 1 && sizeB != 1) {
                return false;
            }
        }
        return true;
    }

    /** {@link Layout#expand(long...)}; the strides are those of PyTorch's {@code inferExpandGeometry}. */
    static Layout expand(Layout layout, long[] target) {
        Shape shape = layout.shape();
        int added = target.length - shape.rank();
        if (added < 0) {
            throw new IllegalArgumentException(tooFewSizes("" + shape, target, shape.rank()));
        }
        long[] sizes = new long[target.length];
        long[] strides = new long[target.length];
        for (int dim = target.length - 1; dim >= 0; dim--) {
            boolean isNew = dim < added;
            long size = isNew ? 1 : shape.size(dim - added);
            long wanted = target[dim];
            if (wanted == -1) {
                if (isNew) {
                    throw new IllegalArgumentException("The expanded size of the tensor (-1) isn't allowed in a"
                            + " leading, non-existing dimension " + dim);
                }
                wanted = size;
            }
            if (wanted != size && size != 1) {
                throw new IllegalArgumentException("The expanded size of the tensor (" + wanted
                        + ") must match the existing size (" + size + ") at non-singleton dimension " + dim
                        + ".  Target sizes: " + Arrays.toString(target) + ".  Tensor sizes: " + shape);
            }
            sizes[dim] = wanted;
            if (wanted != size || shape.rank() == 0) { // PyTorch gives an expanded scalar stride 0 even at size one
                strides[dim] = 0;
            } else if (!isNew) {
                strides[dim] = layout.stride(dim - added);
            } else {
                strides[dim] = sizes[dim + 1] * strides[dim + 1];
            }
        }
        checkCount(sizes);
        return Layout.of(Shape.of(sizes), strides, layout.offset());
    }

    /**
     * Refuses fewer sizes than dimensions.
     *
     * @throws IllegalArgumentException with PyTorch's text, which names the dtype
     */
    public static void requireEnoughSizes(DType dtype, Shape shape, long... sizes) {
        if (sizes.length < shape.rank()) {
            String tensor = "torch." + dtype.typeName() + "Tensor{" + shape + "}";
            throw new IllegalArgumentException(tooFewSizes(tensor, sizes, shape.rank()));
        }
    }

    private static String tooFewSizes(String tensor, long[] sizes, int rank) {
        return "expand(" + tensor + ", size=" + Arrays.toString(sizes) + "): the number of sizes provided ("
                + sizes.length + ") must be greater or equal to the number of dimensions in the tensor (" + rank + ")";
    }

    private static void checkCount(long[] sizes) {
        long count = 1;
        for (long size : sizes) {
            if (size < 0 || Math.multiplyHigh(count, size) != 0 || count * size < 0) {
                throw new IllegalArgumentException("numel: integer multiplication overflow");
            }
            count *= size;
        }
    }
}
