package io.github.broadloom.cpu.simd;

/** How the Vector API of a JVM gets at off-heap memory. */
public enum MemoryAccess {
    /** By way of arrays alone. */
    NONE,
    /** As byte buffers, on Java 17 and 18. */
    BUFFERS,
    /** As memory segments, from Java 22 on. */
    SEGMENTS
}
