package io.github.broadloom.bench.dryrun;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.device.Backend;
import io.github.broadloom.device.DeviceProvider;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.DeviceMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.Set;

/**
 * A GPU that pretends: the CPU computes what it is asked for, in memory of this JVM, so that work goes on as it would with the values that it would have; and of each evaluation the
 * kernels that a GPU would run are written down. No string names it: what is to be tried on paper is given {@link #DEVICE}.
 */
public final class DryRunGpu implements DeviceProvider, DeviceMemory {
    public static final Device DEVICE = new Device("paper_gpu", 0);

    /** That of the blocks of a GPU: how wide a kernel may read depends on it. */
    private static final long ALIGNMENT = 256;

    private static final DryRunBackend BACKEND = new DryRunBackend();

    /** The kernels that work on {@link #DEVICE} would run on a GPU, each once, in the order in which they would run first. */
    public static Set<CudaSource> kernels(Runnable work) {
        return BACKEND.kernels(work);
    }

    @Override
    public String type() {
        return DEVICE.type();
    }

    @Override
    public Availability availability() {
        return new Availability(1, "a GPU on paper");
    }

    @Override
    public Backend backend(Device device) {
        return BACKEND;
    }

    @Override
    public Device resolve(Device device) {
        return DEVICE;
    }

    @Override
    public Storage allocate(Device device, long bytes) {
        Storage here = Storage.allocate(bytes + ALIGNMENT);
        long aligned = (here.address() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return Storage.onDevice(DEVICE, aligned, bytes, here::release);
    }

    @Override
    public void upload(long hostAddress, Storage target, long offsetBytes, long bytes) {
        bytes(target.deviceAddress() + offsetBytes, bytes).copy_(bytes(hostAddress, bytes));
    }

    @Override
    public void download(Storage source, long offsetBytes, long hostAddress, long bytes) {
        bytes(hostAddress, bytes).copy_(bytes(source.deviceAddress() + offsetBytes, bytes));
    }

    /** Bytes of this JVM, which whoever asks for the copy holds. */
    private Tensor bytes(long address, long bytes) {
        return Tensor.of(DType.UINT8, Layout.contiguous(Shape.of(bytes)), Storage.wrap(address, bytes, this));
    }

    /** As a GPU: bytes are copied by its driver, all else by a kernel. */
    @Override
    public void copy(Tensor source, Tensor target) {
        if (source.dtype() == target.dtype() && source.isContiguous() && target.isContiguous()) {
            DryRunBackend.here(target).copy_(DryRunBackend.here(source));
        } else {
            Devices.backend(DEVICE).evaluateInto(Expr.cast(Input.of(source), target.dtype()), target, 1);
        }
    }
}
