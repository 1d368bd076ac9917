package io.github.broadloom.testkit.conformance;

import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.tensor.Tensor;
import java.util.Optional;

/**
 * {@code a.op_(b)} by the in-place methods: the rules, the result and, where there is one, the whole storage under the
 * view that {@code a} is.
 */
public final class InPlaceKind implements Kind {
    public static final String COPY = "copy";

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
    public Optional<String> beyond(Vector vector, Engine engine) {
        boolean overlaps =
                vector.has("error") && vector.text("error").startsWith("unsupported operation: more than one");
        return overlaps && !engine.hasStorage()
                ? Optional.of("inplace on elements that share a place: a distributed tensor has no strides")
                : Optional.empty();
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        Object other = vector.has("b") ? vector.tensor("b") : Vector.number(vector.field("scalar"));
        Tensor written = engine.inPlace(vector.text("op"), vector.tensor("a"), other);
        return engine.hasStorage() ? new Written(written) : new TensorAnswer(written);
    }

    /** The view that was written through, and the storage under it. */
    private record Written(Tensor view) implements VectorAnswer {

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
