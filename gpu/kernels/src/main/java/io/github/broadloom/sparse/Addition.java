package io.github.broadloom.sparse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Gathering;
import io.github.broadloom.tensor.SparseTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;

/** Sums and differences; the sparse operand is scaled and signed first, and then added. */
final class Addition {
    private Addition() {}

    /** {@code a ± alpha * b}, the entries of both one after the other, and added up where both are coalesced. */
    static SparseTensor sparse(Op op, SparseTensor a, SparseTensor b, Number alpha) {
        DType common = commonDType(op, a.dtype(), a.rank(), b.dtype(), b.rank(), alpha);
        if (!a.shape().equals(b.shape())) {
            throw new IllegalArgumentException(
                    "add: expected sizes of 'self' and 'other' to match, but " + a.shape() + " != " + b.shape());
        }
        SparseTensor first = entriesAs(common, a);
        if (b.nnz() == 0) {
            return first;
        }
        SparseTensor second = entriesAs(common, b);
        SparseTensor scaled = second.withValues(scaled(op, second.rawValues(), common, alpha));
        if (a.nnz() == 0) {
            return scaled;
        }
        if (a.sparseDim() != b.sparseDim()) {
            throw new IllegalArgumentException("add: expected 'self' and 'other' to have same density, but 'self' has "
                    + a.sparseDim() + " sparse dimensions while 'other' has " + b.sparseDim() + " sparse dimensions");
        }
        SparseTensor both = SparseTensor.of(
                concatenated(first.rawIndices(), scaled.rawIndices(), 1),
                concatenated(first.rawValues(), scaled.rawValues(), 0),
                a.shape());
        return first.isCoalesced() && scaled.isCoalesced() ? both.coalesce() : both;
    }

    /** The entries cast; those at one place are added up in their own dtype first. */
    private static SparseTensor entriesAs(DType common, SparseTensor sparse) {
        return sparse.dtype() == common ? sparse : sparse.coalesce().to(common);
    }

    private static Tensor concatenated(Tensor first, Tensor second, int dim) {
        long before = first.shape().size(dim);
        long after = second.shape().size(dim);
        Tensor both = Tensors.empty(first.dtype(), first.shape().with(dim, Math.addExact(before, after)));
        both.narrow(dim, 0, before).copy_(first);
        both.narrow(dim, before, after).copy_(second);
        return both;
    }

    /** {@code a ± alpha * b}. */
    static Tensor dense(Op op, Tensor a, SparseTensor b, Number alpha) {
        DType common = commonDType(op, a.dtype(), a.rank(), b.dtype(), b.rank(), alpha);
        checkSameSize(a.shape(), b.shape());
        Tensor result = a.dtype() == common ? a.copy() : a.to(common);
        addTo(result, b, op, alpha);
        return result;
    }

    /** {@code a - b}: the entries of {@code a} are added to what is subtracted. */
    static Tensor lessDense(SparseTensor a, Tensor b) {
        DType common = commonDType(Ops.SUB, a.dtype(), a.rank(), b.dtype(), b.rank(), 1);
        checkSameSize(b.shape(), a.shape());
        Tensor zero = Tensors.scalar(0L, common);
        Tensor result = LazyTensor.of(zero).sub(b).to(common).compute();
        addTo(result, a, Ops.ADD, 1);
        return result;
    }

    private static void addTo(Tensor result, SparseTensor sparse, Op op, Number alpha) {
        SparseTensor each = sparse.coalesce();
        Gathering.addAt(result, each.indices(), scaled(op, each.values(), result.dtype(), alpha));
    }

    private static void checkSameSize(Shape dense, Shape sparse) {
        if (!dense.equals(sparse)) {
            throw new IllegalArgumentException("add: expected 'self' and 'other' to have same size, but self has size "
                    + dense + " while other has size " + sparse
                    + " (FYI: dense-sparse addition does not currently support broadcasting)");
        }
    }

    /** {@code ± alpha * values} in the common dtype. */
    private static Tensor scaled(Op op, Tensor values, DType common, Number alpha) {
        boolean negative = op == Ops.SUB;
        if (alpha.doubleValue() == 1 && !negative) {
            return values.to(common);
        }
        LazyTensor scaled = LazyTensor.of(values).to(common);
        scaled = alpha.doubleValue() == 1 ? scaled : scaled.mul(alpha).to(common);
        return (negative ? scaled.neg() : scaled).compute();
    }

    /** The promoted dtype; refuses what PyTorch refuses for the dtypes and for alpha. */
    private static DType commonDType(Op op, DType a, int rankA, DType b, int rankB, Number alpha) {
        // typed as an expression of one element each, for the texts of the operation
        Expr.apply(op, Input.of("a", a, Shape.of(1)), Input.of("b", b, Shape.of(1)));
        DType common = Promotion.resultType(List.of(Promotion.Term.tensor(a, rankA), Promotion.Term.tensor(b, rankB)));
        boolean fractional = alpha instanceof Double || alpha instanceof Float;
        if (fractional && !common.isFloatingPoint()) {
            throw new IllegalArgumentException(
                    "For integral input tensors, argument alpha must not be a floating point number.");
        }
        return common;
    }
}
