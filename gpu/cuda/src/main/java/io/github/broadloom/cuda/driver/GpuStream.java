package io.github.broadloom.cuda.driver;

import io.github.broadloom.cuda.code.CudaLaunch;
import io.github.broadloom.cuda.code.CudaPass;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.NoKernelException;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import jcuda.driver.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of one GPU, lent to one thread at a time by {@link Gpu#stream}: what is put into it runs in order, behind the calls, beside
 * other streams. Closing it waits for the work and gives the stream back; then results may be seen by every thread.
 *
 * <pre>{@code
 * try (GpuStream stream = gpu.stream()) {
 *     DeviceBlock result = stream.allocate(bytes);
 *     stream.launch(launch, addresses, List.of(), () -> "add [3, 4] and [4]");
 *     stream.synchronize();
 * }
 * }</pre>
 */
public final class GpuStream implements DeviceWork {
    private final Gpu gpu;
    private final CUstream stream;
    private final StreamTransfers transfers;
    private final LaunchParameters parameters = new LaunchParameters();
    private final List<Object> kept = new ArrayList<>();
    private final Map<CudaSource, Modules.Loaded> kernels = new HashMap<>();
    private @Nullable Supplier<String> latest;

    /** How many pieces of work this thread began to put into the stream, has put there, and knows to be done. */
    private volatile long begun;

    private volatile long put;
    private final AtomicLong done = new AtomicLong();

    GpuStream(Gpu gpu) {
        this.gpu = gpu;
        this.stream = CudaDriver.streamCreate();
        this.transfers = new StreamTransfers(gpu.staging(), gpu.slabs(), stream);
    }

    Gpu gpu() {
        return gpu;
    }

    /**
     * Uninitialised device memory, to be used in this stream first.
     *
     * @throws OutOfDeviceMemoryException with the figures
     */
    public DeviceBlock allocate(long bytes) {
        return gpu.arena().take(bytes, this);
    }

    @Override
    public Storage memory(long bytes) {
        DeviceBlock block = allocate(bytes);
        return Storage.onDevice(gpu.device(), block.address(), bytes, block::release);
    }

    @Override
    public boolean holds(Tensor tensor) {
        return tensor.device().equals(gpu.device());
    }

    @Override
    public void upload(Tensor source, Tensor target) {
        Tensor packed = source.to(Device.CPU).contiguous();
        try {
            upload(packed.address(), target.deviceAddress(), bytes(target));
        } finally {
            if (packed.storage() != source.storage()) {
                packed.release();
            }
        }
    }

    @Override
    public void startUpload(Tensor source, Tensor target) {
        if (source.device().isCpu() && source.isContiguous()) {
            keep(source);
            startUpload(source.address(), target.deviceAddress(), bytes(target));
        } else {
            upload(source, target);
        }
    }

    @Override
    public void download(Tensor source, Tensor target) {
        download(source.deviceAddress(), target.address(), bytes(source));
    }

    @Override
    public void startDownload(Tensor source, Tensor target) {
        keep(source);
        keep(target);
        long bytes = bytes(source);
        long device = source.deviceAddress();
        bring(() ->
                transfer("download", bytes, () -> transfers.startDownload(device, target.address(), bytes), device));
    }

    private static long bytes(Tensor tensor) {
        return tensor.dtype().sizeBytes(tensor.numel());
    }

    /** Copies bytes of this JVM to the device. When this returns, they may be overwritten; the copy itself may run later. */
    public void upload(long host, long device, long bytes) {
        transfer("upload", bytes, () -> transfers.upload(host, device, bytes), device);
    }

    /** As {@link #upload(long, long, long)}; but the bytes of this JVM stay as they are until the stream has been waited for. */
    void startUpload(long host, long device, long bytes) {
        transfer("upload", bytes, () -> transfers.startUpload(host, device, bytes), device);
    }

    /** Copies bytes of the device to this JVM, behind all that is in the stream, and waits for them. */
    public void download(long device, long host, long bytes) {
        bring(() -> {
            transfer("download", bytes, () -> transfers.download(device, host, bytes), device);
            tell(() -> "download " + bytes + " bytes", this::finish);
        });
    }

    private void finish() {
        transfers.startPostponed();
        await(begun);
        transfers.finish();
    }

    /** Work on what is brought to this JVM: where it fails the caller is told, and may free the targets. */
    private void bring(Runnable work) {
        try {
            work.run();
        } catch (CudaException e) {
            new Cleanup(e).run(transfers::forgetTargets);
            throw e;
        }
    }

    @Override
    public void copy(long from, long to, long bytes) {
        transfer("copy", bytes, () -> CudaDriver.memcpyDtoDAsync(to, from, bytes, stream), from, to);
    }

    void fill(long device, byte value, long bytes) {
        transfer("fill", bytes, () -> CudaDriver.memsetD8Async(device, value, bytes, stream), device);
    }

    /**
     * Starts a kernel, which is compiled and loaded if it is not yet.
     *
     * @param addresses of the buffers, by the slots of the launch
     * @param numbers that the call gives
     * @param what it does, to complete "Cannot …" in errors: {@code "add [3, 4] and [4]"}
     * @throws NoKernelException where the kernel is not to be had
     */
    public void launch(CudaLaunch launch, long[] addresses, List<Object> numbers, Supplier<String> what) {
        latest = what;
        Runnable start = () -> CudaDriver.launchKernel(
                kernel(launch.source()).function,
                launch.blocks(),
                launch.threads(),
                stream,
                parameters.of(launch.parameters(addresses, numbers)));
        submit(what, () -> gpu.missingKernels().start(launch.source(), start), addresses);
    }

    /** A kernel, held once until the stream is done, however often it runs. */
    private Modules.Loaded kernel(CudaSource source) {
        Modules.Loaded kernel = kernels.get(source);
        if (kernel == null) {
            kernel = gpu.modules().hold(source);
            kernels.put(source, kernel);
        }
        return kernel;
    }

    @Override
    public void launch(CudaPass pass, long[] addresses) {
        pass.launches().forEach(launch -> launch(launch, addresses, pass.numbers(), pass::action));
    }

    @Override
    public void fill(Storage storage, byte value) {
        fill(storage.deviceAddress(), value, storage.sizeBytes());
    }

    @Override
    public int word(Storage storage) {
        Storage word = Storage.allocateZeroed(Integer.BYTES);
        try {
            download(storage.deviceAddress(), word.address(), Integer.BYTES);
            synchronize();
            return RawMemory.getInt(word.address());
        } finally {
            word.release();
        }
    }

    @Override
    public void keep(Object object) {
        kept.add(object);
    }

    private void transfer(String verb, long bytes, Runnable work, long... addresses) {
        if (bytes > 0) {
            submit(() -> verb + " " + bytes + " bytes", work, addresses);
        }
    }

    /** @param addresses of the device that the work uses */
    private void submit(Supplier<String> what, Runnable work, long... addresses) {
        long position = begun + 1;
        begun = position; // before the work, so that whoever releases memory meanwhile waits for it
        for (long address : addresses) {
            gpu.arena().use(address, this, position);
        }
        try {
            tell(what, work);
        } finally {
            put = position;
        }
    }

    /** Work whose failure says what it was to do. The thread may have worked on another device since it took the stream. */
    private void tell(Supplier<String> what, Runnable work) {
        try {
            gpu.makeCurrent();
            work.run();
        } catch (CudaException e) {
            throw gpu.failed(e.during(what.get(), gpu));
        }
    }

    @Override
    public void synchronize() {
        if (isBusy() || !transfers.isIdle()) { // else nothing may fail: results are there already
            bring(() -> tell(this::finishing, this::finish));
        }
        forgetWork();
    }

    /** What the work, which is done, needed no longer stays for it. Released memory may refer to this stream, and what a stream did refers to tensors. */
    private void forgetWork() {
        kept.clear();
        gpu.modules().release(kernels.values());
        kernels.clear();
        latest = null;
    }

    private String finishing() {
        Supplier<String> last = latest;
        return last == null ? "finish copies" : "finish work, the latest to " + last.get() + ",";
    }

    boolean isBusy() {
        return !hasReached(begun);
    }

    /** Whether the work up to a position is known to be done. Any thread may ask. */
    boolean hasReached(long position) {
        return done.get() >= position;
    }

    /** Waits until the work up to a position is done, but not for work that its thread is putting there now. Any thread may. */
    void waitFor(long position) {
        if (!hasReached(position)) {
            gpu.makeCurrent();
            await(position);
        }
    }

    private void await(long position) {
        if (hasReached(position)) {
            return;
        }
        synchronized (stream) { // which ends meanwhile if its work fails
            if (!hasReached(position)) {
                long now = put;
                CudaDriver.streamSynchronize(stream);
                done.accumulateAndGet(now, Math::max);
            }
        }
    }

    /**
     * Waits for the work and gives the stream back.
     *
     * @throws CudaException where work failed that nobody has waited for
     */
    @Override
    public void close() {
        try {
            synchronize();
        } catch (CudaException e) {
            Cleanup cleanup = new Cleanup(e);
            cleanup.run(this::destroy);
            throw e;
        }
        gpu.giveBack(this);
    }

    /** Ends the stream and frees what belongs to it. */
    void destroy() {
        gpu.forget(this);
        Cleanup cleanup = new Cleanup();
        synchronized (stream) {
            cleanup.run(() -> CudaDriver.streamSynchronize(stream)); // what is left of its work would go on without it
            cleanup.run(() -> CudaDriver.streamDestroy(stream));
            done.set(Long.MAX_VALUE);
        }
        forgetWork();
        cleanup.run(transfers::close);
        cleanup.finish();
    }
}
