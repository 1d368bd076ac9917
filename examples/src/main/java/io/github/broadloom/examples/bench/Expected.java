package io.github.broadloom.examples.bench;

import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import java.util.Map;
import java.util.Optional;

/** What Broadloom's local evaluation of a workload gives: what every other contender has to give, too. */
final class Expected {
    private final Answer samples;
    private final Answer moments;

    private Expected(Tensor result) {
        samples = Answer.samples(result);
        moments = Answer.moments(result);
    }

    /** Evaluates the workload. */
    static Expected of(Workload workload) {
        Map<String, Tensor> inputs = Inputs.of(workload);
        try {
            Tensor result = LazyTensor.parse(workload.text(), inputs).eval();
            try {
                return new Expected(result);
            } finally {
                result.storage().release();
            }
        } finally {
            Inputs.release(inputs);
        }
    }

    /** What is wrong with an answer; nothing where it is right. */
    Optional<String> differenceOf(Answer answer) {
        return answer.differenceFrom(answer.of() == Answer.Kind.SAMPLES ? samples : moments);
    }
}
