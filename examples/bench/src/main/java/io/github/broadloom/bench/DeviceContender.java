package io.github.broadloom.bench;

import io.github.broadloom.cuda.driver.CudaException;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.Map;

/**
 * Broadloom on a GPU. The operands are there before, and the result stays; or both are in this process, if the workload says so. A call ends when its result is
 * complete, typing and planning included.
 */
public final class DeviceContender implements Contender {
    private final Device device;
    private final String version;

    /** @param device a GPU that can be used */
    public DeviceContender(Device device, String version) {
        this.device = device;
        this.version = version;
    }

    @Override
    public String who() {
        return Measurement.CUDA;
    }

    @Override
    public Outcome run(Workload workload, Rounds rounds) {
        try {
            return measured(workload, rounds);
        } catch (CudaException | IllegalStateException e) { // no memory there, or no kernel
            return Outcome.absent(String.valueOf(e.getMessage()));
        }
    }

    private Outcome measured(Workload workload, Rounds rounds) {
        Device home = workload.place() == Workload.Place.HERE ? Device.CPU : device;
        Map<String, Tensor> inputs = WorkloadInputs.of(workload, home);
        try {
            Seconds seconds = rounds.time(() -> result(workload, inputs).release());
            return Outcome.measured(seconds, version, answer(result(workload, inputs)));
        } finally {
            WorkloadInputs.release(inputs);
        }
    }

    private Tensor result(Workload workload, Map<String, Tensor> inputs) {
        return LazyTensor.parse(workload.text(), inputs).eval(device);
    }

    private static ContenderAnswer answer(Tensor result) {
        try {
            return ContenderAnswer.samples(result);
        } finally {
            result.release();
        }
    }
}
