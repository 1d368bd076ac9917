package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Einsum;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Products;
import io.github.broadloom.tensor.Tensor;
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
    default T matmul(T other) {
        return withExpr(Products.matmul(expr(), other.expr()));
    }

    /** As {@link #matmul(TensorOps)}. */
    default T matmul(Tensor other) {
        return withExpr(Products.matmul(expr(), Arguments.of(other)));
    }

    /** The product of two matrices, {@code [n, k]} and {@code [k, m]}. */
    default T mm(T other) {
        return withExpr(Products.mm(expr(), other.expr()));
    }

    /** As {@link #mm(TensorOps)}. */
    default T mm(Tensor other) {
        return withExpr(Products.mm(expr(), Arguments.of(other)));
    }

    /** The products of as many matrices, {@code [b, n, k]} and {@code [b, k, m]}; nothing broadcasts. */
    default T bmm(T other) {
        return withExpr(Products.bmm(expr(), other.expr()));
    }

    /** As {@link #bmm(TensorOps)}. */
    default T bmm(Tensor other) {
        return withExpr(Products.bmm(expr(), Arguments.of(other)));
    }

    /** The product of this matrix {@code [n, k]} and a vector {@code [k]}. */
    default T mv(T vector) {
        return withExpr(Products.mv(expr(), vector.expr()));
    }

    /** As {@link #mv(TensorOps)}. */
    default T mv(Tensor vector) {
        return withExpr(Products.mv(expr(), Arguments.of(vector)));
    }

    /** The sum of the products of this vector and another of its length. */
    default T dot(T other) {
        return withExpr(Products.dot(expr(), other.expr()));
    }

    /** As {@link #dot(TensorOps)}. */
    default T dot(Tensor other) {
        return withExpr(Products.dot(expr(), Arguments.of(other)));
    }

    /**
     * Einstein's sum of this alone: {@code "ij->ji"} transposes, {@code "ij->i"} sums rows, {@code "ii->i"} is the diagonal.
     *
     * @throws IllegalArgumentException with PyTorch's text, for an equation that is none or does not suit the shape
     */
    default T einsum(String equation) {
        return withExpr(Einsum.of(equation, List.of(expr())));
    }

    /**
     * Einstein's sum of this, the first operand, and another: {@code "bij,bjk->bik"} multiplies matrices, {@code "i,j->ij"} is the
     * outer product; {@code "..."} stands for dimensions that broadcast.
     *
     * @throws IllegalArgumentException with PyTorch's text, for an equation that is none or does not suit the operands, and for
     *     dtypes that do not go together
     */
    default T einsum(String equation, T other) {
        return einsum(equation, List.of(other));
    }

    /** As {@link #einsum(String, TensorOps)}. */
    default T einsum(String equation, Tensor other) {
        return withExpr(Einsum.of(equation, List.of(expr(), Arguments.of(other))));
    }

    /** Einstein's sum of this, the first operand, and others, two at a time from the left. */
    default T einsum(String equation, List<T> others) {
        List<Expr> operands = new ArrayList<>(List.of(expr()));
        others.forEach(other -> operands.add(other.expr()));
        return withExpr(Einsum.of(equation, operands));
    }
}
