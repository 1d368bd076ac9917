package io.github.broadloom.peers;

/** A library with one workload ready to run. */
interface Library {

    String version();

    /** The call that is measured: computes the workload and gives back what the call before left. */
    void compute();

    long[] shape();

    /** Elements of the result, by their places in row-major order. */
    double[] elements(long[] indices);

    /** Why a workload cannot be said in the library's words. */
    final class InexpressibleException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InexpressibleException(String reason) {
            super(reason);
        }
    }
}
