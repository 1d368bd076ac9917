package io.github.broadloom.expr;

import java.util.Map;
import java.util.stream.Collectors;

/** Writes an expression over inputs named by their source, with every parenthesis. */
final class Printed {
    private static final Map<Op, String> OPERATORS = Map.ofEntries(
            Map.entry(Ops.ADD, "+"),
            Map.entry(Ops.SUB, "-"),
            Map.entry(Ops.MUL, "*"),
            Map.entry(Ops.DIV, "/"),
            Map.entry(Ops.FLOOR_DIVIDE, "//"),
            Map.entry(Ops.REMAINDER, "%"),
            Map.entry(Ops.POW, "**"),
            Map.entry(Ops.BITWISE_LEFT_SHIFT, "<<"),
            Map.entry(Ops.BITWISE_RIGHT_SHIFT, ">>"),
            Map.entry(Ops.BITWISE_AND, "&"),
            Map.entry(Ops.BITWISE_OR, "|"),
            Map.entry(Ops.BITWISE_XOR, "^"),
            Map.entry(Ops.EQ, "=="),
            Map.entry(Ops.NE, "!="),
            Map.entry(Ops.LT, "<"),
            Map.entry(Ops.LE, "<="),
            Map.entry(Ops.GT, ">"),
            Map.entry(Ops.GE, ">="));

    private Printed() {}

    static String of(Expr expr) {
        if (expr instanceof Input input) {
            return input.source().toString();
        }
        if (expr instanceof Apply apply) {
            String operator = OPERATORS.get(apply.op());
            if (operator != null) {
                return "(" + of(apply.children().get(0)) + " " + operator + " "
                        + of(apply.children().get(1)) + ")";
            }
            if (apply.op() == Ops.NEG || apply.op() == Ops.BITWISE_NOT) {
                return "(" + (apply.op() == Ops.NEG ? "-" : "~")
                        + of(apply.children().get(0)) + ")";
            }
            return apply.children().stream().map(Printed::of).collect(Collectors.joining(", ", apply.op() + "(", ")"));
        }
        if (expr instanceof Cast cast) {
            return cast.dtype() + "(" + of(cast.operand()) + ")";
        }
        if (expr instanceof Reduce reduce) {
            return reduce.reduction() + "(" + of(reduce.operand()) + ", " + java.util.Arrays.toString(reduce.dims())
                    + ", " + reduce.keepDim() + ")";
        }
        return expr.toString();
    }
}
