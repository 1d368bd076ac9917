package io.github.broadloom.io;

import java.io.IOException;

/**
 * A file or stream that is not what it should be: damaged, truncated, of another format, or of a kind that Broadloom
 * refuses. The message is one sentence that names the file and says what is wrong with it.
 */
public class TensorFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    public TensorFormatException(String message) {
        super(message);
    }

    public TensorFormatException(String message, Throwable cause) {
        super(message, cause);
    }

    /** {@code Cannot read NAME: PROBLEM}. */
    public static TensorFormatException cannotRead(String name, String problem) {
        return new TensorFormatException("Cannot read " + name + ": " + problem);
    }

    public static TensorFormatException cannotRead(String name, String problem, Throwable cause) {
        return new TensorFormatException("Cannot read " + name + ": " + problem, cause);
    }
}
