package io.github.broadloom.testkit.conformance;

import io.github.broadloom.expr.Einsum;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Products;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * A product of two operands {@code a} and {@code b}, named by {@code op}; or Einstein's sum that {@code equation} says, of {@code a},
 * {@code b} and {@code c}, as many as there are.
 */
final class ProductKind implements Kind {
    private static final Map<String, BinaryOperator<Expr>> BY_NAME = Map.of(
            "matmul",
            Products::matmul,
            "mm",
            Products::mm,
            "bmm",
            Products::bmm,
            "mv",
            Products::mv,
            "dot",
            Products::dot);

    @Override
    public Optional<String> unknownOp(Vector vector) {
        boolean known = vector.has("equation") || BY_NAME.containsKey(vector.text("op"));
        return known ? Optional.empty() : Optional.of(vector.text("op"));
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        List<Expr> operands = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            if (vector.has(name)) {
                operands.add(engine.place(vector.tensor(name)));
            }
        }
        if (vector.has("equation")) {
            return new TensorAnswer(engine.evaluate(Einsum.of(vector.text("equation"), operands)));
        }
        BinaryOperator<Expr> product = BY_NAME.getOrDefault(vector.text("op"), Products::matmul);
        return new TensorAnswer(engine.evaluate(product.apply(operands.get(0), operands.get(1))));
    }
}
