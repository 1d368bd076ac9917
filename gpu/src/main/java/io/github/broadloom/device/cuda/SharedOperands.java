package io.github.broadloom.device.cuda;

import io.github.broadloom.tensor.Tensor;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Operands that every piece of an evaluation needs: they go to the device once, as far as there is room; else each piece brings its own. */
final class SharedOperands implements AutoCloseable {
    private final Map<Tensor, Tensor> copies = new IdentityHashMap<>();

    SharedOperands(Gpu gpu, List<Tensor> tensors) {
        try (Lane lane = gpu.lane()) {
            CudaLeaves leaves = new CudaLeaves(lane, Map.of());
            for (Tensor tensor : tensors) {
                copies.computeIfAbsent(tensor, leaves::copied);
            }
        } catch (RuntimeException | Error e) {
            close();
            if (!(e instanceof CudaException failure && failure.isOutOfMemory())) {
                throw e;
            }
        }
    }

    /** Where each of them is on the device. */
    Map<Tensor, Tensor> copies() {
        return copies;
    }

    @Override
    public void close() {
        copies.values().forEach(Tensor::release);
        copies.clear();
    }
}
