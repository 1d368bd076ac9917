package io.github.broadloom.cuda.driver;

import org.jspecify.annotations.Nullable;

/** Device memory is not to be had, neither free nor by releasing what is kept for reuse. The message has the figures. */
public final class OutOfDeviceMemoryException extends CudaException {
    private static final long serialVersionUID = 1L;

    OutOfDeviceMemoryException(String message, @Nullable CudaException cause) {
        super(message, OUT_OF_MEMORY);
        if (cause != null) {
            initCause(cause);
        }
    }
}
