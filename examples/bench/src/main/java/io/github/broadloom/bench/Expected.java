package io.github.broadloom.bench;

import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import java.util.Map;
import java.util.Optional;

/** What Broadloom's local evaluation of a workload gives: what every other contender has to give, too. */
final class Expected {
    private final ContenderAnswer samples;
    private final ContenderAnswer moments;

    private Expected(Tensor result) {
        samples = ContenderAnswer.samples(result);
        moments = ContenderAnswer.moments(result);
    }

    /** Evaluates the workload. */
    static Expected of(Workload workload) {
        Map<String, Tensor> inputs = WorkloadInputs.of(workload);
        try {
            Tensor result = LazyTensor.parse(workload.text(), inputs).eval();
            try {
                return new Expected(result);
            } finally {
                result.storage().release();
            }
        } finally {
            WorkloadInputs.release(inputs);
        }
    }

    /** What is wrong with an answer; nothing where it is right. */
    Optional<String> differenceOf(ContenderAnswer answer) {
        return answer.differenceFrom(answer.of() == ContenderAnswer.Kind.SAMPLES ? samples : moments);
    }
}
