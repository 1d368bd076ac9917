package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.simd.Folds;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Reduction;

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
    public void lift(DType dtype, Object elements, int elementCount, long firstElement, Object into) {
        double[] to = (double[]) into;
        FloatingElements.read(dtype, elements, elementCount, to);
        Folds.liftMoments(to, elementCount);
    }

    @Override
    public void combine(Object into, int at, Object other, int from, int count, double weight, double otherWeight) {
        double share = otherWeight / (weight + otherWeight);
        Folds.joinMoments((double[]) into, at, (double[]) other, from, count, share, weight * share);
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
