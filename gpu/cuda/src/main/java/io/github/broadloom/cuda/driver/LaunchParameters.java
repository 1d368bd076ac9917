package io.github.broadloom.cuda.driver;

import io.github.broadloom.tensor.RawMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The parameters of a launch as {@code cuLaunchKernel} takes them: an array of addresses, of which there is one here, of the struct.
 * Both lie in one piece of off-heap memory that is used again and again: the driver copies the struct before the call returns.
 */
final class LaunchParameters {
    private static final int LARGEST_STRUCT = 4096;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(Long.BYTES + LARGEST_STRUCT).order(ByteOrder.nativeOrder());
    private final long struct = RawMemory.addressOf(memory) + Long.BYTES;
    private final HostPointer array = new HostPointer(RawMemory.addressOf(memory));

    LaunchParameters() {
        memory.putLong(0, struct);
    }

    /** The parameters of the next launch; the same object every time. */
    HostPointer of(byte[] bytes) {
        if (bytes.length > LARGEST_STRUCT) {
            throw new IllegalArgumentException("Cannot launch kernel: its parameters are " + bytes.length
                    + " bytes, the most is " + LARGEST_STRUCT + "; split the expression");
        }
        memory.put(Long.BYTES, bytes);
        return array;
    }
}
