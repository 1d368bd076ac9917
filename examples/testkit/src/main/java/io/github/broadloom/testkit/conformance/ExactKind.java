package io.github.broadloom.testkit.conformance;

import java.util.Optional;
import java.util.function.Function;

/** A kind whose answer is a plain value that must equal the expected one: a dtype, a list of sizes, a text. */
record ExactKind(Function<Vector, Object> actual, Function<Vector, Object> expected) implements Kind {

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        Object got = actual.apply(vector);
        return new VectorAnswer() {
            @Override
            public Optional<Mismatch> mismatch(Vector asked) {
                Object wanted = expected.apply(asked);
                return wanted.equals(got)
                        ? Optional.empty()
                        : Optional.of(new Mismatch(wanted.toString(), got.toString()));
            }

            @Override
            public String describe() {
                return got.toString();
            }
        };
    }
}
