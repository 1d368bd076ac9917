package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Reduction;

/** The means and the sums of the squared deviations of floating values, for the variance and its square root. */
final class MomentAccumulators extends Accumulators {
    private final boolean root;
    private final double divisor;

    MomentAccumulators(Reduce reduce) {
        super(reduce.reduction().join(), "double");
        this.root = reduce.reduction() == Reduction.STD;
        this.divisor = Math.max(0, reduce.reducedCount() - reduce.correction());
    }

    @Override
    public boolean isExact() {
        return false;
    }

    @Override
    public Object allocate(int count) {
        return new double[count];
    }

    @Override
    public Object identities(int elements) {
        return new double[2 * elements];
    }

    @Override
    public void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into) {
        double[] to = (double[]) into;
        FloatingElements.read(dtype, elements, elementCount, to);
        for (int i = elementCount - 1; i >= 0; i--) { // from the right, so that no value is overwritten before it moved
            double value = to[i];
            to[2 * i] = value;
            to[2 * i + 1] = 0 * Math.abs(value); // 0; of an infinity or NaN NaN, for it has no distance from a mean
        }
    }

    @Override
    public void store(Object values, int from, int count, DType dtype, long address) {
        double[] source = (double[]) values;
        for (int i = 0; i < count / 2; i++) {
            double variance = source[from + 2 * i + 1] / divisor;
            FloatingElements.write(root ? Math.sqrt(variance) : variance, dtype, address, i);
        }
    }
}
