package io.github.broadloom.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.tensor.Tensor;
import java.util.Map;

/** The steps of a view vector by name: {@code ["slice", dim, start, stop, step]} and its like. */
final class ViewStep {
    private interface Step {
        Tensor apply(Tensor tensor, Arguments arguments);
    }

    private static final Map<String, Step> STEPS = Map.ofEntries(
            Map.entry("contiguous", (t, a) -> t.contiguous()),
            Map.entry("expand", (t, a) -> t.expand(a.longs(1))),
            Map.entry("flatten", (t, a) -> a.count() == 0 ? t.flatten() : t.flatten(a.dim(1), a.dim(2))),
            Map.entry("flip", (t, a) -> t.flip(a.dims(1))),
            Map.entry("movedim", (t, a) -> t.movedim(a.dim(1), a.dim(2))),
            Map.entry("narrow", (t, a) -> t.narrow(a.dim(1), a.integer(2), a.integer(3))),
            Map.entry("permute", (t, a) -> t.permute(a.dims(1))),
            Map.entry("repeat", (t, a) -> t.repeat(a.longs(1))),
            Map.entry("reshape", (t, a) -> t.reshape(a.longs(1))),
            Map.entry("select", (t, a) -> t.select(a.dim(1), a.integer(2))),
            Map.entry(
                    "slice",
                    (t, a) -> t.slice(a.dim(1), ViewKind.bound(a.at(2)), ViewKind.bound(a.at(3)), a.integer(4))),
            Map.entry("squeeze", (t, a) -> a.count() == 0 ? t.squeeze() : t.squeeze(a.dim(1))),
            Map.entry("t", (t, a) -> t.t()),
            Map.entry("transpose", (t, a) -> t.transpose(a.dim(1), a.dim(2))),
            Map.entry("unfold", (t, a) -> t.unfold(a.dim(1), a.integer(2), a.integer(3))),
            Map.entry("unsqueeze", (t, a) -> t.unsqueeze(a.dim(1))),
            Map.entry("view", (t, a) -> t.view(a.longs(1))));

    private ViewStep() {}

    static boolean known(String name) {
        return STEPS.containsKey(name);
    }

    static Tensor apply(Tensor tensor, JsonNode step) {
        Step known = STEPS.get(step.path(0).asText(""));
        if (known == null) {
            throw new MalformedVectorException("a step must start with its name, got " + Vector.abbreviated(step));
        }
        return known.apply(tensor, new Arguments(step));
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

        int[] dims(int position) {
            return Vector.ints(at(position));
        }
    }
}
