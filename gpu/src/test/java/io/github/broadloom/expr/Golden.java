package io.github.broadloom.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the conformance vectors as far as expressions need them; values are Boolean, Long or Double. */
final class Golden {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Golden() {}

    /** A strided operand: it is the source of its input, too. */
    record Operand(DType dtype, Shape shape, long[] stride, long offset, List<Object> storage) {
        Input input() {
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

    static List<JsonNode> lines(String file) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                        Golden.class.getResourceAsStream("/golden/" + file), StandardCharsets.UTF_8));
                Stream<String> lines = in.lines()) {
            List<JsonNode> nodes = new ArrayList<>();
            for (String line : lines.toList()) {
                nodes.add(JSON.readTree(line));
            }
            return nodes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Operand operand(JsonNode node) {
        DType dtype = DType.of(node.get("dtype").asText());
        return new Operand(
                dtype,
                shape(node.get("shape")),
                longs(node.get("stride")),
                node.get("offset").asLong(),
                values(node.get("storage"), dtype));
    }

    static Shape shape(JsonNode node) {
        return Shape.of(longs(node));
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

    private static long[] longs(JsonNode node) {
        long[] longs = new long[node.size()];
        for (int i = 0; i < longs.length; i++) {
            longs[i] = node.get(i).asLong();
        }
        return longs;
    }
}
