package io.github.broadloom.bench;

import io.github.broadloom.cuda.driver.CudaException;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.console.Version;
import java.util.Map;

/**
 * Broadloom in this process, or on a GPU. There the operands are there before, and the result stays; or both are in this process, if the workload says so. A call ends
 * when its result is complete, typing and planning included. A result is released before the next, so its memory is used again.
 *
 * @param device that can be used
 */
record LocalContender(Device device) implements Contender.Soloist {
    @Override
    public String who() {
        return device.isCpu() ? Measurement.LOCAL : Measurement.CUDA;
    }

    @Override
    public Outcome run(Workload workload, Rounds rounds) {
        try {
            return measured(workload, rounds);
        } catch (CudaException | IllegalStateException e) { // no memory there, or no kernel
            if (device.isCpu()) {
                throw e;
            }
            return Outcome.absent(String.valueOf(e.getMessage()));
        }
    }

    private Outcome measured(Workload workload, Rounds rounds) {
        Device home = workload.place() == Workload.Place.HERE ? Device.CPU : device;
        Map<String, Tensor> inputs = WorkloadInputs.of(workload, home);
        try {
            Seconds seconds =
                    rounds.time(() -> workload.evaluate(inputs, device).release());
            return device.isCpu()
                    ? Outcome.measured(seconds, Version.number())
                    : Outcome.measured(seconds, Version.number(), answer(workload.evaluate(inputs, device)));
        } finally {
            WorkloadInputs.release(inputs);
        }
    }

    private static ContenderAnswer answer(Tensor result) {
        try {
            return ContenderAnswer.samples(result);
        } finally {
            result.release();
        }
    }
}
