package io.github.broadloom.bench;

import io.github.broadloom.bench.Contender.Outcome;
import io.github.broadloom.bench.ContenderAnswer.Kind;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What Broadloom's local evaluation of a workload gives, computed when it is asked for first: what every other contender has to give, too. */
final class Expected {
    private final Workload workload;
    private Map<Kind, ContenderAnswer> known = Map.of();

    Expected(Workload workload) {
        this.workload = workload;
    }

    /** The outcome, or why it does not count: another result than this. */
    Outcome checked(Outcome outcome) {
        return outcome.answer().flatMap(this::differenceOf).map(Outcome::absent).orElse(outcome);
    }

    private Optional<String> differenceOf(ContenderAnswer answer) {
        if (known.isEmpty()) {
            known = evaluated();
        }
        return answer.differenceFrom(Objects.requireNonNull(known.get(answer.of())));
    }

    private Map<Kind, ContenderAnswer> evaluated() {
        Map<String, Tensor> inputs = WorkloadInputs.of(workload, Device.CPU);
        try {
            Tensor result = workload.evaluate(inputs, Device.CPU);
            try {
                return Map.of(
                        Kind.SAMPLES, ContenderAnswer.samples(result), Kind.MOMENTS, ContenderAnswer.moments(result));
            } finally {
                result.release();
            }
        } finally {
            WorkloadInputs.release(inputs);
        }
    }
}
