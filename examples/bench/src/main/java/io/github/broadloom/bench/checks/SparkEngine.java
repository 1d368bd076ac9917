package io.github.broadloom.bench.checks;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.testkit.conformance.Engine;
import io.github.broadloom.testkit.conformance.InPlaceKind;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Computes on Spark, every operand cut in a number of chunks, or in as many as it has rows. */
public final class SparkEngine implements Engine {
    private final Broadloom broadloom;
    private final int chunks;
    private @Nullable DistributedTensor placed;

    public SparkEngine(Broadloom broadloom, int chunks) {
        this.broadloom = broadloom;
        this.chunks = chunks;
    }

    @Override
    public Expr place(Tensor tensor) {
        DistributedTensor distributed = broadloom.tensor(tensor, chunks);
        placed = distributed;
        return distributed.expr();
    }

    @Override
    public Tensor evaluate(Expr expr) {
        DistributedTensor any = placed;
        if (any == null) {
            throw new IllegalStateException("Cannot evaluate " + expr + ": no operand was placed");
        }
        return any.withExpr(expr).collect();
    }

    @Override
    public UniqueValues unique(Expr expr, OptionalInt dim) {
        DistributedTensor any = placed;
        if (any == null) {
            throw new IllegalStateException("Cannot find the unique values of " + expr + ": no operand was placed");
        }
        DistributedTensor x = any.withExpr(expr);
        return dim.isPresent() ? x.unique(dim.getAsInt()) : x.unique();
    }

    @Override
    public Tensor inPlace(String op, Tensor a, Object other) {
        DistributedTensor handle = broadloom.tensor(a, chunks);
        Object operand = other instanceof Tensor tensor ? broadloom.tensor(tensor, chunks) : other;
        if (op.equals(InPlaceKind.COPY)) {
            handle.copy_((DistributedTensor) operand);
        } else {
            handle.apply_(Op.of(op), operand);
        }
        return handle.collect();
    }

    @Override
    public boolean hasStorage() {
        return false;
    }
}
