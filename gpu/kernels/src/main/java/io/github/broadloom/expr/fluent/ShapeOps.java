package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Subscript;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.TensorLike;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The same elements in other shapes, orders and places, by PyTorch's and NumPy's names; part of {@link TensorOps}. Nothing
 * is computed: of a local tensor these are its views, and in an expression the kernels read from the right places at
 * once. Dimensions and indices may be negative, counting from the end; one out of range is an {@link
 * IndexOutOfBoundsException}, and what does not fit an {@link IllegalArgumentException}, both with PyTorch's text.
 */
public interface ShapeOps<T extends TensorOps<T>> extends OpsBase<T> {
    /**
     * Dimensions of size one, and new leading ones, repeated to these sizes; -1 keeps a size. It costs nothing,
     * whatever the sizes.
     *
     * @throws IllegalArgumentException with PyTorch's text, where a dimension is not of size one
     */
    default T expand(long... sizes) {
        return withExpr(Expr.expand(expr(), sizes));
    }

    /** Repeated to that shape, as {@link #expand(long...)}. */
    default T expand(Shape target) {
        return expand(target.toArray());
    }

    /** {@link #expand(long...)} under NumPy's name. */
    default T broadcastTo(long... sizes) {
        return expand(sizes);
    }

    /** Repeated to the other's shape, as {@link #expand(long...)}. */
    default T expandAs(TensorLike other) {
        return expand(operand(other).shape());
    }

    /** The dimensions in another order: dimension {@code d} of the result is dimension {@code dims[d]} of this. */
    default T permute(int... dims) {
        return withExpr(ViewOps.permute(expr(), dims));
    }

    /** Two dimensions exchanged. */
    default T transpose(int dim0, int dim1) {
        return withExpr(ViewOps.transpose(expr(), dim0, dim1));
    }

    /** {@link #transpose} under NumPy's name. */
    default T swapaxes(int axis0, int axis1) {
        return transpose(axis0, axis1);
    }

    /** The transpose of a matrix; a vector or a scalar stays as it is. */
    default T t() {
        return withExpr(ViewOps.t(expr()));
    }

    /** One dimension moved to another place; the others keep their order. */
    default T movedim(int source, int destination) {
        return withExpr(ViewOps.movedim(expr(), source, destination));
    }

    /** Dimensions moved to other places, each to that of the same number; the others keep their order. */
    default T movedim(int[] sources, int[] destinations) {
        return withExpr(ViewOps.movedim(expr(), sources, destinations));
    }

    /** {@link #movedim(int, int)} under NumPy's name. */
    default T moveaxis(int source, int destination) {
        return movedim(source, destination);
    }

    /** A new dimension of size one at {@code dim}, which counts over the new rank. */
    default T unsqueeze(int dim) {
        return withExpr(ViewOps.unsqueeze(expr(), dim));
    }

    /** Without the dimensions of size one. */
    default T squeeze() {
        return withExpr(ViewOps.squeeze(expr()));
    }

    /** Without that dimension where its size is one, else unchanged. */
    default T squeeze(int dim) {
        return withExpr(ViewOps.squeeze(expr(), dim));
    }

    /** Without those of these dimensions that are of size one. */
    default T squeeze(int... dims) {
        return withExpr(ViewOps.squeeze(expr(), dims));
    }

    /** As many elements in another shape, in row-major order; one size may be -1. */
    default T reshape(long... sizes) {
        return withExpr(ViewOps.reshape(expr(), sizes));
    }

    /** {@link #reshape}, which refuses a local tensor of which only a copy could have the shape. */
    default T view(long... sizes) {
        return withExpr(ViewOps.view(expr(), sizes));
    }

    /** One dimension of all elements, in row-major order. */
    default T flatten() {
        return flatten(0, -1);
    }

    /** The dimensions from {@code startDim} to {@code endDim}, both included, as one. */
    default T flatten(int startDim, int endDim) {
        return withExpr(ViewOps.flatten(expr(), startDim, endDim));
    }

    /** One dimension as several of as many elements together; one size may be -1. */
    default T unflatten(int dim, long... sizes) {
        return withExpr(ViewOps.unflatten(expr(), dim, sizes));
    }

    /** The order along these dimensions reversed. */
    default T flip(int... dims) {
        return withExpr(ViewOps.flip(expr(), dims));
    }

    /** {@code length} indices of one dimension from {@code start}. */
    default T narrow(int dim, long start, long length) {
        return withExpr(ViewOps.narrow(expr(), dim, start, length));
    }

    /**
     * As {@link #narrow(int, long, long)}, from the value of {@code start}, which is read at once.
     *
     * @param start of an integer dtype and shape []
     */
    default T narrow(int dim, Tensor start, long length) {
        return withExpr(ViewOps.narrow(expr(), dim, Input.of(start), length));
    }

    /** Index {@code index} of one dimension, which goes away. */
    default T select(int dim, long index) {
        return withExpr(ViewOps.select(expr(), dim, index));
    }

    /** The indices of one dimension that a Python slice takes; null bounds are open, the step is positive. */
    default T slice(int dim, @Nullable Long start, @Nullable Long stop, long step) {
        return slice(dim, new Slice(start, stop, step));
    }

    /** The indices of one dimension that a Python slice takes. */
    default T slice(int dim, Slice slice) {
        return withExpr(ViewOps.slice(expr(), dim, slice));
    }

    /** One slice for each leading dimension, as {@code x[a:b, c:d]}. */
    default T index(Slice... slices) {
        List<Subscript.Item> items =
                Arrays.stream(slices).<Subscript.Item>map(Subscript.Range::new).toList();
        return withExpr(Subscript.of(expr(), items));
    }

    /** One index for each leading dimension, which goes away, as {@code x[0, -1]}. */
    default T index(long... indices) {
        List<Subscript.Item> items = Arrays.stream(indices)
                .<Subscript.Item>mapToObj(Subscript.At::new)
                .toList();
        return withExpr(Subscript.of(expr(), items));
    }

    /**
     * NumPy's basic indexing, with what stands between the brackets of {@code x[1:3, None, ..., 0]}.
     *
     * @throws IllegalArgumentException where the text is no such list, or takes what is not there, with a caret under the place
     */
    default T index(String items) {
        return withExpr(ExprParser.subscript(expr(), items));
    }

    /** Repeated as a whole along each dimension, with new leading dimensions where there are more counts. */
    default T repeat(long... counts) {
        return withExpr(ViewOps.repeat(expr(), counts));
    }

    /** As {@link #repeat}, where counts may be fewer than dimensions: the missing leading ones are one. */
    default T tile(long... counts) {
        return withExpr(ViewOps.tile(expr(), counts));
    }

    /** The others behind this along a dimension, as {@code torch.cat} does; dtypes promote. */
    default T concat(int dim, TensorLike... others) {
        return withExpr(Expr.concat(withThis(others), dim));
    }

    /** This and the others, of one shape, along a new dimension, as {@code torch.stack} does; dtypes promote. */
    default T stack(int dim, TensorLike... others) {
        return withExpr(ViewOps.stack(withThis(others), dim));
    }

    private List<Expr> withThis(TensorLike... others) {
        return Stream.concat(Stream.of(expr()), Arrays.stream(others).map(this::operand))
                .toList();
    }
}
