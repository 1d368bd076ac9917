package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.expr.ViewOp.Crop;
import io.github.broadloom.expr.ViewOp.Flip;
import io.github.broadloom.expr.ViewOp.Permute;
import io.github.broadloom.expr.ViewOp.Squeeze;
import io.github.broadloom.expr.ViewOp.Unsqueeze;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Repetition;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Rearrangements of expressions by PyTorch's names. Dimensions and indices may be negative, counting from the end; errors are
 * PyTorch's, the same as those of a tensor's views. Nothing is computed.
 */
public final class ViewOps {
    private ViewOps() {}

    /** The dimensions in another order: dimension {@code d} of the result is dimension {@code dims[d]}. */
    public static Expr permute(Expr x, int... dims) {
        return ordered(x, layout -> layout.permute(dims));
    }

    /** Two dimensions exchanged. */
    public static Expr transpose(Expr x, int dim0, int dim1) {
        return ordered(x, layout -> layout.transpose(dim0, dim1));
    }

    /** The transpose of a matrix; a vector or a scalar stays as it is. */
    public static Expr t(Expr x) {
        return ordered(x, Layout::t);
    }

    /** One dimension moved to another place; the others keep their order. */
    public static Expr movedim(Expr x, int source, int destination) {
        return ordered(x, layout -> layout.movedim(source, destination));
    }

    /**
     * Dimensions moved to other places, each to that of the same number; the others keep their order.
     *
     * @throws IllegalArgumentException with PyTorch's text, for lists of different lengths, or a dimension named twice
     */
    public static Expr movedim(Expr x, int[] sources, int[] destinations) {
        if (sources.length != destinations.length) {
            throw new IllegalArgumentException("movedim: Invalid source or destination dims: source ("
                    + Arrays.toString(sources) + " dims) should contain the same number of dims as destination ("
                    + Arrays.toString(destinations) + " dims)");
        }
        List<Integer> from = distinct(x, "source", sources);
        List<Integer> to = distinct(x, "destination", destinations);
        int rank = x.shape().rank();
        Deque<Integer> others = new ArrayDeque<>(IntStream.range(0, rank)
                .filter(dim -> !from.contains(dim))
                .boxed()
                .toList());
        int[] order = new int[rank];
        for (int dim = 0; dim < rank; dim++) {
            order[dim] = to.contains(dim) ? from.get(to.indexOf(dim)) : others.pop();
        }
        return permute(x, order);
    }

    private static List<Integer> distinct(Expr x, String role, int... dims) {
        List<Integer> normalized =
                IntStream.of(dims).map(x.shape()::normalizeDim).boxed().toList();
        if (normalized.stream().distinct().count() < dims.length) {
            throw new IllegalArgumentException(
                    "movedim: repeated dim in `" + role + "` (" + Arrays.toString(dims) + ")");
        }
        return normalized;
    }

    /** As the views of a layout order its dimensions: the strides tell which is which. */
    private static Expr ordered(Expr x, UnaryOperator<Layout> view) {
        int rank = x.shape().rank();
        Layout numbered = Layout.of(
                Shape.ones(rank), IntStream.range(0, rank).asLongStream().toArray(), 0);
        int[] order = Arrays.stream(view.apply(numbered).strides())
                .mapToInt(Math::toIntExact)
                .toArray();
        return Expr.rearrange(x, new Permute(order));
    }

    /** A new dimension of size one at {@code dim}, which counts over the new rank. */
    public static Expr unsqueeze(Expr x, int dim) {
        int rank = Layout.contiguous(x.shape()).unsqueeze(dim).rank();
        return Expr.rearrange(x, new Unsqueeze(dim < 0 ? dim + rank : dim));
    }

    /** Without the dimensions of size one. */
    public static Expr squeeze(Expr x) {
        return squeeze(x, IntStream.range(0, x.shape().rank()).toArray());
    }

    /** Without those of these dimensions that are of size one. */
    public static Expr squeeze(Expr x, int... dims) {
        Dims.checkDistinct(x.shape(), dims);
        int[] ascending =
                IntStream.of(dims).map(x.shape()::normalizeDim).sorted().toArray();
        Expr squeezed = x;
        for (int i = ascending.length - 1; i >= 0 && x.shape().rank() > 0; i--) {
            if (x.shape().size(ascending[i]) == 1) {
                squeezed = Expr.rearrange(squeezed, new Squeeze(ascending[i]));
            }
        }
        return squeezed;
    }

