package io.github.broadloom.expr;

import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;

/**
 * Indices of one dimension, evenly apart.
 *
 * @param first not negative
 * @param step at least 1
 */
record Taken(long first, long count, long step) {
    static Taken all(long size) {
        return new Taken(0, size, 1);
    }

    private boolean isAll(long size) {
        return count == size;
    }

    private Expr of(Expr x, int dim) {
        return isAll(x.shape().size(dim)) ? x : ViewOps.slice(x, dim, Slice.of(first, first + count * step, step));
    }

    /** {@code x}, but for the indices that are taken of each of its dimensions, where {@code part} stands in its place. */
    static Expr embedded(Expr x, List<Taken> taken, Expr part) {
        Expr result = part;
        for (int d = taken.size() - 1; d >= 0; d--) {
            Expr around = x;
            for (int before = 0; before < d; before++) {
                around = taken.get(before).of(around, before);
            }
            result = taken.get(d).within(around, result, d);
        }
        return result;
    }

    private Expr within(Expr around, Expr part, int dim) {
        long size = around.shape().size(dim);
        if (isAll(size) || count == 0) {
            return count == 0 ? around : part;
        }
        return step == 1 ? between(around, part, dim) : among(around, part, dim);
    }

    private Expr between(Expr around, Expr part, int dim) {
        List<Expr> parts = new ArrayList<>();
        long behind = around.shape().size(dim) - first - count;
        if (first > 0) {
            parts.add(ViewOps.narrow(around, dim, 0, first));
        }
        parts.add(part);
        if (behind > 0) {
            parts.add(ViewOps.narrow(around, dim, first + count, behind));
        }
        return Expr.concat(parts, dim);
    }

    /** Each index finds its own part. */
    private Expr among(Expr around, Expr part, int dim) {
        int size = Math.toIntExact(around.shape().size(dim));
        long[] parts = new long[size];
        boolean[] isTaken = new boolean[size];
        for (int i = 0; i < count; i++) {
            int index = Math.toIntExact(first + i * step);
            parts[index] = i;
            isTaken[index] = true;
        }
        long[] lying = Shape.ones(around.shape().rank()).with(dim, size).toArray();
        Expr found = Picking.indexSelect(part, dim, Input.beside(part, Tensors.of(parts)));
        return Expr.apply(Ops.WHERE, Input.beside(around, Tensors.copyOf(isTaken, lying)), found, around);
    }
}
