package io.github.broadloom.io;

import java.io.IOException;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * A file or stream that is not what it should be: damaged, truncated, of another format, or of a kind that Broadloom
 * refuses. The message is one sentence that names the file and says what is wrong with it.
 */
public class TensorFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final int LISTED = 20;
    private static final int LONGEST_TEXT = 100;

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

    /** {@code Cannot write NAME: PROBLEM}. */
    public static TensorFormatException cannotWrite(String name, String problem) {
        return new TensorFormatException("Cannot write " + name + ": " + problem);
    }

    /** There is no array of that name; the message lists some of those that there are. */
    public static TensorFormatException noArray(String file, String key, Collection<String> keys) {
        String there = keys.isEmpty() ? "it has none" : "it has " + listed(keys);
        return cannotRead(file, "it has no array '" + quoted(key) + "'; " + there);
    }

    /** The first of some names. */
    public static String listed(Collection<String> names) {
        String first =
                names.stream().limit(LISTED).map(TensorFormatException::quoted).collect(Collectors.joining(", "));
        return names.size() > LISTED ? first + ", …" : first;
    }

    /** A text out of a file, as a part of one sentence. */
    public static String quoted(String text) {
        String printable = text.replaceAll("\\p{Cntrl}", "?");
        return printable.length() <= LONGEST_TEXT ? printable : printable.substring(0, LONGEST_TEXT) + "…";
    }
}
