package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Products;
import io.github.broadloom.expr.ops.Op;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;

/** The signs and words that {@link ExprParser} knows. */
final class ExprSyntax {
    static final int COMPARISON = 1;
    static final int TIGHTEST = 7;

    /** What a sign does to the values on its sides, and how tightly it binds: 1 is the loosest. */
    record Operator(BinaryOperator<Expr> builder, int precedence) {
        Operator(Op op, int precedence) {
            this((left, right) -> Expr.apply(op, BroadcastWarning.checked(left, right)), precedence);
        }
    }

    /** All but the power, which binds from the right. */
    static final Map<String, Operator> BINARY = new HashMap<>(Map.of("@", new Operator(Products::matmul, TIGHTEST)));

    static {
        for (Op op : Op.all()) {
            Op.Sign sign = op.sign();
            if (sign != null && sign.precedence() <= TIGHTEST) {
                BINARY.put(sign.text(), new Operator(op, sign.precedence()));
            }
        }
    }

    static final Map<String, Object> CONSTANTS = Map.of(
            "pi", Math.PI,
            "e", Math.E,
            "inf", Double.POSITIVE_INFINITY,
            "nan", Double.NaN,
            "True", true,
            "False", false);

    /** Words and signs of other languages, and what to write here. */
    static final Map<String, String> REMEDIES = Map.of(
            "and", "write & with each side in parentheses",
            "&&", "write & with each side in parentheses",
            "or", "write | with each side in parentheses",
            "||", "write | with each side in parentheses",
            "not", "write ~",
            "if", "write where(condition, a, b)",
            "=", "write == to compare");

    private ExprSyntax() {}
}
