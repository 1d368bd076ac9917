package io.github.broadloom.device;

/**
 * Which GPU a device string without an ordinal means: PyTorch's current device, one for each thread. It is the first GPU until
 * something else is said.
 */
public final class CurrentGpu {
    private static final ThreadLocal<Integer> ORDINAL = ThreadLocal.withInitial(() -> 0);

    private CurrentGpu() {}

    /** The GPU of the calling thread, from 0. */
    public static int ordinal() {
        return ORDINAL.get();
    }

    /** Takes another GPU until the scope is closed, by the same thread. */
    public static Scope use(int ordinal) {
        int before = ORDINAL.get();
        ORDINAL.set(ordinal);
        return () -> ORDINAL.set(before);
    }

    /** How long a GPU is the current one. */
    @FunctionalInterface
    public interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
