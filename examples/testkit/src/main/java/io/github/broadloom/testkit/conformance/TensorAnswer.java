package io.github.broadloom.testkit.conformance;

import io.github.broadloom.tensor.Tensor;
import java.util.Optional;

/** A tensor as the answer; the vector expects {@code {dtype, shape, values}}. */
record TensorAnswer(Tensor tensor) implements VectorAnswer {

    @Override
    public Optional<Mismatch> mismatch(Vector vector) {
        TensorComparison expected = TensorComparison.of(vector.field("expect"), Tolerance.of(vector));
        return expected.difference(tensor)
                .map(difference -> new Mismatch(expected.toString(), describe() + "\n" + difference));
    }

    @Override
    public String describe() {
        return tensor.dtype() + " " + tensor.shape() + " " + tensor.values();
    }
}
