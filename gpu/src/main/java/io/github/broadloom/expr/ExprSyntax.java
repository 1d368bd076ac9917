package io.github.broadloom.expr;

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

    static final Map<String, Operator> BINARY = Map.ofEntries(
            Map.entry("==", new Operator(Ops.EQ, COMPARISON)),
            Map.entry("!=", new Operator(Ops.NE, COMPARISON)),
            Map.entry("<", new Operator(Ops.LT, COMPARISON)),
            Map.entry("<=", new Operator(Ops.LE, COMPARISON)),
            Map.entry(">", new Operator(Ops.GT, COMPARISON)),
            Map.entry(">=", new Operator(Ops.GE, COMPARISON)),
            Map.entry("|", new Operator(Ops.BITWISE_OR, 2)),
            Map.entry("^", new Operator(Ops.BITWISE_XOR, 3)),
            Map.entry("&", new Operator(Ops.BITWISE_AND, 4)),
            Map.entry("<<", new Operator(Ops.BITWISE_LEFT_SHIFT, 5)),
            Map.entry(">>", new Operator(Ops.BITWISE_RIGHT_SHIFT, 5)),
            Map.entry("+", new Operator(Ops.ADD, 6)),
            Map.entry("-", new Operator(Ops.SUB, 6)),
            Map.entry("*", new Operator(Ops.MUL, TIGHTEST)),
            Map.entry("/", new Operator(Ops.DIV, TIGHTEST)),
            Map.entry("//", new Operator(Ops.FLOOR_DIVIDE, TIGHTEST)),
            Map.entry("%", new Operator(Ops.REMAINDER, TIGHTEST)),
            Map.entry("@", new Operator(Products::matmul, TIGHTEST)));

    static final Map<String, Object> CONSTANTS = Map.of(
            "pi",
            Math.PI,
            "e",
            Math.E,
            "inf",
            Double.POSITIVE_INFINITY,
            "nan",
            Double.NaN,
            "True",
            true,
            "False",
            false);

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
