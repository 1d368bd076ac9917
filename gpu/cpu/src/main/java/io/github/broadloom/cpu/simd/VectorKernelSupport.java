package io.github.broadloom.cpu.simd;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.incubator.vector.FloatVector;

/** {@link KernelSupport} on the Vector API. */
final class VectorKernelSupport implements KernelSupport {
    private static final int FIRST_WITH_SEGMENTS = 22;

    VectorKernelSupport() {}

    @Override
    public int vectorBits() {
        return FloatVector.SPECIES_PREFERRED.vectorBitSize();
    }

    @Override
    public boolean haveEights() {
        return VectorWords.FIT;
    }

    /** Java 17 and 18 have byte buffers, from 22 on there are memory segments; what is between has those as a preview. */
    @Override
    public MemoryAccess memoryAccess() {
        if (!VectorWords.FIT) {
            return MemoryAccess.NONE;
        }
        Set<String> methods = Arrays.stream(FloatVector.class.getMethods())
                .map(Method::getName)
                .collect(Collectors.toSet());
        boolean hasSegments = Runtime.version().feature() >= FIRST_WITH_SEGMENTS;
        if (hasSegments && methods.contains("fromMemorySegment")) {
            return MemoryAccess.SEGMENTS;
        }
        return methods.contains("fromByteBuffer") ? MemoryAccess.BUFFERS : MemoryAccess.NONE;
    }
}
