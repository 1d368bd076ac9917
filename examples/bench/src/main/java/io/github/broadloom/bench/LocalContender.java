package io.github.broadloom.bench;

import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import java.util.Map;

/** Broadloom in this process. A result is released before the next, so its memory is used again. */
public final class LocalContender implements Contender {
    private final String version;

    public LocalContender(String version) {
        this.version = version;
    }

    @Override
    public String who() {
        return Measurement.LOCAL;
    }

    @Override
    public Outcome run(Workload workload, Rounds rounds) {
        Map<String, Tensor> inputs = WorkloadInputs.of(workload);
        try {
            Seconds seconds = rounds.time(() ->
                    LazyTensor.parse(workload.text(), inputs).eval().storage().release());
            return Outcome.measured(seconds, version);
        } finally {
            WorkloadInputs.release(inputs);
        }
    }
}
