package io.github.broadloom.testkit.conformance;

import java.util.Optional;

/** What the project computed for a vector, ready to be held against what the vector expects. */
interface VectorAnswer {

    /** What was expected and what came instead; nothing when they agree. */
    Optional<Mismatch> mismatch(Vector vector);

    /** The answer in words, for a vector that expects an error and gets this. */
    String describe();

    /** The two texts of a failure. */
    record Mismatch(String expected, String got) {}
}
