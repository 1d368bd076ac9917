package io.github.broadloom.cuda.driver;

import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.SlabPins;
import jcuda.driver.CUcontext;

/**
 * The slabs of this JVM's memory as a GPU copies from and to them by itself, once they are pinned. Those that another GPU of this JVM pinned are so for this one, too. Where the driver refuses, copies go
 * through {@link Staging} as ever.
 */
final class PinnedSlabs implements SlabPins {
    /** Whether slabs may be pinned, for whichever GPU. */
    private static volatile boolean anywhere;

    private final Gpu gpu;
    private volatile boolean enabled;

    PinnedSlabs(Gpu gpu, boolean enabled) {
        this.gpu = gpu;
        enable(enabled);
    }

    /** From now on, or no more; what is pinned stays so. */
    void enable(boolean enabled) {
        anywhere |= enabled;
        this.enabled = enabled;
    }

    /** Whether copies may go straight from and to memory that somebody holds until they are done. */
    boolean covers(long address, long bytes) {
        return enabled && Memory.isPinned(address, bytes, this);
    }

    /** Whether a copy may run behind the call that starts it, though nobody asked for that: memory may be pinned at any time. */
    boolean mayCover(long address) {
        return anywhere && Memory.isInSlab(address);
    }

    @Override
    public boolean pin(long address, long bytes) {
        try {
            CudaDriver.memHostRegister(address, bytes);
        } catch (CudaException e) {
            enabled = false; // the next would be refused as well, and cost as much
            gpu.failed(e);
            return false;
        }
        count(bytes);
        return true;
    }

    @Override
    public void unpin(long address, long bytes) {
        try {
            CUcontext before = CudaDriver.ctxGetCurrent(); // this thread may be at work on another device
            gpu.makeCurrent();
            try {
                CudaDriver.memHostUnregister(address);
            } finally {
                CudaDriver.ctxSetCurrent(before);
            }
        } catch (CudaException e) {
            gpu.failed(e); // whoever is giving memory back, or wants some, can do nothing about it
        }
        count(-bytes);
    }

    private static void count(long bytes) {
        GpuCounter.hold(GpuCounter.PINNED_BYTES, GpuCounter.PEAK_PINNED_BYTES, bytes);
    }

    void close() {
        Memory.unpin(this);
    }
}
