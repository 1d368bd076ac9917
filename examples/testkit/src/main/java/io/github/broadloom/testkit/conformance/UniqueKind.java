package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.lazy.UniqueValues;
import java.util.Optional;

/** The distinct values of {@code a}, or its slices along {@code dim}, how often each is there, and which of them each element is, where the engine tells that. */
final class UniqueKind implements Kind {
    @Override
    public Optional<String> beyond(Vector vector, Engine engine) {
        boolean ofSlices = vector.has("dim") && !engine.hasStorage();
        return ofSlices ? Optional.of("the unique slices of a distributed tensor") : Optional.empty();
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        UniqueValues unique = vector.has("dim")
                ? LazyTensor.of(vector.tensor("a")).unique(Vector.small(Vector.integer(vector.field("dim"))))
                : engine.unique(engine.place(vector.tensor("a")));
        JsonNode expect = vector.field("expect");
        VectorAnswer answer = VectorAnswer.of(vector, Vector.member(expect, "values"), unique.values())
                .and(VectorAnswer.of(vector, Vector.member(expect, "counts"), unique.counts()));
        return unique.places()
                .filter(places -> expect.has("inverse")) // PyTorch leaves open which of several NaN is which
                .map(places -> answer.and(VectorAnswer.of(vector, Vector.member(expect, "inverse"), places)))
                .orElse(answer);
    }
}
