package io.github.broadloom.cuda.driver;

import java.util.Set;

/**
 * A call of the CUDA driver that failed. The message says what was being done, the call, and CUDA's name, number and words for the
 * error. Kernels run behind the calls that start them, so a call also reports the failure of one that was started earlier.
 */
public class CudaException extends RuntimeException {
    /** CUDA's number for want of memory. */
    static final int OUT_OF_MEMORY = 2;

    /**
     * CUDA's numbers of errors after which "any further CUDA work will return the same error" until the process ends: of memory and links (214, 220, 226), of kernels
     * (700, 702, 710, 714 to 719), of another device (911), and of what the driver has ended itself (4, 709, 810). Of the unknown one (999) nothing is promised; a device that gave it
     * is not trusted.
     */
    private static final Set<Integer> LASTING =
            Set.of(4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 810, 911, 999);

    /**
     * CUDA's numbers for machine code, or PTX, that the driver or the device does not take (200, 209, 218, 221 to 223, 300), and for a kernel that wants more registers or
     * shared memory than there are (701).
     */
    private static final Set<Integer> REFUSED_KERNEL = Set.of(200, 209, 218, 221, 222, 223, 300, 701);

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

    /** Whether the device cannot be used any more by this process. */
    boolean isLasting() {
        return LASTING.contains(status);
    }

    /** Whether the kernel will never run on the device, which is as good as before. */
    boolean refusesKernel() {
        return REFUSED_KERNEL.contains(status);
    }

    public boolean isOutOfMemory() {
        return status == OUT_OF_MEMORY;
    }

    /** Where there was too little memory, returns; throws this where it is something else. */
    public void requireOutOfMemory() {
        if (!isOutOfMemory()) {
            throw this;
        }
    }

    /** This failure with what it kept from being done: "Cannot add [3, 4] and [4] on cuda:0: cuLaunchKernel: …". */
    CudaException during(String what, Object device) {
        return new CudaException("Cannot " + what + " on " + device + ": " + getMessage(), this);
    }
}
