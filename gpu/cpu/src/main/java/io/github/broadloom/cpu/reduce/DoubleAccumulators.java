package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.simd.Casts;
import io.github.broadloom.cpu.simd.Folds;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Join;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.tensor.RawMemory;

/** Accumulators of floating values, of one component. */
final class DoubleAccumulators extends Accumulators {
    /** Fewer numbers are stored one by one. */
    private static final int BULK = 16;

    /** More are stored in pieces. */
    private static final int MOST = 1024;

    /** Where a thread rounds a piece: a fresh array for each would pass through the caches as often as the results. */
    private static final ThreadLocal<float[]> PIECE = ThreadLocal.withInitial(() -> new float[MOST]);

    private final Reduction reduction;
    private final double divisor;

    /** PyTorch's sums begin at +0.0, so that of nothing but -0.0 is +0.0; to add -0.0 changes nothing. */
    private final double origin;

    /** @param divisor what a result is divided by before it is stored */
    DoubleAccumulators(Reduction reduction, double divisor) {
        super(reduction.join(), true);
        this.reduction = reduction;
        this.divisor = divisor;
        this.origin = reduction.isSum() ? 0.0 : -0.0;
    }

    @Override
    public boolean addsElements(DType dtype) {
        return reduction.isSum() && dtype == DType.FLOAT32;
    }

    @Override
    public void add(DType dtype, Object elements, int elementCount, Object into) {
        Folds.addFloats((float[]) elements, (double[]) into, elementCount);
    }

    @Override
    public void liftEights(DType dtype, Object elements, int from, int eights, Object into) {
        Folds.addEights((float[]) elements, from, eights, (double[]) into);
    }

    @Override
    public boolean liftsRows(DType dtype) {
        boolean compares = reduction.join() == Join.MAX || reduction.join() == Join.MIN;
        return dtype == DType.FLOAT32 && (reduction.isSum() || compares) || dtype == DType.FLOAT64 && reduction.isSum();
    }

    /** The greatest and the least float need not be widened to be found. */
    @Override
    public void liftRows(DType dtype, Object elements, int width, long firstElement, long rowElements, Object into) {
        double[] row = (double[]) into;
        if (elements instanceof double[] doubles) {
            Folds.addRows(doubles, width, row);
        } else if (reduction.isSum()) {
            Folds.addRows((float[]) elements, width, row);
        } else {
            float[] best = new float[width];
            Folds.extremesOfRows((float[]) elements, width, reduction.join() == Join.MAX ? 1 : -1, best);
            Casts.float32ToFloat64(best, row, width);
        }
    }

    @Override
    public void store(Object values, int from, int count, DType dtype, long address) {
        double[] source = (double[]) values;
        if (dtype == DType.FLOAT32 && count >= BULK) {
            storeFloats(source, from, count, address);
            return;
        }
        if (dtype == DType.FLOAT64) {
            storeDoubles(source, from, count, address);
            return;
        }
        for (int i = 0; i < count; i++) {
            WideElements.write((source[from + i] + origin) / divisor, dtype, address, i);
        }
    }

    private void storeFloats(double[] source, int from, int count, long address) {
        float[] floats = PIECE.get();
        for (int done = 0; done < count; done += MOST) {
            int next = Math.min(MOST, count - done);
            Folds.divide(source, from + done, origin, divisor, floats, next);
            RawMemory.copy(floats, 0, address + (long) done * Float.BYTES, next);
        }
    }

    private void storeDoubles(double[] source, int from, int count, long address) {
        for (int i = 0; i < count; i++) {
            double sum = source[from + i] + origin;
            double value = divisor == 1 ? sum : sum / divisor;
            RawMemory.putDouble(address + (long) i * Double.BYTES, Double.isNaN(value) ? Double.NaN : value);
        }
    }
}
