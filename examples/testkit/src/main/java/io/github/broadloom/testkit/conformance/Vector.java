package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.IntInfo;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One line of a vector file. Every reader of a field throws {@link MalformedVectorException} when the field is missing
 * or is not what the format asks for.
 *
 * @param source the file and the line, as {@code FILE:LINE}
 */
public record Vector(String source, ObjectNode json) {
    private static final Set<String> SPECIAL = Set.of("NaN", "Infinity", "-Infinity", "-0.0");

    /** The vector's own name, or where it stands when it has none. */
    public String id() {
        return json.path("id").isTextual() ? json.path("id").textValue() : source;
    }

    /** What is exercised: {@code binary}, {@code view}, …; the empty string when the line does not say. */
    public String kind() {
        return json.path("kind").asText("");
    }

    boolean has(String field) {
        return json.has(field);
    }

    JsonNode field(String name) {
        JsonNode value = json.get(name);
        if (value == null) {
            throw new MalformedVectorException("the field \"" + name + "\" is missing");
        }
        return value;
    }

    String text(String name) {
        return read(name, JsonNode::isTextual, JsonNode::textValue, "a string");
    }

    boolean flag(String name) {
        return read(name, JsonNode::isBoolean, JsonNode::booleanValue, "true or false");
    }

    double tolerance(String name) {
        return has(name) ? read(name, JsonNode::isNumber, JsonNode::doubleValue, "a number") : 0;
    }

    private <T> T read(String name, Predicate<JsonNode> isOne, Function<JsonNode, T> reader, String what) {
        JsonNode value = field(name);
        if (!isOne.test(value)) {
            throw new MalformedVectorException("the field \"" + name + "\" must be " + what + ", got " + value);
        }
        return reader.apply(value);
    }

    DType dtype(String name) {
        return dtype(field(name));
    }

    Tensor tensor(String name) {
        return tensor(field(name), name);
    }

    /** A tensor, placed on the engine, or a plain number. */
    Expr operand(String name, Engine engine) {
        JsonNode value = field(name);
        return value.isObject() ? engine.place(tensor(value, name)) : Expr.literal(number(value));
    }

    List<Tensor> tensors(String name) {
        return stream(field(name)).map(node -> tensor(node, name)).toList();
    }

    static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    /** Tensors that stand under their names, in the order of the file. */
    Map<String, Tensor> tensorsByName(String name) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        field(name).properties().forEach(entry -> tensors.put(entry.getKey(), tensor(entry.getValue(), name)));
        return tensors;
    }

    static DType dtype(JsonNode node) {
        if (!node.isTextual()) {
            throw new MalformedVectorException("a dtype must be a string, got " + node);
        }
        try {
            return DType.of(node.textValue());
        } catch (IllegalArgumentException e) {
            throw new MalformedVectorException(String.valueOf(e.getMessage()), e);
        }
    }

    static DType dtypeOf(JsonNode operand) {
        return dtype(member(operand, "dtype"));
    }

    static JsonNode member(JsonNode node, String name) {
        JsonNode value = node.get(name);
        if (value == null) {
            throw new MalformedVectorException("\"" + name + "\" is missing in " + abbreviated(node));
        }
        return value;
    }

    static Shape shape(JsonNode node) {
        try {
            return Shape.of(longs(node));
        } catch (IllegalArgumentException e) {
            throw new MalformedVectorException(String.valueOf(e.getMessage()), e);
        }
    }

    static long[] longs(JsonNode node) {
        need(node.isArray(), "a list of integers", node);
        return stream(node).mapToLong(Vector::integer).toArray();
    }

    static int[] ints(JsonNode node) {
        return LongStream.of(longs(node)).mapToInt(Vector::small).toArray();
    }

    static long integer(JsonNode node) {
        need(node.isIntegralNumber() && node.canConvertToLong(), "a 64-bit integer", node);
        return node.longValue();
    }

    static int small(long value) {
        if (value != (int) value) {
            throw new MalformedVectorException("a dimension is needed, got " + value);
        }
        return (int) value;
    }

    /** A plain number: Boolean, Long or Double, as Python would read it. */
    static Object number(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        return node.isIntegralNumber() && node.canConvertToLong() ? (Object) node.longValue() : (Object) real(node);
    }

    static double real(JsonNode node) {
        if (node.isTextual() && SPECIAL.contains(node.textValue())) {
            return Double.parseDouble(node.textValue());
        }
        need(node.isNumber(), "a number", node);
        return node.doubleValue();
    }

    /** A list of values as the dtype reads them: Boolean, Long or Double each. */
    static List<Object> values(JsonNode list, DType dtype) {
        need(list.isArray(), "a list of values", list);
        return values(stream(list).toList(), dtype);
    }

    static List<Object> values(List<JsonNode> nodes, DType dtype) {
        return nodes.stream().map(node -> value(node, dtype)).toList();
    }

    private static Object value(JsonNode node, DType dtype) {
        if (dtype.isFloatingPoint()) {
            return real(node);
        }
        if (dtype == DType.BOOL) {
            need(node.isBoolean(), "true or false", node);
            return node.booleanValue();
        }
        long integer = integer(node);
        IntInfo limits = IntInfo.of(dtype);
        if (integer < limits.min() || integer > limits.max()) {
            throw new MalformedVectorException(integer + " does not fit " + dtype);
        }
        return integer;
    }

    private static void need(boolean met, String what, JsonNode node) {
        if (!met) {
            throw new MalformedVectorException(what + " is needed, got " + abbreviated(node));
        }
    }

    /** @throws IllegalArgumentException where there is none */
    static Layout layout(JsonNode node) {
        return Layout.of(shape(member(node, "shape")), longs(member(node, "stride")), integer(member(node, "offset")));
    }

    private static Tensor tensor(JsonNode node, String name) {
        DType dtype = dtypeOf(node);
        List<Object> storage = values(member(node, "storage"), dtype);
        try {
            Layout layout = layout(node);
            if (layout.shape().numel() > 0 && (layout.minElement() < 0 || layout.maxElement() >= storage.size())) {
                throw new MalformedVectorException("the view \"" + name + "\" reaches elements " + layout.minElement()
                        + " to " + layout.maxElement() + " of a storage of " + storage.size());
            }
            return Tensors.fromStorageValues(dtype, layout, storage);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new MalformedVectorException("the view \"" + name + "\" is not possible: " + e.getMessage(), e);
        }
    }

    static String abbreviated(JsonNode node) {
        String text = node.toString();
        return text.length() <= 80 ? text : text.substring(0, 77) + "...";
    }
}
