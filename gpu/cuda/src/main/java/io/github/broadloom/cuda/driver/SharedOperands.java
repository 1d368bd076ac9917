package io.github.broadloom.cuda.driver;

import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Operands that every piece of an evaluation needs: they go to the device once, as far as there is room; else each piece brings its own. Large ones may be there
 * already, from another evaluation, and stay for the next.
 */
public final class SharedOperands implements AutoCloseable {
    /** What is smaller goes there again sooner than it is found; tasks of Spark have small operands each for itself. */
    public static final long LEAST_KEPT_BYTES = (64 << 10) + 1;

    private final Map<Tensor, Tensor> copies = new IdentityHashMap<>();
    private final List<HostCopies.Copy> kept = new ArrayList<>();
    private final List<Tensor> owned = new ArrayList<>();

    public SharedOperands(Gpu gpu, List<Tensor> tensors) {
        try {
            for (Tensor tensor : tensors) {
                copies.computeIfAbsent(tensor, source -> copied(gpu, source));
            }
        } catch (RuntimeException | Error e) {
            close();
            if (!(e instanceof CudaException failure && failure.isOutOfMemory())) {
                throw e;
            }
        }
    }

    private Tensor copied(Gpu gpu, Tensor tensor) {
        Tensor distinct = CudaBuffers.unexpanded(tensor);
        if (tensor.device().isCpu() && tensor.dtype().sizeBytes(distinct.numel()) >= LEAST_KEPT_BYTES) {
            HostCopies.Copy copy = gpu.copies().take(distinct);
            kept.add(copy);
            return copy.there().expandAs(tensor);
        }
        Tensor copy = upload(gpu, tensor);
        owned.add(copy);
        return copy;
    }

    /** A copy on a device that every stream may read; what is broadcast goes there unexpanded. */
    static Tensor upload(Gpu gpu, Tensor tensor) {
        try (GpuStream stream = gpu.stream()) {
            return Cleanup.filled(new CudaBuffers(stream, Map.of()).copied(tensor), copy -> {
                stream.synchronize();
                return copy;
            });
        }
    }

    public Map<Tensor, Tensor> copies() {
        return copies;
    }

    @Override
    public void close() {
        kept.forEach(HostCopies.Copy::close);
        kept.clear();
        owned.forEach(Tensor::release);
        owned.clear();
        copies.clear();
    }
}
