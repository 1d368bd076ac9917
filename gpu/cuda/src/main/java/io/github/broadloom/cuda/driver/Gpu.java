package io.github.broadloom.cuda.driver;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.CudaArchitecture;
import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemorySettings;
import io.github.broadloom.tensor.Trimmer;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One GPU in use by this JVM: its context, its memory, its streams and its kernels. The primary context is retained once and shared with
 * whatever else uses the device in this process; threads make it theirs by taking a {@link #stream}.
 */
public final class Gpu {
    private static final Logger LOG = LoggerFactory.getLogger(Gpu.class);

    /** Of the memory that is free when the device is first used; the rest is for the driver, and for others that come later. */
    private static final double DEFAULT_SHARE = 0.9;
    /** Enough that sixteen tasks with three streams each have a piece for every stream, and some. */
    private static final long DEFAULT_PINNED_BYTES = 256L << 20;

    private final Device device;
    private final CUdevice handle;
    private final CUcontext context;
    private final Properties properties;
    private final Arena arena;
    private final Staging staging;
    private final PinnedSlabs slabs;
    private final Trimmer trimmer;
    private final long idleNanos = TimeUnit.MILLISECONDS.toNanos(MemorySettings.idleMillis());
    private final HostCopies copies = new HostCopies(tensor -> SharedOperands.upload(this, tensor));
    private final Modules modules;
    private final MissingKernels missingKernels = new MissingKernels();
    private final List<GpuStream> streams = new CopyOnWriteArrayList<>();
    private final Deque<GpuStream> idle = new ConcurrentLinkedDeque<>();
    private volatile @Nullable Loss loss;
    /** Held by who frees what was idle. */
    private final Object trimming = new Object();

    private boolean closed;

    /** After what the device refuses all work of this process; the reason, to follow a colon, says what happened and what the device held. */
    private record Loss(CudaException cause, String reason) {}

    /** What the driver says of a device: its name, as "NVIDIA H200", its compute capability, and what it has. */
    record Properties(String name, int major, int minor, int multiprocessors, long memoryBytes) {
        static Properties of(CUdevice device) {
            return new Properties(
                    CudaDriver.deviceName(device),
                    CudaDriver.deviceAttribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
                    CudaDriver.deviceAttribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
                    CudaDriver.deviceAttribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
                    CudaDriver.deviceTotalMem(device));
        }

        /** For which machine code is compiled, as {@code sm_90}. */
        String architecture() {
            return "sm_" + major + minor;
        }

        Properties requireSupported(Device device) {
            if (!CudaArchitecture.isSupported(architecture())) {
                throw new IllegalStateException("Cannot use device: " + device + "; " + name + " is " + architecture()
                        + ", and " + CudaArchitecture.OLDEST + " is the oldest that works");
            }
            return this;
        }
    }

    private Gpu(
            Device device,
            CUdevice handle,
            Properties properties,
            CUcontext context,
            BiFunction<CudaSource, String, byte[]> images) {
        this.device = device;
        this.handle = handle;
        this.properties = properties;
        this.context = context;
        CudaDriver.ctxSetCurrent(context);
        long share = (long) (CudaDriver.memGetInfo().freeBytes() * DEFAULT_SHARE);
        this.arena =
                new Arena(device.toString(), DeviceSettings.CUDA_MEMORY.inJvm().orElse(share), new DriverMemory());
        this.trimmer = new Trimmer("broadloom-" + device + "-trimmer", idleNanos, this::freeExpired);
        this.staging = new Staging(DeviceSettings.CUDA_PINNED.inJvm().orElse(DEFAULT_PINNED_BYTES), trimmer::start);
        this.slabs = new PinnedSlabs(this, DeviceSettings.CUDA_PIN.inJvm().orElse(false));
        this.modules = new Modules(
                source -> images.apply(source, properties.architecture()), KernelCache.configuredCapacity());
    }

    /**
     * Starts to use a device; the driver must have been initialised.
     *
     * @param images the machine code of a kernel for an architecture
     * @throws CudaException where the device cannot be used; then nothing is held
     * @throws IllegalStateException where it is too old
     */
    public static Gpu open(int ordinal, BiFunction<CudaSource, String, byte[]> images) {
        Device device = Device.of("cuda", ordinal);
        CUdevice handle = CudaDriver.device(ordinal);
        Properties properties = Properties.of(handle).requireSupported(device);
        CUcontext context = CudaDriver.primaryCtxRetain(handle);
        try {
            return new Gpu(device, handle, properties, context, images);
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
        public void kept() {
            trimmer.start();
        }
    }

    /** Gives back to the driver what nobody took for a while; returns the nanoseconds until the next is due, negative where nothing waits. */
    private long freeExpired() {
        synchronized (trimming) {
            if (closed || loss != null) {
                return -1;
            }
            try {
                makeCurrent();
                long ofDevice = arena.freeExpired(idleNanos);
                long pinned = staging.freeExpired(idleNanos);
                return ofDevice < 0 || pinned < 0 ? Math.max(ofDevice, pinned) : Math.min(ofDevice, pinned);
            } catch (CudaException e) {
                failed(e);
                return idleNanos;
            }
        }
    }

    public Device device() {
        return device;
    }

    Properties properties() {
        return properties;
    }

    public Arena arena() {
        return arena;
    }

    HostCopies copies() {
        return copies;
    }

    Staging staging() {
        return staging;
    }

    PinnedSlabs slabs() {
        return slabs;
    }

    Modules modules() {
        return modules;
    }

    public MissingKernels missingKernels() {
        return missingKernels;
    }

    /** Makes the device that of the calling thread, as every call needs it that is not a stream's. */
    void makeCurrent() {
        CudaDriver.ctxSetCurrent(context);
    }

    /** Takes the device out of service where it refuses all work of this process from now on; gives the failure back to be thrown. */
    CudaException failed(CudaException e) {
        if (e.isLasting() && loss == null) {
            lose(e, arena.figures().usedBytes());
        }
        return e;
    }

    /** Takes no lock of the arena, of which the caller may hold it. */
    private synchronized void lose(CudaException e, long held) {
        if (loss == null) {
            loss = new Loss(
                    e,
                    "it failed: " + e.getMessage() + (held == 0 ? "" : "; the " + held + " bytes that it held are lost")
                            + "; a new process may use it again");
            LOG.error("{} is out of service: {}", device, loss.reason);
        }
    }

    /** Why the device cannot be used any more: one sentence; empty while it can. */
    Optional<String> failure() {
        return Optional.ofNullable(loss).map(Loss::reason);
    }

    /** Refuses a device that has failed for good, with the reason. */
    Gpu requireUsable() {
        Loss lost = loss;
        if (lost != null) {
            throw new IllegalStateException("Cannot use device: " + device + "; " + lost.reason, lost.cause);
        }
        return this;
    }

    /**
     * A stream for the calling thread, which closes it.
     *
     * @throws IllegalStateException where the device has failed for good
     */
    public GpuStream stream() {
        requireUsable();
        try {
            makeCurrent();
            GpuStream stream = idle.poll();
            if (stream == null) {
                stream = new GpuStream(this);
                streams.add(stream);
            }
            return stream;
        } catch (CudaException e) {
            throw failed(e.during("start work", this));
        }
    }

    void giveBack(GpuStream stream) {
        idle.push(stream);
    }

    void forget(GpuStream stream) {
        streams.remove(stream);
        idle.remove(stream);
    }

    /**
     * Ends the use of the device: for tests, since a process that ends gives everything back. No stream may be lent; memory that is lent
     * stays what it is until the process ends.
     */
    public void close() {
        synchronized (trimming) {
            closed = true;
        }
        Cleanup cleanup = new Cleanup();
        cleanup.run(this::makeCurrent);
        cleanup.run(copies::clear);
        streams.forEach(stream -> cleanup.run(stream::destroy));
        cleanup.run(staging::close);
        cleanup.run(slabs::close);
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
