package io.github.broadloom.testkit.conformance;

/** A vector that is JSON, yet not a vector: a missing field, an unknown dtype, a storage too short for its view. */
final class MalformedVectorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedVectorException(String message) {
        super(message);
    }

    MalformedVectorException(String message, Throwable cause) {
        super(message, cause);
    }
}
