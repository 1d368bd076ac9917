package io.github.broadloom.cuda.compiler;

import io.github.broadloom.cuda.driver.MissingKernels;
import org.jspecify.annotations.Nullable;

/**
 * A kernel is not to be had on a device: nothing here can compile it, the compiler refuses it, or the driver refuses what was compiled. {@link MissingKernels} has the
 * CPU compute in its stead.
 */
public class NoKernelException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final String sentence;

    /** @param sentence "Cannot compile kernel …" or "Cannot load …", with the reason */
    public NoKernelException(String sentence, @Nullable Throwable cause) {
        this(sentence, "", cause);
    }

    public NoKernelException(String sentence, String details, @Nullable Throwable cause) {
        super(sentence + details, cause);
        this.sentence = sentence;
    }

    /** What cannot be done, and why, in one line; the message may have more. */
    public final String sentence() {
        return sentence;
    }

    /** What is one reason however many kernels it keeps away. */
    public String reason() {
        return sentence;
    }
}
