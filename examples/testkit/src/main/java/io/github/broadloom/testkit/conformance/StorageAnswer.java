package io.github.broadloom.testkit.conformance;

import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** The storage under a view that was written to; the vector expects {@code {storage}}, every element of it. */
record StorageAnswer(Tensor view) implements VectorAnswer {

    @Override
    public Optional<Mismatch> mismatch(Vector vector) {
        List<Object> values = Vector.values(Vector.member(vector.field("expect"), "storage"), view.dtype());
        if ((long) values.size() * view.dtype().bytes() > view.storage().sizeBytes()) {
            throw new MalformedVectorException(
                    "the storage is expected to have " + values.size() + " elements afterwards and had fewer before");
        }
        Tensor whole = Tensor.of(view.dtype(), Layout.contiguous(Shape.of(values.size())), view.storage());
        return new TensorComparison(view.dtype(), whole.shape(), values, Tolerance.of(vector))
                .difference(whole)
                .map(difference -> new Mismatch("storage " + values, "storage " + whole.values() + "\n" + difference));
    }

    @Override
    public String describe() {
        return new TensorAnswer(view).describe();
    }
}
