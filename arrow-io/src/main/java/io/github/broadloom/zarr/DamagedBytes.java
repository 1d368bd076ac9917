package io.github.broadloom.zarr;

/** What a codec finds wrong with the bytes that it decodes; who knows the name of their file makes a sentence of it. */
final class DamagedBytes extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedBytes(String problem) {
        super(problem);
    }

    DamagedBytes(String problem, Throwable cause) {
        super(problem, cause);
    }
}
