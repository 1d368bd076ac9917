package io.github.broadloom.cpu.simd;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/** {@link KernelSupport} on the Vector API. */
final class VectorKernelSupport implements KernelSupport {
    VectorKernelSupport() {}

    @Override
    public int vectorBits() {
        return FloatVector.SPECIES_PREFERRED.vectorBitSize();
    }

    @Override
    public boolean haveEights() {
        return VectorWords.FIT;
    }

    /** Java 19 has taken byte buffers out of the Vector API again, for memory segments, which Java 17 has not. */
    @Override
    public boolean readMemory() {
        boolean hasBuffers = Arrays.stream(FloatVector.class.getMethods())
                .anyMatch(method -> method.getName().equals("fromByteBuffer"));
        return hasBuffers && VectorWords.FIT;
    }
}
