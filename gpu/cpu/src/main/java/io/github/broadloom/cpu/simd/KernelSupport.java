package io.github.broadloom.cpu.simd;

/** What rendered kernels of vectors can rely on, of this JVM on this machine: nothing without the Vector API. */
interface KernelSupport {
    /** How wide the machine's vectors are. */
    default int vectorBits() {
        return 0;
    }

    /** Whether there are vectors of eight floats. */
    default boolean haveEights() {
        return false;
    }

    /** How those are read from off-heap memory, and written there. */
    default MemoryAccess memoryAccess() {
        return MemoryAccess.NONE;
    }
}
