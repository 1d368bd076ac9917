package io.github.broadloom.device.cuda;

/**
 * A call of the CUDA driver that failed. The message says what was being done, the call, and CUDA's name, number and words for the
 * error. Kernels run behind the calls that start them, so a call also reports the failure of one that was started earlier.
 */
public class CudaException extends RuntimeException {
    /** CUDA's number for want of memory. */
    static final int OUT_OF_MEMORY = 2;

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param failure the call and CUDA's error
     * @param status CUDA's number of the error
     */
    CudaException(String failure, int status) {
        super(failure);
        this.status = status;
    }

    private CudaException(String message, CudaException cause) {
        super(message, cause);
        this.status = cause.status;
    }

    /** CUDA's number of the error, {@code CUresult}. */
    public int status() {
        return status;
    }

    /** Whether there was too little memory. */
    public boolean isOutOfMemory() {
        return status == OUT_OF_MEMORY;
    }

    /** Where there was too little memory, returns; throws this where it is something else. */
    void requireOutOfMemory() {
        if (!isOutOfMemory()) {
            throw this;
        }
    }

    /** This failure with what it kept from being done: "Cannot add [3, 4] and [4] on cuda:0: cuLaunchKernel: …". */
    CudaException during(String what, Object device) {
        return new CudaException("Cannot " + what + " on " + device + ": " + getMessage(), this);
    }
}
