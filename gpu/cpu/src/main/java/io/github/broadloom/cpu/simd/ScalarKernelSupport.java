package io.github.broadloom.cpu.simd;

/** {@link KernelSupport} of a JVM without the Vector API: none. */
final class ScalarKernelSupport implements KernelSupport {

    @Override
    public boolean haveEights() {
        return false;
    }

    @Override
    public boolean readMemory() {
        return false;
    }
}
