package io.github.broadloom.zarr;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.ClaimedShape;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object of JSON in a store, or a part of one.
 *
 * @param name what messages call its file
 */
record Document(String name, JsonNode node) {
    /** Other libraries write NaN and Infinity as JSON does not have them. */
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private static final long MOST_BYTES = 64L << 20;
    private static final int LONGEST_QUOTE = 60;

    /**
     * A file of a store; empty where there is none.
     *
     * @throws TensorFormatException where it is no object of JSON
     */
    static Optional<Document> read(Store store, String key) throws IOException {
        String name = store.name(key);
        byte[] bytes;
        try (SeekableByteChannel in = store.open(key)) {
            if (in.size() > MOST_BYTES) {
                throw TensorFormatException.cannotRead(
                        name, "it has " + in.size() + " bytes, more than the metadata of arrays has");
            }
            bytes = FileBytes.upTo(in, 0, (int) in.size());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            JsonNode node = MAPPER.readTree(bytes);
            return Optional.of(new Document(name, node).requireObject());
        } catch (JsonProcessingException e) {
            throw TensorFormatException.cannotRead(name, "it is not JSON (" + e.getOriginalMessage() + ")", e);
        }
    }

    Document requireObject() throws TensorFormatException {
        if (!node.isObject()) {
            throw damaged("it is " + quoted(node) + " where an object of JSON belongs");
        }
        return this;
    }

    TensorFormatException damaged(String problem) {
        return TensorFormatException.cannotRead(name, problem);
    }

    /** A value as it stands there, shortened. */
    static String quoted(@Nullable JsonNode value) {
        String text = value == null ? "nothing" : value.toString().replaceAll("\\p{Cntrl}", "?");
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
    }

    private static boolean isAbsent(@Nullable JsonNode value) {
        return value == null || value.isNull();
    }

    boolean has(String field) {
        return !isAbsent(node.get(field));
    }

    TensorFormatException wrong(String field, String wanted) {
        return damaged("its " + field + " is " + quoted(node.get(field)) + " where " + wanted + " belongs");
    }

    /** An object inside; an empty one where it is not there. */
    Document object(String field) throws TensorFormatException {
        if (!has(field)) {
            return new Document(name, MAPPER.createObjectNode());
        }
        if (!node.get(field).isObject()) {
            throw wrong(field, "an object");
        }
        return new Document(name, node.get(field));
    }

    String text(String field) throws TensorFormatException {
        JsonNode value = node.get(field);
        if (value == null || !value.isTextual()) {
            throw wrong(field, "a text");
        }
        return value.textValue();
    }

    String text(String field, String otherwise) throws TensorFormatException {
        return has(field) ? text(field) : otherwise;
    }

    int integer(String field, int otherwise) throws TensorFormatException {
        if (!has(field)) {
            return otherwise;
        }
        if (!node.get(field).canConvertToInt() || !node.get(field).isIntegralNumber()) {
            throw wrong(field, "an integer");
        }
        return node.get(field).intValue();
    }

    boolean bool(String field) throws TensorFormatException {
        if (has(field) && !node.get(field).isBoolean()) {
            throw wrong(field, "true or false");
        }
        return has(field) && node.get(field).booleanValue();
    }

    /** The items of a list; none where it is not there. */
    List<JsonNode> list(String field) throws TensorFormatException {
        List<JsonNode> items = new ArrayList<>();
        if (has(field)) {
            if (!node.get(field).isArray()) {
                throw wrong(field, "a list");
            }
            node.get(field).forEach(items::add);
        }
        return items;
    }

    /** A list of sizes, which must be there, of a shape in which elements of that dtype can be counted. */
    Shape shape(String field, DType dtype) throws TensorFormatException {
        if (!has(field)) {
            throw wrong(field, "a list of sizes");
        }
        List<JsonNode> items = list(field);
        long[] sizes = new long[items.size()];
        for (int d = 0; d < sizes.length; d++) {
            JsonNode item = items.get(d);
            if (!item.isIntegralNumber() || !item.canConvertToLong() || item.longValue() < 0) {
                throw wrong(field, "a list of sizes, none of them negative or past 2^63 - 1,");
            }
            sizes[d] = item.longValue();
        }
        return ClaimedShape.of(sizes, dtype, name);
    }

    /** What stands in an object, by name: numbers, texts, Booleans, lists of these, and objects as their JSON. */
    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        node.properties().forEach(entry -> {
            if (!entry.getValue().isNull()) {
                values.put(entry.getKey(), value(entry.getValue()));
            }
        });
        return values;
    }

    private static Object value(JsonNode node) {
        if (node.isArray()) {
            List<Object> items = new ArrayList<>();
            node.forEach(item -> items.add(value(item)));
            return List.copyOf(items);
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isNumber()) {
            return node.isIntegralNumber() && node.canConvertToLong() ? (Object) node.longValue() : node.doubleValue();
        }
        return node.isTextual() ? node.textValue() : node.toString();
    }
}
