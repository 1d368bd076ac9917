package io.github.broadloom.cuda.driver;

import jcuda.Pointer;

/**
 * An address of this JVM's off-heap memory as JCuda takes and gives it. JCuda passes such a pointer on as it is; for one made of a
 * buffer or an array it asks the JVM at every call. Whoever makes one keeps the memory alive until the driver is done with it.
 */
final class HostPointer extends Pointer {
    HostPointer() {}

    HostPointer(long address) {
        super(address);
    }

    long address() {
        return getNativePointer() + getByteOffset();
    }
}
