package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Reductions;
import io.github.broadloom.expr.ops.Reduction;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A reduction, or running sums, over {@code dims} (null: all of them), keeping them as sizes of one where {@code
 * keepdim} is true.
 */
final class ReduceKind implements Kind {
    private static final Set<String> COMPOSED = Set.of("count_nonzero", "norm", "logsumexp", "cumsum", "cumprod");

    @Override
    public Optional<String> unknownOp(Vector vector) {
        String op = vector.text("op");
        return find(op).isPresent() || COMPOSED.contains(op) ? Optional.empty() : Optional.of(op);
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        boolean keep = vector.field("keepdim").isBoolean() && vector.flag("keepdim");
        Expr operand = engine.place(vector.tensor("a"));
        KeepDim keepDim = KeepDim.of(keep);
        return VectorAnswer.of(vector, engine.evaluate(reduced(vector, operand, keepDim, dims(vector, operand))));
    }

    private static Expr reduced(Vector vector, Expr operand, KeepDim keepDim, int[] dims) {
        String op = vector.text("op");
        return switch (op) {
            case "count_nonzero" -> Reductions.countNonzero(operand, keepDim, dims);
            case "norm" -> Reductions.norm(operand, 2, keepDim, dims);
            case "logsumexp" -> Reductions.logsumexp(operand, keepDim, dims);
            case "cumsum" -> Lines.cumsum(operand, dims[0]);
            case "cumprod" -> Lines.cumprod(operand, dims[0]);
            default -> {
                boolean biased = vector.has("unbiased") && !vector.flag("unbiased");
                Reduction reduction = find(op).orElseThrow();
                yield Expr.reduce(reduction, operand, biased ? 0 : 1, keepDim, dims);
            }
        };
    }

    /** PyTorch's {@code amin} and {@code amax} have no null, so those vectors name every dimension. */
    private static int[] dims(Vector vector, Expr operand) {
        JsonNode dims = vector.field("dims");
        if (!dims.isNull()) {
            return Vector.ints(dims);
        }
        boolean named = Set.of("amin", "amax").contains(vector.text("op"));
        return named ? IntStream.range(0, operand.shape().rank()).toArray() : new int[0];
    }

    private static Optional<Reduction> find(String op) {
        return Arrays.stream(Reduction.values())
                .filter(reduction -> reduction.torchName().equals(op))
                .findFirst();
    }
}
