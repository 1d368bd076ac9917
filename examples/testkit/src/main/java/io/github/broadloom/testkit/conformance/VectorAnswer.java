package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the project computed for a vector, ready to be held against what the vector expects.
 *
 * @param text the answer in words, for a vector that expects an error and gets this
 * @param mismatch what was expected and what came instead; nothing when they agree
 */
record VectorAnswer(Supplier<String> text, Supplier<Optional<Mismatch>> mismatch) {
    record Mismatch(String expected, String got) {}

    /** A tensor, of which the vector expects {@code {dtype, shape, values}}. */
    static VectorAnswer of(Vector vector, Tensor tensor) {
        return of(vector, vector.field("expect"), tensor);
    }

    /** As {@link #of(Vector, Tensor)}, of a part of what the vector expects. */
    static VectorAnswer of(Vector vector, JsonNode expect, Tensor tensor) {
        return new VectorAnswer(() -> described(tensor), () -> {
            TensorComparison expected = TensorComparison.of(expect, Tolerance.of(vector));
            return expected.difference(tensor)
                    .map(difference -> new Mismatch(expected.toString(), described(tensor) + "\n" + difference));
        });
    }

    /** The storage under a view that was written to: the vector expects {@code {storage}}, every element of it. */
    static VectorAnswer ofStorage(Vector vector, Tensor view) {
        return new VectorAnswer(() -> described(view), () -> {
            List<Object> values = Vector.values(Vector.member(vector.field("expect"), "storage"), view.dtype());
            if (view.dtype().sizeBytes(values.size()) > view.storage().sizeBytes()) {
                throw new MalformedVectorException("the storage is expected to have " + values.size()
                        + " elements afterwards and had fewer before");
            }
            Tensor whole = Tensor.of(view.dtype(), Layout.contiguous(Shape.of(values.size())), view.storage());
            return new TensorComparison(view.dtype(), whole.shape(), values, Tolerance.of(vector))
                    .difference(whole)
                    .map(difference ->
                            new Mismatch("storage " + values, "storage " + whole.values() + "\n" + difference));
        });
    }

    static VectorAnswer exact(Object got, Supplier<Object> expected) {
        return new VectorAnswer(got::toString, () -> {
            Object wanted = expected.get();
            return wanted.equals(got) ? Optional.empty() : Optional.of(new Mismatch(wanted.toString(), got.toString()));
        });
    }

    /** This, and where it is right, another part of the answer. */
    VectorAnswer and(VectorAnswer other) {
        return new VectorAnswer(text, () -> mismatch.get().or(other.mismatch));
    }

    static String described(Tensor tensor) {
        return tensor.dtype() + " " + tensor.shape() + " " + tensor.values();
    }
}
