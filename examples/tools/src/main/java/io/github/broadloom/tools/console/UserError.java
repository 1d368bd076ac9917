package io.github.broadloom.tools.console;

/** A mistake that the user can mend: the message is the one sentence they see, and the exit code is 2. */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param sentence what cannot be done, why, and what to do instead */
    public UserError(String sentence) {
        super(sentence);
    }

    /** @param sentence what cannot be done, why, and what to do instead */
    public UserError(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
