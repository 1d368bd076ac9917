package io.github.broadloom.cuda.driver;

import io.github.broadloom.tensor.Device;
import java.util.ArrayDeque;
import java.util.Deque;
import jcuda.driver.CUstream;

/**
 * Copies of so many bytes from pinned memory of this JVM to a GPU, and of so many back, both at once: what the bus between them allows. What is copied is of no
 * account; a piece of it goes again and again.
 */
public final class PinnedCopies implements AutoCloseable {
    private static final long PIECE_BYTES = 64L << 20;

    private final Gpu gpu;
    private final long bytesUp;
    private final long bytesDown;
    private final long pieceBytes;
    private final Deque<Runnable> releases = new ArrayDeque<>();
    private final Way up;
    private final Way down;

    private record Way(CUstream stream, long host, long device) {}

    /**
     * Takes what the copies need.
     *
     * @throws IllegalStateException with the reason, where the device cannot be used
     * @throws CudaException where there is no memory; then nothing is held
     */
    public PinnedCopies(Device device, long bytesUp, long bytesDown) {
        this.gpu = Gpus.gpu(device);
        this.bytesUp = bytesUp;
        this.bytesDown = bytesDown;
        this.pieceBytes = Math.max(1, Math.min(PIECE_BYTES, Math.max(bytesUp, bytesDown)));
        try {
            gpu.makeCurrent();
            this.up = way();
            this.down = way();
        } catch (RuntimeException e) {
            release(new Cleanup(e));
            throw e;
        }
    }

    private Way way() {
        CUstream stream = CudaDriver.streamCreate();
        releases.push(() -> CudaDriver.streamDestroy(stream));
        long host = CudaDriver.memHostAlloc(pieceBytes);
        releases.push(() -> CudaDriver.memFreeHost(host));
        DeviceBlock device = gpu.arena().take(pieceBytes, null);
        releases.push(device::release);
        releases.push(
                () -> CudaDriver.streamSynchronize(stream)); // a copy that failed may have left another one under way
        return new Way(stream, host, device.address());
    }

    /** Copies; when this returns, all is there. */
    public void run() {
        try {
            gpu.makeCurrent();
            for (long at = 0; at < Math.max(bytesUp, bytesDown); at += pieceBytes) {
                long toDevice = Math.min(pieceBytes, bytesUp - at);
                if (toDevice > 0) {
                    CudaDriver.memcpyHtoDAsync(up.device, up.host, toDevice, up.stream);
                }
                long toHost = Math.min(pieceBytes, bytesDown - at);
                if (toHost > 0) {
                    CudaDriver.memcpyDtoHAsync(down.host, down.device, toHost, down.stream);
                }
            }
            CudaDriver.streamSynchronize(up.stream);
            CudaDriver.streamSynchronize(down.stream);
        } catch (CudaException e) {
            throw e.during("copy between pinned memory and the device", gpu);
        }
    }

    @Override
    public void close() {
        Cleanup cleanup = new Cleanup();
        cleanup.run(gpu::makeCurrent);
        release(cleanup);
        cleanup.finish();
    }

    private void release(Cleanup cleanup) {
        while (!releases.isEmpty()) {
            cleanup.run(releases.pop());
        }
    }
}
