package io.github.broadloom.cuda.driver;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.Cubins;
import io.github.broadloom.cuda.compiler.CudaArchitecture;
import io.github.broadloom.device.CurrentGpu;
import io.github.broadloom.tensor.Device;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The GPUs of this machine: looked for once, when first asked for, and each opened when it is first used. */
public final class Gpus {
    private static final Map<Integer, Gpu> OPEN = new ConcurrentHashMap<>();
    private static @Nullable CudaProbe probe;

    private Gpus() {}

    /** What was found, or why there is nothing. */
    public static synchronized CudaProbe probe() {
        CudaProbe found = probe;
        if (found == null) {
            found = CudaProbe.run();
            probe = found;
        }
        return found;
    }

    /**
     * A device with its ordinal, which need not be there: {@code cuda} is the {@linkplain CurrentGpu current} one.
     *
     * @throws IllegalStateException with the reason, where it cannot be used
     */
    public static Device resolve(Device device) {
        CudaProbe found = probe();
        if (found.devices() == 0) {
            throw new IllegalStateException("Cannot use device: " + device + "; " + found.reason(), found.cause());
        }
        int ordinal = device.hasIndex() ? device.index() : CurrentGpu.ordinal();
        if (ordinal >= found.devices()) {
            throw new IllegalStateException("Cannot use device: " + device + "; there "
                    + (found.devices() == 1
                            ? "is 1 GPU"
                            : "are " + found.devices() + " GPUs, numbered " + GpuAddress.order() + ",")
                    + " here, from cuda:0");
        }
        return Device.of("cuda", ordinal);
    }

    /**
     * The GPU of a device, opened if it is not yet.
     *
     * @throws IllegalStateException with the reason, where it cannot be used; what may be otherwise later is tried again then
     */
    public static Gpu gpu(Device device) {
        return OPEN.computeIfAbsent(resolve(device).index(), ordinal -> opened(ordinal, Cubins.shared()::cubin))
                .requireUsable();
    }

    /** Why a device that is there cannot be used any more; empty where it can, or nobody has tried. */
    public static Optional<String> failure(Device device) {
        int ordinal = device.hasIndex() ? device.index() : CurrentGpu.ordinal();
        Gpu gpu = OPEN.get(ordinal);
        return gpu == null ? Optional.empty() : gpu.failure().map(reason -> gpu + " cannot be used: " + reason);
    }

    /** The architectures of this machine's GPUs that can be used, each once. */
    public static List<String> architectures() {
        return IntStream.range(0, probe().devices())
                .mapToObj(ordinal -> Gpu.Properties.of(CudaDriver.device(ordinal)))
                .map(Gpu.Properties::architecture)
                .filter(CudaArchitecture::isSupported)
                .distinct()
                .toList();
    }

    /** Opens a GPU that is not open, with machine code from elsewhere: for tests. */
    public static void open(int ordinal, BiFunction<CudaSource, String, byte[]> images) {
        OPEN.put(ordinal, opened(ordinal, images));
    }

    private static Gpu opened(int ordinal, BiFunction<CudaSource, String, byte[]> images) {
        try {
            return Gpu.open(ordinal, images);
        } catch (CudaException e) {
            throw new IllegalStateException("Cannot use device: cuda:" + ordinal + "; " + e.getMessage(), e);
        }
    }

    /** Bytes of device memory that are lent, on all GPUs. */
    public static long usedBytes() {
        return OPEN.values().stream()
                .mapToLong(gpu -> gpu.arena().figures().usedBytes())
                .sum();
    }

    /** Drops the copies of tensors of this JVM that no evaluation uses: for tests. */
    public static void dropCopies() {
        OPEN.values().forEach(gpu -> gpu.copies().clear());
    }

    /** Gives the device memory that is kept for the next who asks back to the driver: for tests. */
    public static void freeKept() {
        OPEN.values().forEach(gpu -> {
            gpu.makeCurrent();
            gpu.arena().freeKept();
        });
    }

    /** Closes all and forgets what was found: for tests. */
    public static synchronized void close() {
        Cleanup cleanup = new Cleanup();
        OPEN.values().forEach(gpu -> cleanup.run(gpu::close));
        OPEN.clear();
        probe = null;
        cleanup.finish();
    }
}
