package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Optional;

/** {@code a.op_(b)} on two views of one storage, as if {@code b} had been copied first. */
final class OverlapKind implements Kind {

    @Override
    public Optional<String> unknownOp(Vector vector) {
        return InPlaceKind.unknown(vector.text("op"));
    }

    @Override
    public Optional<String> beyond(Vector vector, Engine engine) {
        return engine.hasStorage()
                ? Optional.empty()
                : Optional.of("overlap of views: distributed tensors share no storage");
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        DType dtype = vector.dtype("dtype");
        List<Object> values = Vector.values(vector.field("storage"), dtype);
        Layout whole = Layout.contiguous(Shape.of(values.size()));
        Tensor storage = Tensors.fromStorageValues(dtype, whole, values);
        Tensor a = view(vector.field("a"), storage);
        Tensor b = view(vector.field("b"), storage);
        engine.inPlace(vector.text("op"), a, b);
        return new StorageAnswer(storage);
    }

    private static Tensor view(JsonNode node, Tensor storage) {
        try {
            Layout layout = Layout.of(
                    Vector.shape(Vector.member(node, "shape")),
                    Vector.longs(Vector.member(node, "stride")),
                    Vector.integer(Vector.member(node, "offset")));
            return Tensor.of(storage.dtype(), layout, storage.storage());
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new MalformedVectorException("the view " + node + " is not possible: " + e.getMessage(), e);
        }
    }
}
