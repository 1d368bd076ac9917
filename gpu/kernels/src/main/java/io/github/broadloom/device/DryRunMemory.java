package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.DeviceMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;

/** The memory of tensors that stand for tensors of this JVM and have no elements: there is nothing to copy, and nothing to read. */
public final class DryRunMemory implements DeviceMemory {
    private static final Device DEVICE = new Device("paper", Device.CURRENT);

    /** Made-up addresses are aligned as well as those of a device. */
    private static final long ADDRESS = 256;

    public static Tensor tensor(DType dtype, Layout layout) {
        long bytes = layout.shape().numel() == 0 ? 0 : dtype.sizeBytes(layout.maxElement() + 1);
        return Tensor.of(dtype, layout, storage(bytes));
    }

    private static Storage storage(long bytes) {
        return Storage.onDevice(DEVICE, ADDRESS, bytes, () -> {});
    }

    @Override
    public String type() {
        return DEVICE.type();
    }

    @Override
    public Device resolve(Device device) {
        return DEVICE;
    }

    @Override
    public Storage allocate(Device device, long bytes) {
        return storage(bytes);
    }

    @Override
    public void copy(Tensor source, Tensor target) {}

    @Override
    public void upload(long hostAddress, Storage target, long offsetBytes, long bytes) {}

    @Override
    public void download(Storage source, long offsetBytes, long hostAddress, long bytes) {
        throw new IllegalStateException("Cannot read a tensor without elements: it is there to plan with");
    }
}
