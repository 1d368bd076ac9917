package io.github.broadloom.spark;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;

/**
 * Small values of several tensors by one plan, which reads and computes once what they have in common: packed one behind the other as float64, which holds every element of any other
 * dtype but int64, whose halves it holds.
 */
final class Together {
    private static final long HALF = 1L << 32;

    private final Broadloom broadloom;
    private final List<Expr> parts = new ArrayList<>();

    private Together(Broadloom broadloom) {
        this.broadloom = broadloom;
    }

    /** The values, in order; those with more elements each by itself. */
    static List<Tensor> collect(Broadloom broadloom, List<DistributedTensor> tensors, long mostElements) {
        Together together = new Together(broadloom);
        List<Expr> exprs = tensors.stream().map(DistributedTensor::expr).toList();
        for (Expr expr : exprs) {
            if (expr.shape().numel() <= mostElements) {
                together.add(expr);
            }
        }
        LazyTensor packed = LazyTensor.of(together.packed());
        List<Tensor> values = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < exprs.size(); i++) {
            Expr expr = exprs.get(i);
            if (expr.shape().numel() <= mostElements) {
                values.add(unpacked(packed, at, expr));
                at += expr.shape().numel() * (expr.dtype() == DType.INT64 ? 2 : 1);
            } else {
                values.add(tensors.get(i).collect());
            }
        }
        return values;
    }

    private void add(Expr expr) {
        Expr line = ViewOps.reshape(expr, expr.shape().numel());
        if (expr.dtype() == DType.INT64) {
            parts.add(wide(Expr.apply(Ops.FLOOR_DIVIDE, line, Expr.literal(HALF))));
            parts.add(wide(Expr.apply(Ops.REMAINDER, line, Expr.literal(HALF))));
        } else {
            parts.add(wide(line));
        }
    }

    private static Expr wide(Expr expr) {
        return Expr.cast(expr, DType.FLOAT64);
    }

    private Tensor packed() {
        return parts.isEmpty()
                ? Tensors.zeros(0).to(DType.FLOAT64)
                : broadloom.of(Expr.concat(parts, 0), null).collect();
    }

    private static Tensor unpacked(LazyTensor packed, long at, Expr expr) {
        long count = expr.shape().numel();
        LazyTensor first = packed.narrow(0, at, count).to(expr.dtype());
        LazyTensor value = expr.dtype() == DType.INT64
                ? first.mul(HALF).add(packed.narrow(0, at + count, count).to(DType.INT64))
                : first;
        return value.reshape(expr.shape().toArray()).compute();
    }
}
