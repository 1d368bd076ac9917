package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Join;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;

/**
 * Values, each beside its place: the number of the element in the whole tensor, row-major. The join says which of equal
 * values stays, the left one, which comes first, or the right; so the place needs no comparison. The coordinate along
 * the dimension is worked out from the place at the end.
 */
abstract class PositionAccumulators extends Accumulators {
    /** What becomes of an accumulator in the end. */
    private enum Stored {
        VALUE,
        PLACE
    }

    private final Stored stored;
    private final long stride;
    private final long size;

    private PositionAccumulators(Join join, String type, Stored stored, Shape shape, int[] dims) {
        super(join, type);
        this.stored = stored;
        long inside = 1;
        long along = shape.numel();
        if (dims.length == 1) { // else the place among all elements
            for (int dim = dims[0] + 1; dim < shape.rank(); dim++) {
                inside *= shape.size(dim);
            }
            along = dims[0] == 0 ? Long.MAX_VALUE : shape.size(dims[0]); // a chunk has fewer rows than there are
        }
        this.stride = inside;
        this.size = along;
    }

    static PositionAccumulators forReduction(Reduce reduce) {
        return of(reduce.reduction().join(), Stored.PLACE, reduce.operand(), reduce.dims());
    }

    static PositionAccumulators forScan(Along scan) {
        Stored stored = scan.op().kind().isIndices() ? Stored.PLACE : Stored.VALUE;
        return of(scan.op().join(), stored, scan.operand(), scan.dims());
    }

    private static PositionAccumulators of(Join join, Stored stored, Expr operand, int[] dims) {
        return operand.dtype().isFloatingPoint()
                ? new Doubles(join, stored, operand.shape(), dims)
                : new Longs(join, stored, operand.shape(), dims);
    }

    @Override
    public final boolean isExact() {
        return true;
    }

    /** Nothing has no place, but there may be no results either. */
    @Override
    public final Object identities(int elements) {
        return allocate(2 * elements);
    }

    final boolean storesValues() {
        return stored == Stored.VALUE;
    }

    final void storePlace(long place, int index, long address) {
        RawMemory.putLong(address + 8L * index, place / stride % size);
    }

    /** Of floating values; a double holds every place below 2⁵³. */
    static final class Doubles extends PositionAccumulators {
        private Doubles(Join join, Stored stored, Shape shape, int[] dims) {
            super(join, "double", stored, shape, dims);
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
            double[] pairs = (double[]) values;
            for (int i = 0; i < count / 2; i++) {
                if (storesValues()) {
                    FloatingElements.write(pairs[from + 2 * i], dtype, address, i);
                } else {
                    storePlace((long) pairs[from + 2 * i + 1], i, address);
                }
            }
        }
    }

    /** Of integers. */
    static final class Longs extends PositionAccumulators {
        private Longs(Join join, Stored stored, Shape shape, int[] dims) {
            super(join, "long", stored, shape, dims);
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
            long[] pairs = (long[]) values;
            for (int i = 0; i < count / 2; i++) {
                if (storesValues()) {
                    IntegerElements.write(pairs[from + 2 * i], dtype, address, i);
                } else {
                    storePlace(pairs[from + 2 * i + 1], i, address);
                }
            }
        }
    }
}
