package io.github.broadloom.cuda.compiler;

import org.jspecify.annotations.Nullable;

/** A kernel has to be compiled, and nothing here can: the message says what, and why not. */
public final class NoCudaCompilerException extends NoKernelException {
    private static final long serialVersionUID = 1;

    public NoCudaCompilerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The compiler is missing, whatever the kernel. */
    @Override
    public String reason() {
        return getClass().getName();
    }
}
