package io.github.broadloom.expr;

/** Reductions over dimensions, of which negative ones count from the end; part of {@link TensorOps}. */
public interface ReductionOps<T extends TensorOps<T>> extends OpsBase<T> {
    /**
     * The sum; bools and integers are summed in int64. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    default T sum(int... dims) {
        return sum(KeepDim.DROP, dims);
    }

    /** As {@link #sum(int...)}, and the reduced dimensions may stay with size one. */
    default T sum(KeepDim keepDim, int... dims) {
        return withExpr(Expr.reduce(Reduction.SUM, expr(), dims, keepDim == KeepDim.KEEP));
    }

    /**
     * The arithmetic mean. Over these dimensions; none named means all.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools and integers
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    default T mean(int... dims) {
        return mean(KeepDim.DROP, dims);
    }

    /** As {@link #mean(int...)}, and the reduced dimensions may stay with size one. */
    default T mean(KeepDim keepDim, int... dims) {
        return withExpr(Expr.reduce(Reduction.MEAN, expr(), dims, keepDim == KeepDim.KEEP));
    }

    /**
     * The smallest value, or NaN where there is one. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    default T amin(int... dims) {
        return amin(KeepDim.DROP, dims);
    }

    /** As {@link #amin(int...)}, and the reduced dimensions may stay with size one. */
    default T amin(KeepDim keepDim, int... dims) {
        return withExpr(Expr.reduce(Reduction.AMIN, expr(), dims, keepDim == KeepDim.KEEP));
    }

    /**
     * The greatest value, or NaN where there is one. Over these dimensions; none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    default T amax(int... dims) {
        return amax(KeepDim.DROP, dims);
    }

    /** As {@link #amax(int...)}, and the reduced dimensions may stay with size one. */
    default T amax(KeepDim keepDim, int... dims) {
        return withExpr(Expr.reduce(Reduction.AMAX, expr(), dims, keepDim == KeepDim.KEEP));
    }
}
