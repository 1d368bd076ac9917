package io.github.broadloom.sparse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.SparseTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.function.UnaryOperator;

/**
 * Operations on sparse tensors. They compute on the entries alone, with the kernels and promotion rules of dense tensors,
 * and never make a dense tensor of a sparse one; of a dense operand they read the elements at the entries. Only adding a
 * dense tensor gives a dense one. Everything is computed at once, on the CPU.
 *
 * <p>As in PyTorch, elements that are not kept count as zero and stay it: {@code mul(s, Double.NaN)} and
 * {@code div(s, 0)} give NaN at the entries alone. Entries at the same place are added up before anything else, so that
 * the result is that of the elements, and coalesced. Only {@code neg}, {@code mul} and {@code div} with a number, and the
 * sum of two sparse tensors, take the entries of an uncoalesced tensor as they stand, where the dtype stays the same.
 */
public final class Sparse {
    private Sparse() {}

    /**
     * A pointwise expression of one tensor that makes zero of zero, such as {@code LazyTensor::sqrt} or {@code x ->
     * x.mul(2).tanh()}, as one kernel over the values.
     *
     * @throws IllegalArgumentException where the expression makes anything else of zero, so that the result would be
     *     dense, or where it is not pointwise
     */
    public static SparseTensor map(SparseTensor a, UnaryOperator<LazyTensor> expression) {
        return ZeroPreserving.map(a, expression);
    }

    /** The entries with the other sign. */
    public static SparseTensor neg(SparseTensor a) {
        return a.withValues(LazyTensor.of(a.rawValues()).neg().compute());
    }

    public static SparseTensor abs(SparseTensor a) {
        return map(a, LazyTensor::abs);
    }

    /** The square roots; of integers float32. */
    public static SparseTensor sqrt(SparseTensor a) {
        return map(a, LazyTensor::sqrt);
    }

    /**
     * The power.
     *
     * @throws IllegalArgumentException with PyTorch's text, for exponent zero
     */
    public static SparseTensor pow(SparseTensor a, Number exponent) {
        if (exponent.doubleValue() == 0) {
            throw new IllegalArgumentException(
                    "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense");
        }
        SparseTensor each = a.coalesce();
        return each.withValues(LazyTensor.of(each.values()).pow(exponent).compute());
    }

    /** The product with a number. */
    public static SparseTensor mul(SparseTensor a, Number b) {
        if (a.dtype().isReducedFloatingPoint()) { // PyTorch rounds the number first here, and only here
            return mul(a, Tensors.scalar(b.doubleValue(), DType.FLOAT64).to(a.dtype()));
        }
        return linear(Ops.MUL, a, b);
    }

    /**
     * The product with a dense tensor that broadcasts: sparse, of the broadcast shape. Where that repeats the sparse
     * tensor, its entries are repeated.
     *
     * @throws IllegalArgumentException with PyTorch's text, where the shapes do not broadcast
     */
    public static SparseTensor mul(SparseTensor a, Tensor b) {
        return WithDense.apply((values, dense) -> dense.mul(values), a, b);
    }

    /** As {@link #mul(SparseTensor, Tensor)}. */
    public static SparseTensor mul(Tensor a, SparseTensor b) {
        return mul(b, a);
    }

    /**
     * The product of two sparse tensors: coalesced, an entry where both have one.
     *
     * @throws IllegalArgumentException with PyTorch's text, where ranks or sparse dimensions differ
     */
    public static SparseTensor mul(SparseTensor a, SparseTensor b) {
        return Intersection.mul(a, b);
    }

    /** The true quotient by a number; of integers float32. */
    public static SparseTensor div(SparseTensor a, Number b) {
        return linear(Ops.DIV, a, b);
    }

    /**
     * The true quotient by a dense tensor that broadcasts, at the entries alone: elsewhere it stays zero, also where the
     * divisor is zero. PyTorch takes a zero-dim divisor alone.
     *
     * @throws IllegalArgumentException with PyTorch's text, where the shapes do not broadcast
     */
    public static SparseTensor div(SparseTensor a, Tensor b) {
        return WithDense.apply((values, dense) -> values.div(dense), a, b);
    }

