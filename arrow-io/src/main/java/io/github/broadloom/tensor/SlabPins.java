package io.github.broadloom.tensor;

/**
 * Pins the slabs from which the memory of tensors is cut, so that a device copies from and to it without help of the CPU. Implementations are handed to
 * {@link Memory#isPinned}.
 */
public interface SlabPins {

    /** Pins a slab, which stays where it is until {@link #unpin}; false where that is refused. */
    boolean pin(long address, long bytes);

    /** Unpins a slab that was pinned, before the system has it back. Any thread may call this, while nobody can take memory. */
    void unpin(long address, long bytes);
}
