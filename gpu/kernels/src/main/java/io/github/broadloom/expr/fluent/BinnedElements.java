package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.BinnedValues;

/** A histogram: {@code x.histogram(20).weighted(w).density()}. */
public final class BinnedElements<T extends TensorOps<T>> {
    private final IndexOps<T> x;
    private final BinnedValues histogram;

    BinnedElements(IndexOps<T> x, BinnedValues histogram) {
        this.x = x;
        this.histogram = histogram;
    }

    /**
     * The same, where elements count what goes with them.
     *
     * @param weight as many numbers, of the same dtype
     * @throws IllegalArgumentException with PyTorch's text, for anything else
     */
    public BinnedElements<T> weighted(Object weight) {
        return new BinnedElements<>(x, histogram.weighted(x.operand(weight)));
    }

    /** What is in each bin, of the dtype of the elements. */
    public T hist() {
        return x.withExpr(histogram.hist());
    }

    /** The part of all that is in each bin, over its width. */
    public T density() {
        return x.withExpr(histogram.density());
    }

    /** One more than there are bins. */
    public T binEdges() {
        return x.withExpr(histogram.edges());
    }
}
