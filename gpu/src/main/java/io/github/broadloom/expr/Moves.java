package io.github.broadloom.expr;

import io.github.broadloom.expr.Move.Crop;
import io.github.broadloom.expr.Move.Flip;
import io.github.broadloom.expr.Move.Permute;
import io.github.broadloom.expr.Move.Reshape;
import io.github.broadloom.expr.Move.Squeeze;
import io.github.broadloom.expr.Move.Unsqueeze;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Rearrangements of expressions by PyTorch's names. Dimensions and indices may be negative, counting from the end; errors are
 * PyTorch's, the same as those of a tensor's views. Nothing is computed.
 */
public final class Moves {
    private Moves() {}

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

    /** As the views of a layout order its dimensions: the strides tell which is which. */
    private static Expr ordered(Expr x, UnaryOperator<Layout> view) {
        int rank = x.shape().rank();
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        Layout numbered = Layout.of(
                Shape.of(ones), IntStream.range(0, rank).asLongStream().toArray(), 0);
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

    private static Expr reshape(Expr x, Shape target) {
        return all(x, reshaping(x.shape(), target));
    }

    /** The moves from one shape to another of as many elements. */
    static List<Move> reshaping(Shape from, Shape to) {
        if (from.equals(to)) {
            return List.of();
        }
        int least = Math.min(from.rank(), to.rank());
        int kept = 0;
        while (kept < least && from.size(kept) == to.size(kept)) {
            kept++;
        }
        int last = 0; // how many of the last dimensions stay
        while (last < least - kept && from.size(from.rank() - 1 - last) == to.size(to.rank() - 1 - last)) {
            last++;
        }
        return sameButOnes(from, to)
                ? squeezing(from, to, kept, last)
                : List.of(new Reshape(kept, Arrays.copyOfRange(to.toArray(), kept, to.rank())));
    }

    private static boolean sameButOnes(Shape from, Shape to) {
        return Arrays.equals(withoutOnes(from), withoutOnes(to));
    }

    private static long[] withoutOnes(Shape shape) {
        return Arrays.stream(shape.toArray()).filter(size -> size != 1).toArray();
    }

    /** Between the dimensions that stay, those of size one out and then in. */
    private static List<Move> squeezing(Shape from, Shape to, int kept, int last) {
        List<Move> moves = new ArrayList<>();
        for (int dim = from.rank() - last - 1; dim >= kept; dim--) {
            if (from.size(dim) == 1) {
                moves.add(new Squeeze(dim));
            }
        }
        for (int dim = kept; dim < to.rank() - last; dim++) {
            if (to.size(dim) == 1) {
                moves.add(new Unsqueeze(dim));
            }
        }
        return moves;
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
        return Expr.rearrange(x, crop(at, slice.first(x.shape().size(at)), count, slice.step()));
    }

    /** {@code length} indices of one dimension from {@code start}, which may be negative. */
    public static Expr narrow(Expr x, int dim, long start, long length) {
        Layout checked = Layout.contiguous(x.shape()).narrow(dim, start, length);
        int at = checked.shape().normalizeDim(dim);
        return Expr.rearrange(x, crop(at, start < 0 ? start + x.shape().size(at) : start, length, 1));
    }

    /** {@code count} indices from {@code start} on; without a step where none is made. */
    static Crop crop(int dim, long start, long count, long step) {
        return count < 2
                ? new Crop(dim, start, start + count, 1)
                : new Crop(dim, start, start + (count - 1) * step + 1, step);
    }

    private static Expr all(Expr x, List<Move> moves) {
        Expr moved = x;
        for (Move move : moves) {
            moved = Expr.rearrange(moved, move);
        }
        return moved;
    }
}
