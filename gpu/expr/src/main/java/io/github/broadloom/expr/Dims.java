package io.github.broadloom.expr;

import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The dimensions that a reduction names, checked by PyTorch's rules. */
final class Dims {
    private Dims() {}

    /**
     * The dimensions ascending, none negative. None named means all; a scalar accepts 0 and -1, and has none.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    static int[] normalize(Shape shape, int[] dims) {
        if (dims.length == 0) {
            return IntStream.range(0, shape.rank()).toArray();
        }
        int[] normalized = Arrays.stream(dims).map(shape::normalizeDim).toArray();
        checkDistinct(shape, normalized);
        Arrays.sort(normalized);
        return shape.rank() == 0 ? new int[0] : normalized;
    }

    /**
     * Looks at one dimension after the other, as PyTorch's deviations and norms do: of two mistakes it names the first.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
     */
    static void checkDistinct(Shape shape, int[] dims) {
        boolean[] taken = new boolean[Math.max(1, shape.rank())];
        for (int given : dims) {
            int dim = shape.normalizeDim(given);
            if (taken[dim]) {
                throw new IllegalArgumentException("dim " + dim + " appears multiple times in the list of dims");
            }
            taken[dim] = true;
        }
    }

    /**
     * @throws IndexOutOfBoundsException with PyTorch's text, where there is no value to reduce
     * @throws IllegalArgumentException with PyTorch's text, where {@code amin} or {@code amax} names no dimension
     */
    static void checkNotEmpty(Reduction reduction, Shape shape, int[] dims) {
        if (shape.numel() != 0) {
            return;
        }
        if (dims.length > 0) {
            checkNotEmpty(reduction.torchName(), shape, dims, reduction.isPosition());
            return;
        }
        String text = reduction.torchName() + "(): Expected reduction dim to be specified for input.numel() == 0.";
        if (reduction.isPosition()) {
            throw new IndexOutOfBoundsException(text);
        }
        throw new IllegalArgumentException(text + " Specify the reduction dim with the 'dim' argument.");
    }

    private static void checkNotEmpty(String name, Shape shape, int[] dims, boolean normalized) {
        for (int dim : dims) {
            int actual = shape.normalizeDim(dim);
            if (shape.size(actual) == 0) { // amin and amax name the dimension as it was given
                throw new IndexOutOfBoundsException(
                        name + "(): Expected reduction dim " + (normalized ? actual : dim) + " to have non-zero size.");
            }
        }
    }

    /**
     * @throws IndexOutOfBoundsException with PyTorch's text, where dimension {@code dim}, not negative, has no values
     */
    static void checkNotEmpty(String name, Shape shape, int dim) {
        if (shape.rank() > 0) {
            checkNotEmpty(name, shape, new int[] {dim}, true);
        }
    }

    static List<Integer> listed(int... dims) {
        return Arrays.stream(dims).boxed().toList();
    }

    static int[] array(List<Integer> dims) {
        return dims.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Python's tuple of what is written as a list. */
    static String tuple(String list) {
        return list.replace('[', '(').replace(']', ')');
    }

    static long count(Shape shape, int[] dims) {
        long count = 1;
        for (int dim : dims) {
            count *= shape.size(dim);
        }
        return count;
    }

    /** The shape without these dimensions, ascending and not negative, or with size one in their place. */
    static Shape reduced(Shape shape, KeepDim keepDim, int... dims) {
        Shape result = shape;
        for (int i = dims.length - 1; i >= 0; i--) {
            result = keepDim.keeps() ? result.with(dims[i], 1) : result.without(dims[i]);
        }
        return result;
    }
}
