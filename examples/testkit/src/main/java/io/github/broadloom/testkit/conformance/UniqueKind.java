package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.lazy.UniqueValues;
import java.util.OptionalInt;

/** The distinct values of {@code a}, or its slices along {@code dim}, how often each is there, and which of them each element is, where the engine tells that. */
final class UniqueKind implements Kind {
    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        OptionalInt dim = vector.has("dim")
                ? OptionalInt.of(Vector.small(Vector.integer(vector.field("dim"))))
                : OptionalInt.empty();
        UniqueValues unique = engine.unique(engine.place(vector.tensor("a")), dim);
        JsonNode expect = vector.field("expect");
        VectorAnswer answer = VectorAnswer.of(vector, Vector.member(expect, "values"), unique.values())
                .and(VectorAnswer.of(vector, Vector.member(expect, "counts"), unique.counts()));
        return unique.places()
                .filter(places -> expect.has("inverse")) // PyTorch leaves open which of several NaN is which
                .map(places -> answer.and(VectorAnswer.of(vector, Vector.member(expect, "inverse"), places)))
                .orElse(answer);
    }
}
