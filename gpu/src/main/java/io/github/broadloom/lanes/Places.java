package io.github.broadloom.lanes;

/** Whether kernels can read and write off-heap memory as vectors. */
interface Places {
    /** Whether this JVM on this machine has what it takes. */
    boolean areVectors();
}
