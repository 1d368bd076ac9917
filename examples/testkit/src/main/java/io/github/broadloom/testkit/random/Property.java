package io.github.broadloom.testkit.random;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.parse.Printed;
import io.github.broadloom.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Something that holds for every expression. Where it does not hold for one, the failure shows the smallest part of
 * that expression for which it does not hold either, its operands, and the seed.
 */
public interface Property {
    String SEED = "broadloom.seed";
    String EFFORT = "broadloom.effort";

    /** Fails with any exception or assertion error where the property does not hold. */
    void check(Expr expr) throws Exception;

    /** Seeds from 0, or the one that is to be run again. */
    static LongStream seeds(int count) {
        Long again = Long.getLong(SEED);
        return again != null ? LongStream.of(again) : LongStream.range(0, (long) count * Integer.getInteger(EFFORT, 1));
    }

    /** A part of an expression for which a property does not hold, and what the property says. */
    record Failure(Expr part, Throwable cause) {
        /** The part, a line for each node after its operands, and what is wrong. */
        @Override
        public String toString() {
            return describe(part) + "\n" + cause.getMessage();
        }
    }

    static void check(long seed, Expr expr, Property property) {
        smallestFailure(expr, property).ifPresent(failure -> {
            throw new AssertionError(again(seed) + failure, failure.cause());
        });
    }

    /** The smallest part of an expression for which a property does not hold; nothing where it holds for the whole. */
    static Optional<Failure> smallestFailure(Expr expr, Property property) {
        Optional<Failure> whole = failure(expr, property);
        return whole.isEmpty()
                ? whole
                : expr.postOrder().stream()
                        .filter(node -> node != expr && !(node instanceof Literal))
                        .flatMap(node -> failure(node, property).stream())
                        .findFirst()
                        .or(() -> whole);
    }

    private static Optional<Failure> failure(Expr expr, Property property) {
        try {
            property.check(expr);
            return Optional.empty();
        } catch (Exception | AssertionError failure) {
            return Optional.of(new Failure(expr, failure));
        }
    }

    /** The expression of that seed, and how a test that fails with it is run again. */
    static String describe(long seed, Expr expr) {
        return again(seed) + describe(expr);
    }

    private static String again(long seed) {
        return "with seed " + seed + " (run again with -D" + SEED + "=" + seed + "), for\n";
    }

    private static String describe(Expr expr) {
        StringBuilder out = new StringBuilder();
        Map<Expr, String> names = new HashMap<>();
        for (Expr node : expr.postOrder()) {
            if (node instanceof Literal && node != expr) {
                continue;
            }
            boolean input = node instanceof Input;
            String name = (input ? "x" : "y") + names.size();
            String text = input ? operand((Input) node) : Printed.of(node, names);
            names.put(node, name);
            out.append("  ").append(name).append(" = ").append(text);
            out.append("  # ").append(node.dtype()).append(node.shape()).append('\n');
        }
        return out.toString();
    }

    private static String operand(Input input) {
        if (!(input.source() instanceof Tensor tensor)) {
            return input.toString();
        }
        String values = tensor.numel() <= 64
                ? tensor.values().toString()
                : tensor.values().subList(0, 64) + " …";
        return values + " in " + tensor.layout();
    }
}
