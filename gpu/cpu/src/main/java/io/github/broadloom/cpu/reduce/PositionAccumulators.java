package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Join;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;

/**
 * Values, each beside its place: the number of the element in the whole tensor, row-major. The join says which of equal
 * values stays, the left one, which comes first, or the right; so the place needs no comparison. The coordinate along
 * the dimension is worked out from the place at the end. A double holds every place below 2⁵³.
 */
final class PositionAccumulators extends Accumulators {
    /** What becomes of an accumulator in the end. */
    private enum Stored {
        VALUE,
        PLACE
    }

    private final Stored stored;
    private final long stride;
    private final long size;

    private PositionAccumulators(Join join, Stored stored, Expr operand, int[] dims) {
        super(join, operand.dtype().isFloatingPoint() ? "double" : "long");
        Shape shape = operand.shape();
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
        return new PositionAccumulators(reduce.reduction().join(), Stored.PLACE, reduce.operand(), reduce.dims());
    }

    static PositionAccumulators forScan(Along scan) {
        Stored stored = scan.op().kind().isIndices() ? Stored.PLACE : Stored.VALUE;
        return new PositionAccumulators(scan.op().join(), stored, scan.operand(), scan.dims());
    }

    @Override
    public void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into) {
        if (into instanceof double[] to) {
            FloatingElements.read(dtype, elements, elementCount, to);
            for (int i = elementCount - 1; i >= 0; i--) { // from the right: a value moves before its place is taken
                to[2 * i] = to[i];
                to[2 * i + 1] = firstElement + i;
            }
            return;
        }
        long[] to = (long[]) into;
        IntegerElements.read(dtype, elements, elementCount, to);
        for (int i = elementCount - 1; i >= 0; i--) {
            to[2 * i] = to[i];
            to[2 * i + 1] = firstElement + i;
        }
    }

    @Override
    public void store(Object values, int from, int count, DType dtype, long address) {
        for (int i = 0; i < count / 2; i++) {
            int at = from + 2 * i;
            if (stored == Stored.PLACE) {
                long place = values instanceof double[] pairs ? (long) pairs[at + 1] : ((long[]) values)[at + 1];
                RawMemory.putLong(address + 8L * i, place / stride % size);
            } else if (values instanceof double[] pairs) {
                FloatingElements.write(pairs[at], dtype, address, i);
            } else {
                IntegerElements.write(((long[]) values)[at], dtype, address, i);
            }
        }
    }
}
