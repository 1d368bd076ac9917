package io.github.broadloom.examples.conformance;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.InPlaceRules;
import io.github.broadloom.expr.Op;
import io.github.broadloom.tensor.Tensor;
import java.util.Optional;

/**
 * {@code a.op_(b)}: the rules of writing in place, the result, and the whole storage of {@code a} afterwards. The engine
 * computes the result; it is written through the view that {@code a} is.
 */
final class InPlaceKind implements Kind {
    static final String COPY = "copy";

    @Override
    public Optional<String> unknownOp(Vector vector) {
        return unknown(vector.text("op"));
    }

    static Optional<String> unknown(String op) {
        boolean known =
                op.equals(COPY) || Op.find(op).filter(row -> row.arity() == 2).isPresent();
        return known ? Optional.empty() : Optional.of(op);
    }

    @Override
    public Answer answer(Vector vector, Engine engine) {
        Tensor a = vector.tensor("a");
        Expr other = vector.has("b")
                ? engine.place(vector.tensor("b"))
                : Expr.literal(Vector.number(vector.field("scalar")));
        String op = vector.text("op");
        Expr result = op.equals(COPY)
                ? InPlaceRules.copy(a.layout(), a.dtype(), other)
                : InPlaceRules.apply(Op.of(op), a.layout(), engine.place(a), other);
        a.assign(engine.evaluate(result));
        return new Written(a);
    }

    /** The view that was written through, and the storage under it. */
    private record Written(Tensor view) implements Answer {

        @Override
        public Optional<Mismatch> mismatch(Vector vector) {
            return new TensorAnswer(view).mismatch(vector).or(() -> new StorageAnswer(view).mismatch(vector));
        }

        @Override
        public String describe() {
            return new TensorAnswer(view).describe();
        }
    }
}
