package io.github.broadloom.codec;

/** What a codec finds wrong with the bytes that it decodes; who knows the name of their file makes a sentence of it. */
public final class DamagedBytes extends Exception {
    private static final long serialVersionUID = 1L;

    public DamagedBytes(String problem) {
        super(problem);
    }

    public DamagedBytes(String problem, Throwable cause) {
        super(problem, cause);
    }
}
