package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import org.jspecify.annotations.Nullable;

/** The views of a tensor: other layouts over the same storage. None copies an element. */
public sealed interface TensorViews permits Tensor {
    DType dtype();

    /** Where the elements lie in the storage. */
    Layout layout();

    default Shape shape() {
        return layout().shape();
    }

    default int rank() {
        return layout().rank();
    }

    /**
     * View: any layout over the same storage.
     *
     * @throws IllegalArgumentException with PyTorch's text, where it reaches past the storage
     */
    Tensor asStrided(Layout layout);

    /** View: {@link Layout#select}. */
    default Tensor select(int dim, long index) {
        return asStrided(layout().select(dim, index));
    }

    /** View: {@link Layout#slice(int, Long, Long, long)}. */
    default Tensor slice(int dim, @Nullable Long start, @Nullable Long stop, long step) {
        return asStrided(layout().slice(dim, start, stop, step));
    }

    /** View: {@link Layout#slice(int, Slice)}. */
    default Tensor slice(int dim, Slice slice) {
        return asStrided(layout().slice(dim, slice));
    }

    /** View: one slice for each leading dimension, as {@code t[a:b, c:d]}. */
    default Tensor index(Slice... slices) {
        if (slices.length > rank()) {
            throw new IndexOutOfBoundsException("too many indices for tensor of dimension " + rank());
        }
        Layout view = layout();
        for (int dim = 0; dim < slices.length; dim++) {
            view = view.slice(dim, slices[dim]);
        }
        return asStrided(view);
    }

    /** View: {@link Layout#narrow}. */
    default Tensor narrow(int dim, long start, long length) {
        return asStrided(layout().narrow(dim, start, length));
    }

    /** View: {@link Layout#permute}. */
    default Tensor permute(int... dims) {
        return asStrided(layout().permute(dims));
    }

    /** View: {@link Layout#transpose}. */
    default Tensor transpose(int dim0, int dim1) {
        return asStrided(layout().transpose(dim0, dim1));
    }

    /** View: {@link Layout#t}. */
    default Tensor t() {
        return asStrided(layout().t());
    }

    /** View: {@link Layout#movedim}. */
    default Tensor movedim(int source, int destination) {
        return asStrided(layout().movedim(source, destination));
    }

    /** View: {@link Layout#unsqueeze}. */
    default Tensor unsqueeze(int dim) {
        return asStrided(layout().unsqueeze(dim));
    }

    /** View: {@link Layout#squeeze()}. */
    default Tensor squeeze() {
        return asStrided(layout().squeeze());
    }

    /** View: {@link Layout#squeeze(int)}. */
    default Tensor squeeze(int dim) {
        return asStrided(layout().squeeze(dim));
    }

    /**
     * View: {@link Layout#expand(long...)}. It costs nothing, whatever the sizes; such a tensor can be printed, sliced and
     * computed with, but not written to element by element.
     *
     * @throws IllegalArgumentException with PyTorch's text, where a dimension is not of size one, or the number of elements
     *     passes 2⁶³ - 1
     */
    default Tensor expand(long... sizes) {
        Broadcasting.requireEnoughSizes(dtype(), shape(), sizes);
        return asStrided(layout().expand(sizes));
    }

    /** View: repeated to that shape, as {@link #expand(long...)}. */
    default Tensor expand(Shape target) {
        return expand(target.toArray());
    }

    /** View: {@link #expand(long...)} under NumPy's name. */
    default Tensor broadcastTo(long... sizes) {
        return expand(sizes);
    }

    /** View: repeated to the other's shape, as {@link #expand(long...)}. */
    default Tensor expandAs(Tensor other) {
        return expand(other.shape());
    }

    /** View: {@link Layout#view}. */
    default Tensor view(long... sizes) {
        return asStrided(layout().view(sizes));
    }

    /** View: {@link Layout#unfold}. */
    default Tensor unfold(int dim, long size, long step) {
        return asStrided(layout().unfold(dim, size, step));
    }
}