    /** The quotient by a number, rounded down. */
    public static SparseTensor floorDivide(SparseTensor a, Number b) {
        return linear(Ops.FLOOR_DIVIDE, a.coalesce(), b);
    }

    private static SparseTensor linear(Op op, SparseTensor a, Number b) {
        LazyTensor values = LazyTensor.of(a.rawValues()).apply(op, b);
        if (values.dtype() != a.dtype() && !a.isCoalesced()) { // true and true are one true, and would be 1 + 1
            return linear(op, a.coalesce(), b);
        }
        return a.withValues(values.compute());
    }

    /** The sum of two sparse tensors of one shape: the entries of both; coalesced where both are. */
    public static SparseTensor add(SparseTensor a, SparseTensor b) {
        return add(a, b, 1);
    }

    /**
     * {@code a + alpha * b}; coalesced where both are.
     *
     * @throws IllegalArgumentException with PyTorch's text, where shapes or sparse dimensions differ, or alpha is no
     *     integer and the tensors are of integers
     */
    public static SparseTensor add(SparseTensor a, SparseTensor b, Number alpha) {
        return Addition.sparse(Ops.ADD, a, b, alpha);
    }

    /** The difference of two sparse tensors of one shape; coalesced where both are. */
    public static SparseTensor sub(SparseTensor a, SparseTensor b) {
        return sub(a, b, 1);
    }

    /** {@code a - alpha * b}; see {@link #add(SparseTensor, SparseTensor, Number)}. */
    public static SparseTensor sub(SparseTensor a, SparseTensor b, Number alpha) {
        return Addition.sparse(Ops.SUB, a, b, alpha);
    }

    /** The sum with a dense tensor of the same shape: dense. */
    public static Tensor add(Tensor a, SparseTensor b) {
        return add(a, b, 1);
    }

    /**
     * {@code a + alpha * b}: dense. As in PyTorch the shapes are equal and do not broadcast.
     *
     * @throws IllegalArgumentException with PyTorch's text, where the shapes differ, or alpha is no integer and the
     *     tensors are of integers
     */
    public static Tensor add(Tensor a, SparseTensor b, Number alpha) {
        return Addition.dense(Ops.ADD, a, b, alpha);
    }

    /** The sum with a dense tensor of the same shape: dense. PyTorch takes the dense tensor first alone. */
    public static Tensor add(SparseTensor a, Tensor b) {
        return add(b, a);
    }

    /** The difference from a dense tensor of the same shape: dense. */
    public static Tensor sub(Tensor a, SparseTensor b) {
        return sub(a, b, 1);
    }

    /** {@code a - alpha * b}: dense; see {@link #add(Tensor, SparseTensor, Number)}. */
    public static Tensor sub(Tensor a, SparseTensor b, Number alpha) {
        return Addition.dense(Ops.SUB, a, b, alpha);
    }

    /** The difference of a sparse tensor and a dense one of the same shape: dense. PyTorch does not take these. */
    public static Tensor sub(SparseTensor a, Tensor b) {
        return Addition.lessDense(a, b);
    }

    /** The sum of all elements, zero-dim; bools and integers are summed in int64. */
    public static Tensor sum(SparseTensor a) {
        return Summation.all(a);
    }

    /**
     * The sum over dimensions, of which one sparse dimension at least remains: sparse and coalesced; bools and integers
     * are summed in int64. {@link #sumToDense} sums over all sparse dimensions too.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     * @throws IllegalArgumentException where a dimension is named twice, or no sparse one remains
     */
    public static SparseTensor sum(SparseTensor a, int... dims) {
        return Summation.over(a, dims);
    }

    /** The sum over dimensions as a dense tensor, which is what PyTorch gives where no sparse dimension remains. */
    public static Tensor sumToDense(SparseTensor a, int... dims) {
        return Summation.toDense(a, dims);
    }
}
