package io.github.broadloom.device;

import java.util.function.IntSupplier;

/**
 * Which GPU a device string without an ordinal means: PyTorch's current device, one for each thread. It is the first GPU until
 * something else is said.
 */
public final class CurrentGpu {
    private static final ThreadLocal<IntSupplier> ORDINAL = ThreadLocal.withInitial(() -> () -> 0);

    private CurrentGpu() {}

    /** The GPU of the calling thread, from 0. */
    public static int ordinal() {
        return ORDINAL.get().getAsInt();
    }

    /**
     * Takes another GPU until the scope is closed, by the same thread.
     *
     * @param ordinal is asked for when the GPU is: who needs none looks for none
     */
    public static Scope use(IntSupplier ordinal) {
        IntSupplier before = ORDINAL.get();
        ORDINAL.set(ordinal);
        return () -> ORDINAL.set(before);
    }

    @FunctionalInterface
    public interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
