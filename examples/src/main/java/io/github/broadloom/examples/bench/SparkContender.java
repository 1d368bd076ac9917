package io.github.broadloom.examples.bench;

import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Broadloom on Spark: the operands that are cut into chunks are cached before, the result is computed and kept as cached
 * chunks. What Spark takes for a job is part of the time.
 */
public final class SparkContender implements Contender {
    private static final long SMALL_BYTES = 1 << 20;

    private final Broadloom broadloom;
    private final String version;

    public SparkContender(Broadloom broadloom, String version) {
        this.broadloom = broadloom;
        this.version = version;
    }

    @Override
    public String who() {
        return Measurement.SPARK;
    }

    @Override
    public Outcome run(Workload workload, Rounds rounds) {
        Map<String, Tensor> inputs = Inputs.of(workload);
        Map<String, DistributedTensor> operands = new LinkedHashMap<>();
        try {
            inputs.forEach((name, tensor) -> operands.put(name, place(tensor)));
            return Outcome.measured(rounds.time(() -> compute(workload, operands)), version);
        } finally {
            operands.values().forEach(DistributedTensor::unpersist);
            Inputs.release(inputs);
        }
    }

    private DistributedTensor place(Tensor tensor) {
        DistributedTensor placed = broadloom.tensor(tensor);
        boolean large = tensor.numel() * tensor.dtype().bytes() > SMALL_BYTES;
        return large ? placed.materialize() : placed;
    }

    private void compute(Workload workload, Map<String, DistributedTensor> operands) {
        broadloom.eval(workload.text(), operands).materialize().unpersist();
    }
}
