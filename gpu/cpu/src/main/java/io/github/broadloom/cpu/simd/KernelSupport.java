package io.github.broadloom.cpu.simd;

/** What rendered kernels of vectors can rely on, of this JVM on this machine: nothing without the Vector API. */
interface KernelSupport {
    /** Whether there are vectors of eight floats. */
    default boolean haveEights() {
        return false;
    }

    /** Whether those can be read from off-heap memory, and written there. */
    default boolean readMemory() {
        return false;
    }
}
