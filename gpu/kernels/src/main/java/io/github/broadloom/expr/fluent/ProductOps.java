package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Einsum;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Products;
import io.github.broadloom.tensor.TensorLike;
import java.util.ArrayList;
import java.util.List;

/**
 * Products of matrices and Einstein's sums, of operands with one dtype, which is not bool; part of {@link TensorOps}. Each
 * element has the same bits, however the operands are cut: {@link Contraction} says how it is summed.
 */
public interface ProductOps<T extends TensorOps<T>> extends OpsBase<T> {
    /**
     * The matrix product {@code this @ other}: of two vectors a scalar, of a matrix and a vector a vector, of matrices a matrix;
     * of more dimensions the products of the matrices in the last two, the others broadcast.
     *
     * @throws IllegalArgumentException with PyTorch's text, for shapes or dtypes that do not go together
     */
    default T matmul(TensorLike other) {
        return withExpr(Products.matmul(expr(), operand(other)));
    }

    /** The product of two matrices, {@code [n, k]} and {@code [k, m]}. */
    default T mm(TensorLike other) {
        return withExpr(Products.mm(expr(), operand(other)));
    }

    /** The products of as many matrices, {@code [b, n, k]} and {@code [b, k, m]}; nothing broadcasts. */
    default T bmm(TensorLike other) {
        return withExpr(Products.bmm(expr(), operand(other)));
    }

    /** The product of this matrix {@code [n, k]} and a vector {@code [k]}. */
    default T mv(TensorLike vector) {
        return withExpr(Products.mv(expr(), operand(vector)));
    }

    /** The sum of the products of this vector and another of its length. */
    default T dot(TensorLike other) {
        return withExpr(Products.dot(expr(), operand(other)));
    }

    /**
     * Einstein's sum of this, the first operand, and others, two at a time from the left: {@code "bij,bjk->bik"} multiplies matrices, {@code "i,j->ij"} is
     * the outer product; of this alone {@code "ij->ji"} transposes, {@code "ij->i"} sums rows, {@code "ii->i"} is the diagonal; {@code "..."} stands for
     * dimensions that broadcast.
     *
     * @throws IllegalArgumentException with PyTorch's text, for an equation that is none or does not suit the operands, and for
     *     dtypes that do not go together
     */
    default T einsum(String equation, TensorLike... others) {
        List<Expr> operands = new ArrayList<>(List.of(expr()));
        for (TensorLike other : others) {
            operands.add(operand(other));
        }
        return withExpr(Einsum.of(equation, operands));
    }
}
