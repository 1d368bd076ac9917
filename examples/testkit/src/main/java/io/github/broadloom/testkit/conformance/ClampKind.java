package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Op;

/**
 * {@code clamp} between {@code min} and {@code max}, numbers or tensors of which one may be null: then it does not
 * bound.
 */
final class ClampKind implements Kind {

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        Expr operand = engine.place(vector.tensor("a"));
        JsonNode min = vector.field("min");
        JsonNode max = vector.field("max");
        if (min.isNull() && max.isNull()) {
            throw new IllegalArgumentException("torch.clamp: At least one of 'min' or 'max' must not be None");
        }
        if (max.isNull()) {
            return bounded(engine, "clamp_min", operand, bound(vector, "min", engine));
        }
        if (min.isNull()) {
            return bounded(engine, "clamp_max", operand, bound(vector, "max", engine));
        }
        return bounded(engine, "clamp", operand, bound(vector, "min", engine), bound(vector, "max", engine));
    }

    private static VectorAnswer bounded(Engine engine, String op, Expr... arguments) {
        return new TensorAnswer(engine.evaluate(Expr.apply(Op.of(op), arguments)));
    }

    private static Expr bound(Vector vector, String name, Engine engine) {
        JsonNode bound = vector.field(name);
        return bound.isObject() ? engine.place(vector.tensor(name)) : Expr.literal(Vector.number(bound));
    }
}
