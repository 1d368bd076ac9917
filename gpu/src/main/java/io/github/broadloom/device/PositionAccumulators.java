package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;

/**
 * Values, each beside its place: the number of the element in the whole tensor, row-major. Of equal values the left one
 * stays, and the left one comes first; so the place needs no comparison. The coordinate along the reduced dimension is
 * worked out from the place at the end.
 */
abstract class PositionAccumulators extends Accumulators {
    private final long stride;
    private final long size;

    PositionAccumulators(Reduce reduce, String type) {
        super(reduce.reduction(), type);
        Shape shape = reduce.operand().shape();
        int[] dims = reduce.dims();
        long inside = 1;
        long along = shape.numel();
        if (dims.length == 1) { // else the place among all elements
            for (int dim = dims[0] + 1; dim < shape.rank(); dim++) {
                inside *= shape.size(dim);
            }
            along = shape.size(dims[0]);
        }
        this.stride = inside;
        this.size = along;
    }

    /** Nothing has no place, but there may be no results either. */
    @Override
    public final Object identities(int elements) {
        return allocate(2 * elements);
    }

    final void store(long place, int index, long address) {
        RawMemory.putLong(address + 8L * index, place / stride % size);
    }

    /** Of floating values; a double holds every place below 2⁵³. */
    static final class Doubles extends PositionAccumulators {
        Doubles(Reduce reduce) {
            super(reduce, "double");
        }

        @Override
        public Object allocate(int count) {
            return new double[count];
        }

        @Override
        public void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into) {
            double[] to = (double[]) into;
            FloatingElements.read(dtype, elements, elementCount, to);
            for (int i = elementCount - 1; i >= 0; i--) { // from the right: a value moves before its place is taken
                to[2 * i] = to[i];
                to[2 * i + 1] = firstElement + i;
            }
        }

        @Override
        public void store(Object values, int from, int count, DType dtype, long address) {
            for (int i = 0; i < count / 2; i++) {
                store((long) ((double[]) values)[from + 2 * i + 1], i, address);
            }
        }
    }

    /** Of integers. */
    static final class Longs extends PositionAccumulators {
        Longs(Reduce reduce) {
            super(reduce, "long");
        }

        @Override
        public Object allocate(int count) {
            return new long[count];
        }

        @Override
        public void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into) {
            long[] to = (long[]) into;
            IntegerElements.read(dtype, elements, elementCount, to);
            for (int i = elementCount - 1; i >= 0; i--) { // from the right: a value moves before its place is taken
                to[2 * i] = to[i];
                to[2 * i + 1] = firstElement + i;
            }
        }

        @Override
        public void store(Object values, int from, int count, DType dtype, long address) {
            for (int i = 0; i < count / 2; i++) {
                store(((long[]) values)[from + 2 * i + 1], i, address);
            }
        }
    }
}
