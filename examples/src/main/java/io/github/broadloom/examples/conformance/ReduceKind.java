package io.github.broadloom.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduction;
import java.util.Arrays;
import java.util.Optional;

/** A reduction over {@code dims} (null: all of them), keeping them as sizes of one where {@code keepdim} is true. */
final class ReduceKind implements Kind {

    @Override
    public Optional<String> unknownOp(Vector vector) {
        String op = vector.text("op");
        return find(op).isPresent() ? Optional.empty() : Optional.of(op);
    }

    @Override
    public Answer answer(Vector vector, Engine engine) {
        Reduction reduction = find(vector.text("op")).orElseThrow();
        JsonNode dims = vector.field("dims");
        boolean keepdim = vector.field("keepdim").isBoolean() && vector.flag("keepdim");
        Expr operand = engine.place(vector.tensor("a"));
        Expr reduced = Expr.reduce(reduction, operand, dims.isNull() ? new int[0] : Vector.ints(dims), keepdim);
        return new TensorAnswer(engine.evaluate(reduced));
    }

    private static Optional<Reduction> find(String op) {
        return Arrays.stream(Reduction.values())
                .filter(reduction -> reduction.torchName().equals(op))
                .findFirst();
    }
}
