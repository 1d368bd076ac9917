package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
        Picked known(Function<Expr, Tensor> values) {
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
        Walk walk = walk(x, items);
        SortedMap<Integer, Expr> picked = walk.indices(null);
        return picked.isEmpty() ? walk.view : Picking.index(walk.view, picked);
    }

    /**
     * As {@link #of(Expr, List)}, with masks whose values are computed.
     *
     * @param values the elements of an expression, on the CPU
     */
    public static Expr of(Expr x, List<Item> items, Function<Expr, Tensor> values) {
        if (items.size() == 1
                && items.get(0) instanceof Picked picked
                && picked.isMask()
                && picked.dims() > 0
                && MaskOps.staysAway(x)) {
            check(x.shape().rank(), picked.dims(), items);
            check(picked, x.shape(), 0, 0);
            return MaskOps.pickedThere(x, Expr.cast(picked.index, DType.BOOL), values);
        }
        return of(
                x,
                items.stream()
                        .map(item -> item instanceof Picked picked ? picked.known(values) : item)
                        .toList());
    }

    /** What the items take: a view, of which tensors pick elements. */
    static Walk walk(Expr x, List<Item> items) {
        int taken = items.stream().mapToInt(Subscript::dims).sum();
        check(x.shape().rank(), taken, items);
        Walk walk = new Walk(x);
        for (Item item : items) {
            walk.take(item, taken);
        }
        walk.pass(x.shape().rank() - walk.ranges.size());
        return walk;
    }

    /**
     * A tensor that picks elements of a view.
     *
     * @param dim the first of the view's dimensions that it indexes
     */
    record Pick(Picked picked, int dim) {
        /** An index for each of these dimensions; of a mask as many as it has true values. */
        List<Expr> indices(@Nullable Function<Expr, Tensor> values) {
            return picked.isMask()
                    ? MaskOps.places(KnownValues.computed(picked.index, "index", "a mask", values))
                    : List.of(picked.index);
        }
    }

    /** From item to item. */
    static final class Walk {
        private final Expr x;
        private final boolean isUnsized;
        private Expr view;
        private final List<Pick> picks = new ArrayList<>();
        /** Of each dimension of {@code x} what the view has of it. */
        private final List<Taken> ranges = new ArrayList<>();
        /** The next dimension of the view. */
        private int dim;
        /** The same among all items, as PyTorch counts dimensions in its text. */
        private int place;

        private Walk(Expr x) {
            this.x = x;
            this.view = x;
            this.isUnsized = Unsized.is(x);
        }

        Expr view() {
            return view;
        }

        List<Pick> picks() {
            return picks;
        }

        /** {@code x} with other values in the place of those of the view, or that its tensors pick of. */
        Expr written(Expr values) {
            long[] sizes = ranges.stream().mapToLong(Taken::count).toArray();
            return Taken.embedded(x, ranges, ViewOps.reshape(values, sizes));
        }

        /** By the dimensions of the view. */
        SortedMap<Integer, Expr> indices(@Nullable Function<Expr, Tensor> values) {
            SortedMap<Integer, Expr> indices = new TreeMap<>();
            for (Pick pick : picks) {
                int next = pick.dim;
                for (Expr index : pick.indices(values)) {
                    indices.put(next++, index);
                }
            }
            return indices;
        }

        private void take(Item item, int taken) {
            if (item == Mark.ELLIPSIS) {
                int skipped = x.shape().rank() - taken;
                pass(skipped);
                dim += skipped;
                place += skipped;
                return;
            }
            if (item == Mark.NEW_AXIS) {
                view = ViewOps.unsqueeze(view, dim++);
            } else if (item instanceof Range range) {
                take(range.slice());
            } else if (item instanceof At at) {
                take(at.index());
            } else if (item instanceof Picked picked) {
                take(picked);
            }
            place++;
        }

        /** Dimensions that stay as they are. */
        private void pass(int dims) {
            for (int i = 0; i < dims; i++) {
                ranges.add(Taken.all(x.shape().size(ranges.size())));
            }
        }

        private void take(Slice slice) {
            long size = view.shape().size(dim);
            view = ViewOps.slice(view, dim, slice);
            ranges.add(new Taken(slice.first(size), view.shape().size(dim++), slice.step()));
        }

        private void take(long index) {
            view = isUnsized ? Unsized.reaching(Unsized.like(view), dim, index) : view;
            long size = view.shape().size(dim);
            if (index < -size || index >= size) {
                throw new IndexOutOfBoundsException(Picking.outOfBounds(index, place, size));
            }
            view = ViewOps.select(view, dim, index);
            ranges.add(new Taken(index < 0 ? index + size : index, 1, 1));
        }

        private void take(Picked picked) {
            check(picked, view.shape(), dim, place);
            if (picked.isScalar()) {
                view = Picking.index(view, new TreeMap<>(Map.of(dim, picked.index)));
                pass(1);
                return;
            }
            boolean isScalarMask = picked.isMask() && picked.dims() == 0;
            view = isScalarMask ? ViewOps.unsqueeze(view, dim) : view; // all of it, or nothing
            picks.add(new Pick(picked, dim));
            pass(picked.dims());
            dim += Math.max(1, picked.dims());
        }
    }

    private static int dims(Item item) {
        return item instanceof Mark ? 0 : item instanceof Picked picked ? picked.dims() : 1;
    }

    private static void check(Picked tensor, Shape shape, int dim, int place) {
        if (!tensor.isMask()
                && tensor.index().dtype() != DType.INT32
                && tensor.index().dtype() != DType.INT64) {
            throw new IndexOutOfBoundsException("tensors used as indices must be long, int, byte or bool tensors");
        }
        Shape mask = tensor.isMask() ? tensor.index().shape() : Shape.of();
        for (int d = 0; d < mask.rank(); d++) {
            if (mask.size(d) != shape.size(dim + d)) {
                throw new IndexOutOfBoundsException("The shape of the mask " + mask + " at index " + d
                        + " does not match the shape of the indexed tensor " + shape + " at index " + (place + d));
            }
        }
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
