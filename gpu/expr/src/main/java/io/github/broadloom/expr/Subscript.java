package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** What stands between the brackets of {@code x[0, 1:3, None, ..., i]}: NumPy's indexing, by PyTorch's rules and with its errors. */
public final class Subscript {
    /** One of the things between the commas. */
    public sealed interface Item {}

    /** One index, which may be negative: the dimension goes away. */
    public record At(long index) implements Item {}

    public record Range(Slice slice) implements Item {}

    /** A tensor: of integers that name indices, or a mask, bool or uint8, of some dimensions. */
    public record Picked(Expr index) implements Item {
        boolean isMask() {
            return index.dtype() == DType.BOOL || index.dtype() == DType.UINT8;
        }

        /** The same; a mask that is computed with its values, as how many of them are true decides the shape of what is picked. */
        public Picked known(Function<Expr, Tensor> values) {
            return isMask() && !KnownValues.areOf(index) ? new Picked(Input.of(values.apply(index))) : this;
        }

        /** Whether it is as good as a plain integer, which takes its dimension away before others are looked at. */
        boolean isScalar() {
            return !isMask() && index.shape().rank() == 0;
        }

        int dims() {
            return isMask() ? index.shape().rank() : 1;
        }
    }

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
        int taken = items.stream().mapToInt(Subscript::dims).sum();
        check(rank, taken, items);
        Expr result = x;
        boolean isUnsized = Unsized.is(x);
        SortedMap<Integer, Expr> picked = new TreeMap<>();
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
            } else if (item instanceof Picked tensor && tensor.isScalar()) {
                List<Expr> one = indices(tensor, result.shape(), dim, place);
                result = Picking.index(result, new TreeMap<>(Map.of(dim, one.get(0))));
            } else if (item instanceof Picked tensor) {
                boolean isScalarMask = tensor.isMask() && tensor.dims() == 0;
                result = isScalarMask ? ViewOps.unsqueeze(result, dim) : result; // all of it, or nothing
                for (Expr index : indices(tensor, result.shape(), dim, place)) {
                    picked.put(dim++, index);
                }
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
        return picked.isEmpty() ? result : Picking.index(result, picked);
    }

    private static int dims(Item item) {
        return item instanceof Mark ? 0 : item instanceof Picked picked ? picked.dims() : 1;
    }

    private static List<Expr> indices(Picked tensor, Shape shape, int dim, int place) {
        if (!tensor.isMask()
                && tensor.index().dtype() != DType.INT32
                && tensor.index().dtype() != DType.INT64) {
            throw new IndexOutOfBoundsException("tensors used as indices must be long, int, byte or bool tensors");
        }
        if (!tensor.isMask()) {
            return List.of(tensor.index());
        }
        Shape mask = tensor.index().shape();
        for (int d = 0; d < mask.rank(); d++) {
            if (mask.size(d) != shape.size(dim + d)) {
                throw new IndexOutOfBoundsException("The shape of the mask " + mask + " at index " + d
                        + " does not match the shape of the indexed tensor " + shape + " at index " + (place + d));
            }
        }
        return Picking.places(tensor.index());
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
