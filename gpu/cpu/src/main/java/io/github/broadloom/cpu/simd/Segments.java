package io.github.broadloom.cpu.simd;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/** {@code java.lang.foreign.MemorySegment} for rendered kernels: Java 17, which this is compiled for, has none. */
public final class Segments {
    private static final MethodHandle OF_BUFFER = ofBuffer();

    private Segments() {}

    private static MethodHandle ofBuffer() {
        try {
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            return MethodHandles.publicLookup()
                    .findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class))
                    .asType(MethodType.methodType(Object.class, ByteBuffer.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "Cannot find memory segments: Java " + Runtime.version().feature(), e);
        }
    }

    /** The memory of a direct buffer, as a segment. */
    public static Object of(ByteBuffer buffer) {
        try {
            return OF_BUFFER.invokeExact(buffer);
        } catch (Throwable e) {
            throw Apart.unchecked(e);
        }
    }
}
