package io.github.broadloom.zarr;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
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
        Optional<byte[]> bytes = bytes(store, key);
        return bytes.isEmpty() ? Optional.empty() : Optional.of(of(store.name(key), bytes.get()));
    }

    /** The bytes of a file of metadata; empty where there is none. */
    static Optional<byte[]> bytes(Store store, String key) throws IOException {
        try (SeekableByteChannel in = store.open(key)) {
            if (in.size() > MOST_BYTES) {
                throw TensorFormatException.cannotRead(
                        store.name(key), "it has " + in.size() + " bytes, more than the metadata of arrays has");
            }
            return Optional.of(FileBytes.upTo(in, 0, (int) in.size()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** @throws TensorFormatException where these are no object of JSON */
    static Document of(String name, byte[] bytes) throws IOException {
        try {
            return new Document(name, MAPPER.readTree(bytes)).requireObject();
        } catch (JsonProcessingException e) {
            throw TensorFormatException.cannotRead(name, "it is not JSON (" + e.getOriginalMessage() + ")", e);
        }
    }

    /**
     * JSON with another value in one place. All else stays as it is to the byte: numbers written anew may be others, and what is not known here would get lost.
     *
     * @param path the names of objects, one in the other, and of the value
     * @return empty where there is no such value
     */
    static Optional<byte[]> replaced(byte[] json, List<String> path, String value) throws IOException {
        try (JsonParser parser = MAPPER.createParser(json)) {
            parser.nextToken();
            for (String name : path) {
                if (!find(parser, name)) {
                    return Optional.empty();
                }
            }
            int start = (int) parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
            int end = (int) parser.currentLocation().getByteOffset();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(json, 0, start);
            out.writeBytes(value.getBytes(StandardCharsets.UTF_8));
            out.write(json, end, json.length - end);
            return Optional.of(out.toByteArray());
        }
    }

    /** Goes to the value of that name in the object that begins here. */
    private static boolean find(JsonParser parser, String name) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = name.equals(parser.currentName());
            parser.nextToken();
            if (found) {
                return true;
            }
            parser.skipChildren();
        }
        return false;
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