    /**
     * Windows of {@code size} indices of a dimension, each {@code step} behind the one before, as a new last dimension: no element is copied.
     *
     * @throws IllegalArgumentException with PyTorch's text, where no window fits, or sizes are none
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static Expr unfold(Expr x, int dim, long size, long step) {
        Shape windows = Layout.contiguous(x.shape()).unfold(dim, size, step).shape();
        if (x.shape().rank() == 0 || size == 0) {
            return reshape(size == 0 ? narrow(reshape(x, -1), 0, 0, 0) : x, windows);
        }
        return Expr.rearrange(x, new ViewOp.Unfold(x.shape().normalizeDim(dim), size, step));
    }

    /** As many elements in another shape, in row-major order; one size may be -1. */
    public static Expr reshape(Expr x, long... sizes) {
        return reshape(x, Layout.contiguous(x.shape()).inferShape(sizes));
    }

    /** As {@link #reshape(Expr, long...)}; a local tensor of which only a copy could have the shape is refused. */
    public static Expr view(Expr x, long... sizes) {
        return x instanceof Input input && input.source() instanceof Tensor tensor
                ? reshape(x, tensor.layout().view(sizes).shape())
                : reshape(x, sizes);
    }

    /** The dimensions from {@code startDim} to {@code endDim}, both included, as one. */
    public static Expr flatten(Expr x, int startDim, int endDim) {
        return reshape(x, Layout.contiguous(x.shape()).flattenedShape(startDim, endDim));
    }

    /**
     * One dimension as several of as many elements together; one size may be -1.
     *
     * @throws IllegalArgumentException with the first line of PyTorch's text, where the sizes do not fit
     */
    public static Expr unflatten(Expr x, int dim, long... sizes) {
        int at = x.shape().normalizeDim(dim);
        if (sizes.length == 0) {
            throw new IllegalArgumentException("unflatten: sizes must be non-empty");
        }
        if (x.shape().rank() == 0) {
            throw new IllegalArgumentException("unflatten got an unexpected error:");
        }
        long[] whole = x.shape().toArray();
        long[] inner = unflattened(whole[at], at, sizes);
        long[] target = Arrays.copyOf(whole, whole.length + inner.length - 1);
        System.arraycopy(inner, 0, target, at, inner.length);
        System.arraycopy(whole, at + 1, target, at + inner.length, whole.length - at - 1);
        return reshape(x, Shape.of(target));
    }

    private static long[] unflattened(long size, int dim, long... sizes) {
        try {
            return Layout.contiguous(Shape.of(size)).inferShape(sizes).toArray();
        } catch (IllegalArgumentException e) {
            boolean misfit = String.valueOf(e.getMessage()).startsWith("shape ");
            throw new IllegalArgumentException(
                    misfit
                            ? "unflatten: Provided sizes " + Arrays.toString(sizes)
                                    + " don't multiply up to the size of dim " + dim + " (" + size
                                    + ") in the input tensor"
                            : "unflatten got an unexpected error:",
                    e);
        }
    }

    private static Expr reshape(Expr x, Shape target) {
        Expr moved = x;
        for (ViewOp viewOp : ViewOpFusion.between(x.shape(), target)) {
            moved = Expr.rearrange(moved, viewOp);
        }
        return moved;
    }

    /** The order along these dimensions reversed. */
    public static Expr flip(Expr x, int... dims) {
        Dims.checkDistinct(x.shape(), dims);
        int[] ascending = x.shape().rank() == 0
                ? new int[0]
                : IntStream.of(dims).map(x.shape()::normalizeDim).sorted().toArray();
        return Expr.rearrange(x, new Flip(ascending));
    }

    /** Index {@code index} of one dimension, which goes away. */
    public static Expr select(Expr x, int dim, long index) {
        Shape left = Layout.contiguous(x.shape()).select(dim, index).shape();
        int at = x.shape().normalizeDim(dim);
        long first = index < 0 ? index + x.shape().size(at) : index;
        Expr one = Expr.rearrange(x, crop(at, first, 1, 1));
        return left.rank() == one.shape().rank() ? one : Expr.rearrange(one, new Squeeze(at));
    }

