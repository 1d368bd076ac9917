package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One line of a vector file. Every reader of a field throws {@link MalformedVectorException} when the field is missing
 * or is not what the format asks for.
 *
 * @param source the file and the line, as {@code FILE:LINE}
 */
public record Vector(String source, ObjectNode json) {

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
        JsonNode value = field(name);
        if (!value.isTextual()) {
            throw new MalformedVectorException("the field \"" + name + "\" must be a string, got " + value);
        }
        return value.textValue();
    }

    boolean flag(String name) {
        JsonNode value = field(name);
        if (!value.isBoolean()) {
            throw new MalformedVectorException("the field \"" + name + "\" must be true or false, got " + value);
        }
        return value.booleanValue();
    }

    /** A tolerance: the number in this field, or 0 where it does not stand. */
    double tolerance(String name) {
        JsonNode value = json.path(name);
        if (value.isMissingNode()) {
            return 0;
        }
        if (!value.isNumber()) {
            throw new MalformedVectorException("the field \"" + name + "\" must be a number, got " + value);
        }
        return value.doubleValue();
    }

    DType dtype(String name) {
        return dtype(field(name));
    }

    Tensor tensor(String name) {
        return tensor(field(name), name);
    }

    /** Tensors that stand in a list. */
    List<Tensor> tensors(String name) {
        List<Tensor> tensors = new ArrayList<>();
        for (JsonNode node : field(name)) {
            tensors.add(tensor(node, name));
        }
        return tensors;
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
        if (!node.isArray()) {
            throw new MalformedVectorException("a list of integers is needed, got " + abbreviated(node));
        }
        long[] values = new long[node.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = integer(node.get(i));
        }
        return values;
    }

    static int[] ints(JsonNode node) {
        long[] values = longs(node);
        int[] narrow = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            narrow[i] = small(values[i]);
        }
        return narrow;
    }

    static long integer(JsonNode node) {
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw new MalformedVectorException("a 64-bit integer is needed, got " + abbreviated(node));
        }
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
        if (node.isNumber()) {
            return node.doubleValue();
        }
        if (node.isTextual()) {
            switch (node.textValue()) {
                case "NaN":
                    return Double.NaN;
                case "Infinity":
                    return Double.POSITIVE_INFINITY;
                case "-Infinity":
                    return Double.NEGATIVE_INFINITY;
                case "-0.0":
                    return -0.0;
                default:
            }
        }
        throw new MalformedVectorException("a number is needed, got " + abbreviated(node));
    }

    /** A list of values as the dtype reads them: Boolean, Long or Double each. */
    static List<Object> values(JsonNode list, DType dtype) {
        if (!list.isArray()) {
            throw new MalformedVectorException("a list of values is needed, got " + abbreviated(list));
        }
        List<JsonNode> nodes = new ArrayList<>(list.size());
        list.forEach(nodes::add);
        return values(nodes, dtype);
    }

    static List<Object> values(List<JsonNode> nodes, DType dtype) {
        List<Object> values = new ArrayList<>(nodes.size());
        for (JsonNode node : nodes) {
            values.add(value(node, dtype));
        }
        return values;
    }

    private static Object value(JsonNode node, DType dtype) {
        if (dtype.isFloatingPoint()) {
            return real(node);
        }
        if (dtype == DType.BOOL) {
            if (node.isBoolean()) {
                return node.booleanValue();
            }
            throw new MalformedVectorException("true or false is needed, got " + abbreviated(node));
        }
        long integer = integer(node);
        if (outside(integer, dtype)) {
            throw new MalformedVectorException(integer + " does not fit " + dtype);
        }
        return integer;
    }

    private static boolean outside(long value, DType dtype) {
        int bits = 8 * dtype.bytes();
        BigInteger range = BigInteger.ONE.shiftLeft(dtype.isSigned() ? bits - 1 : bits);
        BigInteger low = dtype.isSigned() ? range.negate() : BigInteger.ZERO;
        BigInteger exact = BigInteger.valueOf(value);
        return exact.compareTo(low) < 0 || exact.compareTo(range) >= 0;
    }

    private static Tensor tensor(JsonNode node, String name) {
        DType dtype = dtypeOf(node);
        Shape shape = shape(member(node, "shape"));
        long[] stride = longs(member(node, "stride"));
        long offset = integer(member(node, "offset"));
        List<Object> storage = values(member(node, "storage"), dtype);
        try {
            Layout layout = Layout.of(shape, stride, offset);
            if (shape.numel() > 0 && (layout.minElement() < 0 || layout.maxElement() >= storage.size())) {
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
