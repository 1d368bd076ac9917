package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Optional;

/**
 * {@code a.op_(b)} by the in-place methods: the rules, the result and, where there is one, the whole storage under the
 * view that {@code a} is.
 */
public class InPlaceKind implements Kind {
    public static final String COPY = "copy";

    @Override
    public Optional<String> unknownOp(Vector vector) {
        String op = vector.text("op");
        boolean known =
                op.equals(COPY) || Op.find(op).filter(row -> row.arity() == 2).isPresent();
        return known ? Optional.empty() : Optional.of(op);
    }

    @Override
    public Optional<String> beyond(Vector vector, Engine engine) {
        boolean overlaps =
                vector.has("error") && vector.text("error").startsWith("unsupported operation: more than one");
        return overlaps && !engine.hasStorage()
                ? Optional.of("inplace on elements that share a place: a distributed tensor has no strides")
                : Optional.empty();
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        Object other = vector.has("b") ? vector.tensor("b") : Vector.number(vector.field("scalar"));
        Tensor written = engine.inPlace(vector.text("op"), vector.tensor("a"), other);
        VectorAnswer answer = VectorAnswer.of(vector, written);
        return engine.hasStorage() ? answer.and(VectorAnswer.ofStorage(vector, written)) : answer;
    }

    /** Of two views of one storage, as if {@code b} had been copied first. */
    static final class Overlap extends InPlaceKind {
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
            Tensor storage = Tensors.fromStorageValues(dtype, Layout.contiguous(Shape.of(values.size())), values);
            engine.inPlace(vector.text("op"), view(vector.field("a"), storage), view(vector.field("b"), storage));
            return VectorAnswer.ofStorage(vector, storage);
        }

        private static Tensor view(JsonNode node, Tensor storage) {
            try {
                return Tensor.of(storage.dtype(), Vector.layout(node), storage.storage());
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new MalformedVectorException("the view " + node + " is not possible: " + e.getMessage(), e);
            }
        }
    }
}
