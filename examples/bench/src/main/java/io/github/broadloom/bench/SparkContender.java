package io.github.broadloom.bench;

import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.console.Version;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Broadloom on Spark: the operands that are cut into chunks are cached before, the result is computed and kept as cached
 * chunks. What Spark takes for a job is part of the time.
 */
final class SparkContender implements Contender.Soloist {
    private static final long SMALL_BYTES = 1 << 20;
    private static final int WARM_UP_TASKS = 8;

    private final Broadloom broadloom;
    private final SparkWarmUp warmUp = new SparkWarmUp();

    SparkContender(Broadloom broadloom) {
        this.broadloom = broadloom;
    }

    @Override
    public String who() {
        return Measurement.SPARK;
    }

    /** Two jobs of small tasks, by which Spark becomes warm. */
    private void runTasks() {
        Tensor tensor = Tensors.ones(WARM_UP_TASKS, 1);
        DistributedTensor x = broadloom.tensor(tensor, WARM_UP_TASKS).materialize();
        broadloom.eval("x + 1", Map.of("x", x)).materialize().unpersist();
        x.unpersist();
        tensor.release();
    }

    @Override
    public Outcome run(Workload workload, Rounds rounds) {
        warmUp.once(rounds, this::runTasks);
        Map<String, Tensor> inputs = WorkloadInputs.of(workload, Device.CPU);
        Map<String, DistributedTensor> operands = new LinkedHashMap<>();
        try {
            inputs.forEach((name, tensor) -> operands.put(name, place(tensor)));
            Seconds seconds = rounds.time(() -> result(workload, operands).unpersist());
            return Outcome.measured(seconds, Version.number(), answer(result(workload, operands)));
        } finally {
            operands.values().forEach(DistributedTensor::unpersist);
            WorkloadInputs.release(inputs);
        }
    }

    private DistributedTensor place(Tensor tensor) {
        DistributedTensor placed = broadloom.tensor(tensor);
        boolean large = tensor.dtype().sizeBytes(tensor.numel()) > SMALL_BYTES;
        return large ? placed.materialize() : placed;
    }

    private DistributedTensor result(Workload workload, Map<String, DistributedTensor> operands) {
        return broadloom.eval(workload.text(), operands).materialize();
    }

    /** Of the chunks where they are: a result may be too large to be brought here. */
    private static ContenderAnswer answer(DistributedTensor result) {
        ContenderAnswer answer = ContenderAnswer.moments(result);
        result.unpersist();
        return answer;
    }
}
