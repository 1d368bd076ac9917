package io.github.broadloom.cpu.memory;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;

/**
 * Where matrices lie in memory: a tensor whose last two dimensions are their lines and the places along them, or the other way
 * round. The last of the other dimensions is a series of matrices with one step.
 */
public record Matrices(Tensor tensor, int lineDim, int placeDim) {

    /** The same elements, with the places as lines. */
    public Matrices transposed() {
        return new Matrices(tensor, placeDim, lineDim);
    }

    public long lines() {
        return tensor.shape().size(lineDim);
    }

    public long places() {
        return tensor.shape().size(placeDim);
    }

    /** The bytes from one line to the next. */
    public long lineStep() {
        return tensor.layout().stride(lineDim) * tensor.dtype().bytes();
    }

    /** The bytes from one place of a line to the next. */
    public long placeStep() {
        return tensor.layout().stride(placeDim) * tensor.dtype().bytes();
    }

    /** How many matrices follow each other with one step. */
    public long series() {
        return tensor.rank() > 2 ? tensor.shape().size(tensor.rank() - 3) : 1;
    }

    /** The bytes from one matrix of a series to the next. */
    public long seriesStep() {
        return tensor.rank() > 2
                ? tensor.layout().stride(tensor.rank() - 3) * tensor.dtype().bytes()
                : 0;
    }

    public long count() {
        return tensor.numel() / (lines() * places());
    }

    public long address(long series, long matrix, long line, long place) {
        Shape shape = tensor.shape();
        long element = 0;
        long rest = series;
        for (int dim = tensor.rank() - 4; dim >= 0; dim--) {
            element += rest % shape.size(dim) * tensor.layout().stride(dim);
            rest /= shape.size(dim);
        }
        return tensor.address()
                + element * tensor.dtype().bytes()
                + matrix * seriesStep()
                + line * lineStep()
                + place * placeStep();
    }
}
