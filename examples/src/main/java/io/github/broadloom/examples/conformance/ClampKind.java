package io.github.broadloom.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Op;
import java.util.Optional;

/** {@code clamp} between {@code min} and {@code max}, plain numbers of which one may be null: then it does not bound. */
final class ClampKind implements Kind {

    @Override
    public Optional<String> unknownOp(Vector vector) {
        return Op.find("clamp").isPresent() ? Optional.empty() : Optional.of("clamp");
    }

    @Override
    public Answer answer(Vector vector, Engine engine) {
        Expr operand = engine.place(vector.tensor("a"));
        JsonNode min = vector.field("min");
        JsonNode max = vector.field("max");
        if (min.isNull() && max.isNull()) {
            throw new IllegalArgumentException("torch.clamp: At least one of 'min' or 'max' must not be None");
        }
        return new TensorAnswer(engine.evaluate(clamped(operand, min, max)));
    }

    private static Expr clamped(Expr operand, JsonNode min, JsonNode max) {
        if (max.isNull()) {
            return Expr.apply(Op.of("maximum"), operand, Expr.literal(Vector.number(min)));
        }
        if (min.isNull()) {
            return Expr.apply(Op.of("minimum"), operand, Expr.literal(Vector.number(max)));
        }
        return Expr.apply(Op.of("clamp"), operand, Expr.literal(Vector.number(min)), Expr.literal(Vector.number(max)));
    }
}
