package io.github.broadloom.cuda.driver;

import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.DeviceMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.function.Consumer;

/** Tensors in the memory of NVIDIA GPUs. */
public final class CudaMemory implements DeviceMemory {
    /**
     * The most of a GPU's memory that this JVM takes.
     *
     * @throws IllegalStateException with the reason, where the device cannot be used
     */
    public static long limitBytes(Device device) {
        return Gpus.gpu(device).arena().figures().budgetBytes();
    }

    /** Gives memory of a GPU back to the driver that was released and kept for the next who asks: for other processes. */
    public static void freeKept(Device device) {
        Gpu gpu = Gpus.gpu(device);
        gpu.makeCurrent();
        gpu.arena().freeKept();
    }

    @Override
    public String type() {
        return "cuda";
    }

    @Override
    public Device resolve(Device device) {
        return Gpus.resolve(device);
    }

    @Override
    public Storage allocate(Device device, long bytes) {
        Gpu gpu = Gpus.gpu(device);
        DeviceBlock block = gpu.arena().take(bytes, null);
        return Storage.onDevice(gpu.device(), block.address(), bytes, block::release);
    }

    @Override
    public void upload(long hostAddress, Storage target, long offsetBytes, long bytes) {
        onStream(target, stream -> stream.startUpload(hostAddress, target.deviceAddress() + offsetBytes, bytes));
    }

    @Override
    public void download(Storage source, long offsetBytes, long hostAddress, long bytes) {
        onStream(source, stream -> stream.download(source.deviceAddress() + offsetBytes, hostAddress, bytes));
    }

    /** Work on a storage that is held, done when this returns. */
    private static void onStream(Storage storage, Consumer<GpuStream> work) {
        try (GpuStream stream = Gpus.gpu(storage.device()).stream()) {
            work.accept(stream);
        }
    }

    @Override
    public void copy(Tensor source, Tensor target) {
        if (source.dtype() == target.dtype() && source.isContiguous() && target.isContiguous()) {
            long bytes = source.dtype().sizeBytes(source.numel());
            onStream(target.storage(), stream -> stream.copy(source.deviceAddress(), target.deviceAddress(), bytes));
        } else {
            Expr cast = Expr.cast(Input.of(source), target.dtype());
            Devices.backend(target.device()).evaluateInto(cast, target, 1);
        }
    }
}
