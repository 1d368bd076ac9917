package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The steps of a view vector by name: {@code ["slice", dim, start, stop, step]} and its like. */
final class ViewStep {
    /** Of a tensor its own view or copy; of an expression the same, where it has that. */
    private record Step(
            BiFunction<Tensor, Arguments, Tensor> ofTensor,
            @Nullable BiFunction<Expr, Arguments, Expr> ofExpr) {}

    private static final Map<String, Step> STEPS = Map.ofEntries(
            step("contiguous", (t, a) -> t.contiguous(), (x, a) -> x),
            step("expand", (t, a) -> t.expand(a.longs(1)), (x, a) -> Expr.expand(x, a.longs(1))),
            step(
                    "flatten",
                    (t, a) -> a.count() == 0 ? t.flatten() : t.flatten(a.dim(1), a.dim(2)),
                    (x, a) -> a.count() == 0 ? ViewOps.flatten(x, 0, -1) : ViewOps.flatten(x, a.dim(1), a.dim(2))),
            step("flip", (t, a) -> t.flip(a.dims(1)), (x, a) -> ViewOps.flip(x, a.dims(1))),
            step("movedim", (t, a) -> t.movedim(a.dim(1), a.dim(2)), (x, a) -> ViewOps.movedim(x, a.dim(1), a.dim(2))),
            step(
                    "narrow",
                    (t, a) -> t.narrow(a.dim(1), a.integer(2), a.integer(3)),
                    (x, a) -> ViewOps.narrow(x, a.dim(1), a.integer(2), a.integer(3))),
            step("permute", (t, a) -> t.permute(a.dims(1)), (x, a) -> ViewOps.permute(x, a.dims(1))),
            step("repeat", (t, a) -> t.repeat(a.longs(1)), (x, a) -> ViewOps.repeat(x, a.longs(1))),
            step("reshape", (t, a) -> t.reshape(a.longs(1)), (x, a) -> ViewOps.reshape(x, a.longs(1))),
            step(
                    "select",
                    (t, a) -> t.select(a.dim(1), a.integer(2)),
                    (x, a) -> ViewOps.select(x, a.dim(1), a.integer(2))),
            step("slice", (t, a) -> t.slice(a.dim(1), a.slice()), (x, a) -> ViewOps.slice(x, a.dim(1), a.slice())),
            step(
                    "squeeze",
                    (t, a) -> a.count() == 0 ? t.squeeze() : t.squeeze(a.dim(1)),
                    (x, a) -> a.count() == 0 ? ViewOps.squeeze(x) : ViewOps.squeeze(x, a.dim(1))),
            step("t", (t, a) -> t.t(), (x, a) -> ViewOps.t(x)),
            step(
                    "transpose",
                    (t, a) -> t.transpose(a.dim(1), a.dim(2)),
                    (x, a) -> ViewOps.transpose(x, a.dim(1), a.dim(2))),
            step("unfold", (t, a) -> t.unfold(a.dim(1), a.integer(2), a.integer(3)), null),
            step("unsqueeze", (t, a) -> t.unsqueeze(a.dim(1)), (x, a) -> ViewOps.unsqueeze(x, a.dim(1))),
            step("view", (t, a) -> t.view(a.longs(1)), (x, a) -> ViewOps.reshape(x, a.longs(1))));

    private static Map.Entry<String, Step> step(
            String name,
            BiFunction<Tensor, Arguments, Tensor> ofTensor,
            @Nullable BiFunction<Expr, Arguments, Expr> ofExpr) {
        return Map.entry(name, new Step(ofTensor, ofExpr));
    }

    private ViewStep() {}

    static boolean known(String name) {
        return STEPS.containsKey(name);
    }

    static Tensor apply(Tensor tensor, JsonNode step) {
        return find(step).ofTensor().apply(tensor, new Arguments(step));
    }

    /** The step of an expression, or null where expressions have none of that name. */
    static @Nullable Expr apply(Expr expr, JsonNode step) {
        BiFunction<Expr, Arguments, Expr> known = find(step).ofExpr();
        return known == null ? null : known.apply(expr, new Arguments(step));
    }

    private static Step find(JsonNode step) {
        Step known = STEPS.get(step.path(0).asText(""));
        if (known == null) {
            throw new MalformedVectorException("a step must start with its name, got " + Vector.abbreviated(step));
        }
        return known;
    }

    /** The step's list: the name at 0, its arguments after it. */
    private record Arguments(JsonNode step) {
        int count() {
            return step.size() - 1;
        }

        JsonNode at(int position) {
            JsonNode argument = step.get(position);
            if (argument == null) {
                throw new MalformedVectorException("an argument is missing in the step " + Vector.abbreviated(step));
            }
            return argument;
        }

        long integer(int position) {
            return Vector.integer(at(position));
        }

        int dim(int position) {
            return Vector.small(integer(position));
        }

        long[] longs(int position) {
            return Vector.longs(at(position));
        }

        Slice slice() {
            return new Slice(bound(at(2)), bound(at(3)), integer(4));
        }

        private static @Nullable Long bound(JsonNode node) {
            return node.isNull() ? null : (Long) Vector.integer(node);
        }

        int[] dims(int position) {
            return Vector.ints(at(position));
        }
    }
}
