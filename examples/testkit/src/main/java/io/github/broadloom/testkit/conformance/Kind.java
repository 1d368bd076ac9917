package io.github.broadloom.testkit.conformance;

import java.util.Optional;

/** One kind of vector: reads its fields, has the engine compute, and gives the answer. */
@FunctionalInterface
interface Kind {
    /** The op of this vector that the project does not have, or nothing when the vector can run. */
    default Optional<String> unknownOp(Vector vector) {
        return Optional.empty();
    }

    /** Why this vector asks for something that a tensor of the engine cannot have, or nothing when it can run. */
    default Optional<String> beyond(Vector vector, Engine engine) {
        return Optional.empty();
    }

    /**
     * Computes what the vector asks for.
     *
     * @throws MalformedVectorException when a field is missing or wrong
     * @throws RuntimeException whatever the project says about the operands; the vector may expect just that
     */
    VectorAnswer answer(Vector vector, Engine engine);
}
