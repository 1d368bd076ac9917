package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Copies of whole storages on a device, or on the CPU of those of a device: a tensor there has the strides that it has here, and tensors that share a storage share one there. {@link Tensor#to}
 * gives a contiguous copy of each instead.
 */
public final class StorageCopies {
    private final Device device;
    private final Map<Storage, Storage> there = new IdentityHashMap<>();

    /** @param device where nothing is copied yet; a tensor that is there is its own copy, and so is each for {@code auto} */
    public StorageCopies(Device device) {
        this.device = device;
    }

    public Tensor there(Tensor tensor) {
        boolean isThere =
                device.isCpu() ? tensor.device().isCpu() : tensor.device().equals(device);
        if (isThere || device.equals(Device.AUTO)) {
            return tensor;
        }
        Storage storage = there.computeIfAbsent(
                tensor.storage(), own -> bytes(own).to(device).storage());
        return Tensor.of(tensor.dtype(), tensor.layout(), storage);
    }

    /** Brings what was written to a copy back to the storage that it was made of. */
    public void bringBack(Tensor tensor) {
        Storage copy = there.get(tensor.storage());
        if (copy != null) {
            bytes(tensor.storage()).copy_(bytes(copy));
        }
    }

    /** Gives the memory of the copies back; who has one may not use it any more. */
    public void release() {
        there.values().forEach(Storage::release);
        there.clear();
    }

    private static Tensor bytes(Storage storage) {
        return Tensor.of(DType.UINT8, Layout.contiguous(Shape.of(storage.sizeBytes())), storage);
    }
}
