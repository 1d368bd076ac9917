package io.github.broadloom.expr;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;

/** Reads the operands of conformance vectors as inputs of expressions; values are Boolean, Long or Double. */
public final class Operands {
    private Operands() {}

    /** A strided operand: it is the source of its input, too. */
    public record Operand(DType dtype, Shape shape, long[] stride, long offset, List<Object> storage) {
        public Input input() {
            return Input.of(this, dtype, shape);
        }

        /** The value that a broadcast to {@code common} has at this index of the common shape. */
        Object at(Shape common, long[] index) {
            long at = offset;
            int missing = common.rank() - shape.rank();
            for (int dim = 0; dim < shape.rank(); dim++) {
                at += shape.size(dim) == 1 ? 0 : index[dim + missing] * stride[dim];
            }
            return storage.get((int) at);
        }
    }

    static Operand operand(JsonNode node) {
        DType dtype = DType.of(node.get("dtype").asText());
        return new Operand(
                dtype,
                shape(node.get("shape")),
                Golden.longs(node.get("stride")),
                node.get("offset").asLong(),
                values(node.get("storage"), dtype));
    }

    static Shape shape(JsonNode node) {
        return Shape.of(Golden.longs(node));
    }

    static List<Object> values(JsonNode node, DType dtype) {
        List<Object> values = new ArrayList<>();
        for (JsonNode value : node) {
            values.add(
                    switch (dtype.kind()) {
                        case BOOL -> value.asBoolean();
                        case INTEGER -> value.asLong();
                        case FLOATING -> value.isTextual() ? Double.valueOf(value.asText()) : (Double) value.asDouble();
                    });
        }
        return values;
    }

    static Object number(JsonNode node) {
        return node.isBoolean() ? node.asBoolean() : node.isIntegralNumber() ? node.asLong() : (Object) node.asDouble();
    }
}
