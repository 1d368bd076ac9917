package io.github.broadloom.testkit.conformance;

import java.io.IOException;

/** A file of vectors that cannot be read as one: the message names the file and the line. */
public final class VectorFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    VectorFormatException(String message, Throwable cause) {
        super(message, cause);
    }

    VectorFormatException(String message) {
        super(message);
    }
}
