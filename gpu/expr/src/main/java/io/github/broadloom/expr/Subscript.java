package io.github.broadloom.expr;

import io.github.broadloom.shape.Slice;
import java.util.List;

/** What stands between the brackets of {@code x[0, 1:3, None, ...]}: NumPy's basic indexing, with PyTorch's errors. */
public final class Subscript {
    /** One of the things between the commas. */
    public sealed interface Item {}

    /** One index, which may be negative: the dimension goes away. */
    public record At(long index) implements Item {}

    public record Range(Slice slice) implements Item {}

    public enum Mark implements Item {
        /** {@code None}: a new dimension of size one. */
        NEW_AXIS,
        /** {@code ...}: all dimensions that the others leave. */
        ELLIPSIS
    }

    private Subscript() {}

    /**
     * The elements that these items take, from the first dimension on.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for an index out of range and for too many of them
     */
    public static Expr of(Expr x, List<Item> items) {
        int rank = x.shape().rank();
        int taken = (int) items.stream().filter(item -> !(item instanceof Mark)).count();
        check(rank, taken, items);
        Expr result = x;
        boolean isUnsized = Unsized.is(x);
        int dim = 0;
        int place = 0; // among all items, as PyTorch counts dimensions in its text
        for (Item item : items) {
            if (item == Mark.ELLIPSIS) {
                dim += rank - taken;
                place += rank - taken;
                continue;
            }
            if (item == Mark.NEW_AXIS) {
                result = ViewOps.unsqueeze(result, dim++);
            } else if (item instanceof Range range) {
                result = ViewOps.slice(result, dim++, range.slice());
            } else if (item instanceof At at) {
                result = isUnsized ? Unsized.reaching(Unsized.like(result), dim, at.index()) : result;
                long size = result.shape().size(dim);
                if (at.index() < -size || at.index() >= size) {
                    throw new IndexOutOfBoundsException(
                            "index " + at.index() + " is out of bounds for dimension " + place + " with size " + size);
                }
                result = ViewOps.select(result, dim, at.index());
            }
            place++;
        }
        return result;
    }

    private static void check(int rank, int taken, List<Item> items) {
        if (rank == 0 && items.size() == 1 && taken == 1) {
            throw new IndexOutOfBoundsException(ofScalar(items.get(0)));
        }
        if (taken > rank) {
            throw new IndexOutOfBoundsException("too many indices for tensor of dimension " + rank);
        }
        if (items.stream().filter(item -> item == Mark.ELLIPSIS).count() > 1) {
            throw new IndexOutOfBoundsException("an index can only have a single ellipsis ('...')"); // NumPy's words
        }
    }

    /** PyTorch's three texts for the one index of a scalar. */
    private static String ofScalar(Item item) {
        if (!(item instanceof At at)) {
            return "slice() cannot be applied to a 0-dim tensor.";
        }
        return at.index() == 0
                ? "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert"
                        + " a 0-dim tensor to a number"
                : "index " + at.index() + " is out of bounds for dimension 0 with size 0";
    }
}
