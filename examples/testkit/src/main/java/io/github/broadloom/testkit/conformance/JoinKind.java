package io.github.broadloom.testkit.conformance;

import io.github.broadloom.expr.Expr;
import java.util.List;

/** The tensors in a list, joined along a dimension. */
final class JoinKind implements Kind {
    /** How they are joined. */
    interface Join {
        Expr of(List<Expr> tensors, int dim);
    }

    private final Join join;

    JoinKind(Join join) {
        this.join = join;
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        List<Expr> tensors =
                vector.tensors("tensors").stream().map(engine::place).toList();
        Expr joined = join.of(tensors, Vector.small(Vector.integer(vector.field("dim"))));
        return new TensorAnswer(engine.evaluate(joined));
    }
}
