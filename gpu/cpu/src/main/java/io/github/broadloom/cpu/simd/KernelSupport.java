package io.github.broadloom.cpu.simd;

/** What rendered kernels of vectors can rely on, of this JVM on this machine. */
interface KernelSupport {
    /** Whether there are vectors of eight floats. */
    boolean haveEights();

    /** Whether those can be read from off-heap memory, and written there. */
    boolean readMemory();
}
