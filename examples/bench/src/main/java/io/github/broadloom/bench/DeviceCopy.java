package io.github.broadloom.bench;

import io.github.broadloom.cuda.driver.PinnedCopies;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;

/**
 * On a GPU: half of a workload's bytes copied there, by one call of the driver's. Where operands are in this process: their bytes go there, and those of the result
 * come back, both at once and through pinned memory.
 *
 * @param device the GPU
 */
record DeviceCopy(Device device) implements CopyLimit {

    @Override
    public Seconds of(Workload workload, Rounds rounds) {
        return workload.place() == Workload.Place.HERE ? overTheBus(workload, rounds) : there(workload, rounds);
    }

    private Seconds overTheBus(Workload workload, Rounds rounds) {
        try (PinnedCopies copies = new PinnedCopies(
                device, workload.operandBytes(), workload.result().bytes())) {
            return rounds.time(copies::run);
        }
    }

    private Seconds there(Workload workload, Rounds rounds) {
        Shape half = Shape.of(Math.max(1, workload.bytes() / 2));
        Tensor from = Tensors.empty(DType.UINT8, half, device);
        try {
            Tensor into = Tensors.empty(DType.UINT8, half, device);
            try {
                return rounds.time(() -> into.copy_(from));
            } finally {
                into.storage().release();
            }
        } finally {
            from.storage().release();
        }
    }
}
