package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * Reads and writes the elements of a tensor that a list of coordinates names, and touches no others: what sparse tensors
 * stand on. The coordinates of {@code n} places along the first {@code k} dimensions are an int64 tensor {@code [k, n]}.
 * Every coordinate is checked; unlike those of PyTorch's indexing, none may be negative.
 */
public final class Gathering {
    private final Tensor tensor;
    private final Tensor coordinates;
    private final int dims;
    private final long places;

    private Gathering(Tensor tensor, Tensor coordinates) {
        if (coordinates.dtype() != DType.INT64
                || coordinates.rank() != 2
                || coordinates.shape().size(0) > tensor.rank()) {
            throw new IllegalArgumentException("Cannot look up coordinates: " + coordinates.dtype()
                    + coordinates.shape() + " for a tensor of " + tensor.rank()
                    + " dimensions; give int64 [dimensions, places]");
        }
        this.tensor = tensor;
        this.coordinates = coordinates.contiguous();
        this.dims = (int) coordinates.shape().size(0);
        this.places = coordinates.shape().size(1);
    }

    /**
     * What a tensor has at these places: a copy of shape {@code [n, …]}, with the dimensions that the coordinates leave.
     *
     * @param source any layout; an expanded one is not copied
     * @param coordinates int64 {@code [k, n]}
     * @throws IndexOutOfBoundsException with PyTorch's text, for a coordinate that is not in the tensor
     */
    public static Tensor at(Tensor source, Tensor coordinates) {
        Gathering gathering = new Gathering(source, coordinates);
        Tensor result = Tensors.empty(source.dtype(), gathering.resultShape());
        try (Hold held = Hold.of(List.of(source, gathering.coordinates))) {
            gathering.copyTo(result);
        }
        return result;
    }

    /**
     * Rows of a tensor in any order, as PyTorch's {@code index_select} along dimension 0: positions are int64 {@code
     * [n]}.
     */
    public static Tensor rows(Tensor source, Tensor positions) {
        return at(source, positions.unsqueeze(0));
    }

    /**
     * Adds values to a tensor at these places, one after the other, in its dtype.
     *
     * @param target written to; contiguous
     * @param values of the target's dtype, {@code [n, …]} with the dimensions that the coordinates leave
     * @throws IndexOutOfBoundsException with PyTorch's text, for a coordinate that is not in the tensor
     */
    public static void addAt(Tensor target, Tensor coordinates, Tensor values) {
        Gathering gathering = new Gathering(target, coordinates);
        Shape wanted = gathering.resultShape();
        if (!target.isContiguous()
                || values.dtype() != target.dtype()
                || !values.shape().equals(wanted)) {
            throw new IllegalArgumentException("Cannot add values at coordinates: " + values.dtype() + values.shape()
                    + " to " + target.dtype() + target.shape() + "; give " + target.dtype() + wanted
                    + " and a contiguous target");
        }
        Tensor packed = values.contiguous();
        try (Hold held = Hold.of(List.of(target, gathering.coordinates, packed))) {
            gathering.addFrom(packed);
        }
    }

    private Shape resultShape() {
        return tensor.shape().dims(dims, tensor.rank()).withLeading(places);
    }

    private void copyTo(Tensor result) {
        Layout layout = tensor.layout();
        int rank = tensor.rank();
        int width = tensor.dtype().bytes();
        BoxCopy row = BoxCopy.of(
                width,
                Arrays.copyOfRange(tensor.shape().toArray(), dims, rank),
                Arrays.copyOfRange(layout.strides(), dims, rank),
                Arrays.copyOfRange(result.layout().strides(), 1, result.rank()));
        long rowBytes = places == 0 ? 0 : result.numel() / places * width;
        boolean single = rowBytes == width;
        for (long place = 0; place < places; place++) {
            long from = addressOf(place);
            long to = result.address() + place * rowBytes;
            if (single) {
                RawMemory.copyElement(from, to, width);
            } else {
                row.copy(null, from, null, to);
            }
        }
    }

    private void addFrom(Tensor values) {
        RowSum sum = RowSum.of(values.dtype());
        long rowElements = places == 0 ? 0 : values.numel() / places;
        long rowBytes = rowElements * values.dtype().bytes();
        for (long place = 0; place < places; place++) {
            sum.add(values.address() + place * rowBytes, addressOf(place), rowElements);
        }
    }

    /** The address of the first element at a place, with its coordinates checked. */
    private long addressOf(long place) {
        long element = tensor.layout().offset();
        long at = coordinates.address() + Long.BYTES * place;
        for (int dim = 0; dim < dims; dim++) {
            long index = RawMemory.getLong(at);
            long size = tensor.shape().size(dim);
            if (index < 0 || index >= size) {
                throw new IndexOutOfBoundsException(
                        "index " + index + " is out of bounds for dimension " + dim + " with size " + size);
            }
            element += index * tensor.layout().stride(dim);
            at += Long.BYTES * places;
        }
        return tensor.storage().address() + element * tensor.dtype().bytes();
    }
}
