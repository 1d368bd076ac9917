package io.github.broadloom.tensor;

import java.util.List;

/**
 * Keeps memory from being freed while somebody reads or writes it: a release by another thread takes effect when the last hold is closed.
 *
 * <pre>{@code
 * try (Hold held = Hold.of(source, target)) {
 *     RawMemory.copy(source.address(), target.address(), bytes);
 * }
 * }</pre>
 *
 * <p>What evaluates, copies or writes takes one for all that it works on, and not one for each element. Holds of the same storage may be inside each
 * other, and end on any thread.
 */
public final class Hold implements AutoCloseable {
    private final Storage[] storages;

    private Hold(Storage... storages) {
        this.storages = storages;
        for (int i = 0; i < storages.length; i++) {
            try {
                storages[i].hold();
            } catch (IllegalStateException released) {
                letGo(i);
                throw released;
            }
        }
    }

    /**
     * Holds the memory of a tensor.
     *
     * @throws IllegalStateException where it was released
     */
    public static Hold of(Tensor tensor) {
        return new Hold(tensor.storage());
    }

    /** Holds the memory of two tensors, which may be the same. */
    public static Hold of(Tensor first, Tensor second) {
        return new Hold(first.storage(), second.storage());
    }

    /** Holds the memory of tensors, all or none. */
    public static Hold of(List<Tensor> tensors) {
        return new Hold(tensors.stream().map(Tensor::storage).toArray(Storage[]::new));
    }

    public static Hold of(Storage storage) {
        return new Hold(storage);
    }

    private void letGo(int count) {
        for (int i = 0; i < count; i++) {
            storages[i].letGo();
        }
    }

    @Override
    public void close() {
        letGo(storages.length);
    }
}
