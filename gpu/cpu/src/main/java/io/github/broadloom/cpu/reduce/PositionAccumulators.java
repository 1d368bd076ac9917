package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.simd.Folds;
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
    private final Join join;
    private final boolean storesPlaces;
    private final long stride;
    private final long size;

    private PositionAccumulators(Join join, boolean storesPlaces, Expr operand, int[] dims) {
        super(join, operand.dtype().isFloatingPoint());
        Shape shape = operand.shape();
        this.join = join;
        this.storesPlaces = storesPlaces;
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
        return new PositionAccumulators(reduce.reduction().join(), true, reduce.operand(), reduce.dims());
    }

    static PositionAccumulators forScan(Along scan) {
        return new PositionAccumulators(scan.op().join(), scan.op().kind().isIndices(), scan.operand(), scan.dims());
    }

    @Override
    public boolean isOfPlaces() {
        return true;
    }

    @Override
    public void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into) {
        super.lift(dtype, elements, elementCount, firstElement, into);
        if (into instanceof double[] to) {
            for (int i = elementCount - 1; i >= 0; i--) { // from the right: a value moves before its place is taken
                to[2 * i] = to[i];
                to[2 * i + 1] = firstElement + i;
            }
        } else {
            long[] to = (long[]) into;
            for (int i = elementCount - 1; i >= 0; i--) {
                to[2 * i] = to[i];
                to[2 * i + 1] = firstElement + i;
            }
        }
    }

    @Override
    public boolean liftsRows(DType dtype) {
        return dtype == DType.FLOAT32 && (join == Join.FIRST_MAX || join == Join.FIRST_MIN);
    }

    @Override
    public void liftRows(DType dtype, Object elements, int width, long firstElement, long rowElements, Object into) {
        float[] best = new float[width];
        float[] rows = new float[width];
        Folds.firstExtremesOfRows((float[]) elements, width, join == Join.FIRST_MAX ? 1 : -1, best, rows);
        double[] pairs = (double[]) into;
        for (int c = 0; c < width; c++) {
            pairs[2 * c] = best[c];
            pairs[2 * c + 1] = firstElement + c + rowElements * (int) rows[c];
        }
    }

    @Override
    public void store(Object values, int from, int count, DType dtype, long address) {
        if (!storesPlaces) {
            WideElements.write(values, from, 2, count / 2, dtype, address);
        } else if (values instanceof double[] pairs) {
            for (int i = 0; i < count / 2; i++) {
                RawMemory.putLong(address + 8L * i, (long) pairs[from + 2 * i + 1] / stride % size);
            }
        } else {
            long[] pairs = (long[]) values;
            for (int i = 0; i < count / 2; i++) {
                RawMemory.putLong(address + 8L * i, pairs[from + 2 * i + 1] / stride % size);
            }
        }
    }
}
