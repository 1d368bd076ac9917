package io.github.broadloom.examples.conformance;

import io.github.broadloom.expr.Expr;
import java.util.List;
import java.util.Optional;

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

    /** The planner refuses what moves elements between chunks. */
    @Override
    public Optional<String> beyond(Vector vector, Engine engine) {
        return engine.hasStorage() ? Optional.empty() : Optional.of("joins of a distributed tensor");
    }

    @Override
    public Answer answer(Vector vector, Engine engine) {
        List<Expr> tensors =
                vector.tensors("tensors").stream().map(engine::place).toList();
        Expr joined = join.of(tensors, Vector.small(Vector.integer(vector.field("dim"))));
        return new TensorAnswer(engine.evaluate(joined));
    }
}
