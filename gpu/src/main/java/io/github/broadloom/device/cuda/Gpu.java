package io.github.broadloom.device.cuda;

import io.github.broadloom.codegen.cuda.CudaSource;
import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.tensor.Device;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import org.jspecify.annotations.Nullable;

/**
 * One GPU in use by this JVM: its context, its memory, its lanes and its kernels. The primary context is retained once and shared with
 * whatever else uses the device in this process; threads make it theirs by taking a {@link #lane}.
 */
final class Gpu {
    /** Of the memory that is free when the device is first used; the rest is for the driver, and for others that come later. */
    private static final double DEFAULT_SHARE = 0.9;

    private final Device device;
    private final CUdevice handle;
    private final CUcontext context;
    private final Properties properties;
    private final Arena arena;
    private final Staging staging = new Staging();
    private final HostCopies copies = new HostCopies(tensor -> SharedOperands.upload(this, tensor));
    private final Modules modules;
    private final List<Lane> lanes = new CopyOnWriteArrayList<>();
    private final Deque<Lane> idle = new ConcurrentLinkedDeque<>();
    private volatile @Nullable CudaException lasting;

    /**
     * What the driver says of a device.
     *
     * @param name as "NVIDIA H200"
     * @param major of the compute capability
     * @param minor of the compute capability
     * @param multiprocessors how many blocks of threads run at once, at least
     * @param memoryBytes all there is
     */
    record Properties(String name, int major, int minor, int multiprocessors, long memoryBytes) {

        static Properties of(CUdevice device) {
            return new Properties(
                    CudaDriver.deviceName(device),
                    attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
                    attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
                    attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
                    CudaDriver.deviceTotalMem(device));
        }

        private static int attribute(int attribute, CUdevice device) {
            return CudaDriver.deviceAttribute(attribute, device);
        }

        /** For which machine code is compiled, as {@code sm_90}. */
        String architecture() {
            return "sm_" + major + minor;
        }
    }

    private Gpu(Device device, CUdevice handle, CUcontext context, BiFunction<CudaSource, String, byte[]> images) {
        this.device = device;
        this.handle = handle;
        this.context = context;
        this.properties = Properties.of(handle);
        CudaDriver.ctxSetCurrent(context);
        long share = (long) (CudaDriver.memGetInfo().freeBytes() * DEFAULT_SHARE);
        this.arena =
                new Arena(device.toString(), DeviceSettings.CUDA_MEMORY.inJvm().orElse(share), new DriverMemory());
        this.modules = new Modules(source -> images.apply(source, properties.architecture()));
    }

    /**
     * Starts to use a device; the driver must have been initialised.
     *
     * @param images the machine code of a kernel for an architecture
     * @throws CudaException where the device cannot be used; then nothing is held
     */
    static Gpu open(int ordinal, BiFunction<CudaSource, String, byte[]> images) {
        CUdevice handle = CudaDriver.device(ordinal);
        CUcontext context = CudaDriver.primaryCtxRetain(handle);
        try {
            return new Gpu(Device.of("cuda", ordinal), handle, context, images);
        } catch (RuntimeException e) {
            Cleanup cleanup = new Cleanup(e);
            cleanup.run(() -> CudaDriver.primaryCtxRelease(handle));
            throw e;
        }
    }

    private final class DriverMemory implements Arena.Source {
        @Override
        public void begin() {
            makeCurrent();
        }

        @Override
        public long allocate(long bytes) {
            return CudaDriver.memAlloc(bytes);
        }

        @Override
        public void free(long address) {
            CudaDriver.memFree(address);
        }

        @Override
        public boolean freeOne() {
            return copies.dropOne();
        }

        @Override
        public CudaException failed(CudaException e) {
            return Gpu.this.failed(e);
        }

        @Override
        public Map<Lane, Long> busyLanes() {
            Map<Lane, Long> busy = Map.of();
            for (Lane lane : lanes) {
                if (lane.isBusy()) {
                    busy = busy.isEmpty() ? new LinkedHashMap<>() : busy;
                    busy.put(lane, lane.position());
                }
            }
            return busy;
        }
    }

    /** The device with its ordinal. */
    Device device() {
        return device;
    }

    Properties properties() {
        return properties;
    }

    Arena arena() {
        return arena;
    }

    /** Of tensors of this JVM that evaluations share. */
    HostCopies copies() {
        return copies;
    }

    Staging staging() {
        return staging;
    }

    Modules modules() {
        return modules;
    }

    /** Makes the device that of the calling thread, as every call needs it that is not a lane's. */
    void makeCurrent() {
        CudaDriver.ctxSetCurrent(context);
    }

    /** Remembers a failure after which the device refuses all work of this process; gives it back to be thrown. */
    CudaException failed(CudaException e) {
        if (lasting == null && e.isLasting()) {
            lasting = e;
        }
        return e;
    }

    /** Why the device cannot be used any more: one sentence; empty while it can. */
    Optional<String> failure() {
        CudaException failure = lasting;
        return failure == null
                ? Optional.empty()
                : Optional.of("it failed: " + failure.getMessage() + "; a new process may use it again");
    }

    /**
     * Refuses a device that has failed for good.
     *
     * @throws IllegalStateException with the reason
     */
    Gpu requireUsable() {
        failure().ifPresent(reason -> {
            throw new IllegalStateException("Cannot use device: " + device + "; " + reason, lasting);
        });
        return this;
    }

    /**
     * A lane for the calling thread, which closes it.
     *
     * @throws IllegalStateException where the device has failed for good
     */
    Lane lane() {
        requireUsable();
        try {
            makeCurrent();
            Lane lane = idle.poll();
            if (lane == null) {
                lane = new Lane(this);
                lanes.add(lane);
            }
            return lane;
        } catch (CudaException e) {
            throw failed(e.during("start work", this));
        }
    }

    void giveBack(Lane lane) {
        idle.push(lane);
    }

    void forget(Lane lane) {
        lanes.remove(lane);
        idle.remove(lane);
    }

    /**
     * Ends the use of the device: for tests, since a process that ends gives everything back. No lane may be lent; memory that is lent
     * stays what it is until the process ends.
     */
    void close() {
        Cleanup cleanup = new Cleanup();
        cleanup.run(this::makeCurrent);
        cleanup.run(copies::clear);
        lanes.forEach(lane -> cleanup.run(lane::destroy));
        cleanup.run(staging::close);
        cleanup.run(modules::close);
        cleanup.run(arena::freeKept);
        cleanup.run(() -> CudaDriver.primaryCtxRelease(handle));
        cleanup.finish();
    }

    /** The device's name as PyTorch writes it: {@code cuda:0}. */
    @Override
    public String toString() {
        return device.toString();
    }
}
