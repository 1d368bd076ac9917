package io.github.broadloom.sparse;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Pointwise;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.SparseTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Expressions that make zero of zero, so that the elements that are not kept need no computation. Whether one does is
 * found by computing it for a zero, so that the table of operations need not say it.
 */
final class ZeroPreserving {
    private ZeroPreserving() {}

    static SparseTensor map(SparseTensor a, UnaryOperator<LazyTensor> expression) {
        LazyTensor ofZero = expression.apply(LazyTensor.of(Tensors.zeros(Shape.of(1), a.dtype())));
        checkPointwise(ofZero.expr());
        Object zero = ofZero.shape().numel() == 1 ? ofZero.compute().item() : Double.NaN;
        if (!isZero(zero)) {
            throw new IllegalArgumentException("Cannot map a sparse tensor: the expression makes " + zero
                    + " of the zeros that are not kept; use toDense() first");
        }
        SparseTensor each = a.coalesce();
        Tensor values = expression.apply(LazyTensor.of(each.values())).compute();
        checkShape(values.shape(), each.values().shape());
        return each.withValues(values);
    }

    private static boolean isZero(Object value) {
        return value instanceof Number number ? number.doubleValue() == 0 : value.equals(false);
    }

    private static void checkPointwise(Expr expr) {
        refuse(expr, node -> node instanceof Reduce, "has a reduction; use Sparse.sum or toDense() first");
        refuse(expr, node -> node instanceof Along, "goes along a dimension; use toDense() first");
        refuse(expr, node -> node instanceof Contraction, "contracts dimensions; use toDense() first");
        Predicate<Expr> others = node -> !(node instanceof Pointwise || node instanceof Expr.Leaf);
        refuse(expr, others, "rearranges its elements; use toDense() first");
    }

    private static void refuse(Expr expr, Predicate<Expr> which, String what) {
        if (expr.postOrder().stream().anyMatch(which)) {
            throw new IllegalArgumentException("Cannot map a sparse tensor: the expression " + what);
        }
    }

    private static void checkShape(Shape got, Shape wanted) {
        if (!got.equals(wanted)) {
            throw new IllegalArgumentException("Cannot map a sparse tensor: the expression makes shape " + got
                    + " of values of shape " + wanted + "; use Sparse.mul or Sparse.div for a tensor that broadcasts");
        }
    }
}