    /** The indices of one dimension that a Python slice takes. */
    public static Expr slice(Expr x, int dim, Slice slice) {
        long count = Layout.contiguous(x.shape())
                .slice(dim, slice)
                .shape()
                .size(x.shape().normalizeDim(dim));
        int at = x.shape().normalizeDim(dim);
        long first = count == 0 ? 0 : slice.first(x.shape().size(at)); // of a slice of slices none is behind the end
        return Expr.rearrange(x, crop(at, first, count, slice.step()));
    }

    /** {@code length} indices of one dimension from {@code start}, which may be negative. */
    public static Expr narrow(Expr x, int dim, long start, long length) {
        Layout checked = Layout.contiguous(x.shape()).narrow(dim, start, length);
        int at = checked.shape().normalizeDim(dim);
        return Expr.rearrange(x, crop(at, start < 0 ? start + x.shape().size(at) : start, length, 1));
    }

    /**
     * The same from the value of {@code start}.
     *
     * @param start a plain integer, or an integer tensor of this machine without dimensions, which is read at once
     * @throws IllegalArgumentException with PyTorch's text, for any other tensor
     */
    public static Expr narrow(Expr x, int dim, Expr start, long length) {
        return narrow(x, dim, start(start), length);
    }

    /** The value of a start that {@link #narrow(Expr, int, Expr, long)} takes. */
    public static long start(Expr start) {
        if (start.shape().rank() != 0 || start.dtype().kind() != Kind.INTEGER) {
            throw new IllegalArgumentException("start must be an 0-dim integral Tensor.");
        }
        return (Long) KnownValues.of(start, "narrow", "start").get(0);
    }

    /** {@code count} indices from {@code start} on; without a step where none is made. */
    static Crop crop(int dim, long start, long count, long step) {
        return count < 2
                ? new Crop(dim, start, start + count, 1)
                : new Crop(dim, start, start + (count - 1) * step + 1, step);
    }

    /**
     * Expressions of one shape, one behind the other along a new dimension {@code dim}, which counts over the new rank;
     * their dtypes promote.
     *
     * @throws IllegalArgumentException with PyTorch's text, where there is none, or one of another shape
     */
    public static Expr stack(List<Expr> operands, int dim) {
        if (operands.isEmpty()) {
            throw new IllegalArgumentException("stack expects a non-empty TensorList");
        }
        Shape shape = operands.get(0).shape();
        Layout stacked = Layout.contiguous(shape).unsqueeze(dim);
        for (int i = 1; i < operands.size(); i++) {
            if (!operands.get(i).shape().equals(shape)) {
                throw new IllegalArgumentException("stack expects each tensor to be equal size, but got " + shape
                        + " at entry 0 and " + operands.get(i).shape() + " at entry " + i);
            }
        }
        int at = stacked.shape().normalizeDim(dim);
        return Expr.concat(
                operands.stream().map(operand -> unsqueeze(operand, at)).toList(), at);
    }

    /** Repeated as a whole along each dimension, with new leading dimensions where there are more counts. */
    public static Expr repeat(Expr x, long... counts) {
        return repeat(x, Repetition.of(x.shape(), counts));
    }

    /** As {@link #repeat}, where counts may be fewer than dimensions: the missing leading ones are one. */
    public static Expr tile(Expr x, long... counts) {
        return repeat(x, Repetition.ofTiles(x.shape(), counts));
    }

    private static Expr repeat(Expr x, Repetition repetition) {
        Expr copy = flip(x); // along no dimension: a write to the result never reaches the operand
        Expr repeated = Expr.expand(
                reshape(copy, repetition.single()), repetition.pairs().toArray());
        return reshape(repeated, repetition.result());
    }

    /** {@link Expr#expand}: of a local tensor its view; of anything else {@link Ops#EXPAND_AS} beside a single repeated element. */
    static Expr expand(Expr x, long... sizes) {
        Shape target = expanded(x, sizes);
        if (target.equals(x.shape()) && !(x instanceof Literal)) {
            return x;
        }
        if (x instanceof Input input && input.source() instanceof Tensor tensor) {
            return input.withView(tensor.expand(target));
        }
        Tensor model = Tensors.scalar(false, DType.BOOL).expand(target);
        return Expr.apply(Ops.EXPAND_AS, x, Input.of(model));
    }

    /** The shape that these sizes mean; -1 keeps one. */
    public static Shape expanded(Expr x, long... sizes) {
        Broadcasting.requireEnoughSizes(x.dtype(), x.shape(), sizes);
        return Layout.contiguous(x.shape()).expand(sizes).shape();
    }
}
