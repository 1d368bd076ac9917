package io.github.broadloom.testkit.conformance;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A row of the Op table applied to operands, each in a field of its own. */
record PointwiseKind(Optional<String> fixedOp, List<String> operands) implements Kind {
    /** A kind that names its op in the field {@code op}. */
    static PointwiseKind ofField(String... operands) {
        return new PointwiseKind(Optional.empty(), List.of(operands));
    }

    static PointwiseKind ofOp(String op, String... operands) {
        return new PointwiseKind(Optional.of(op), List.of(operands));
    }

    @Override
    public Optional<String> unknownOp(Vector vector) {
        String op = op(vector);
        boolean known = Op.find(op).filter(this::takesOperands).isPresent();
        return known ? Optional.empty() : Optional.of(op);
    }

    /** Its parameters may be left out. */
    private boolean takesOperands(Op row) {
        int surplus = operands.size() - row.arity();
        return surplus >= 0 && surplus <= row.parameters().size();
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        List<Expr> arguments = new ArrayList<>();
        for (String operand : operands) {
            arguments.add(argument(vector, operand, engine));
        }
        return VectorAnswer.of(vector, engine.evaluate(Expr.apply(Op.of(op(vector)), arguments.toArray(new Expr[0]))));
    }

    private String op(Vector vector) {
        return fixedOp.orElseGet(() -> vector.text("op"));
    }

    /** A tensor, or the plain number that stands in the field {@code scalar} instead of the second operand. */
    private static Expr argument(Vector vector, String operand, Engine engine) {
        if (operand.equals("b") && !vector.has("b") && vector.has("scalar")) {
            return Expr.literal(Vector.number(vector.field("scalar")));
        }
        return vector.operand(operand, engine);
    }
}
