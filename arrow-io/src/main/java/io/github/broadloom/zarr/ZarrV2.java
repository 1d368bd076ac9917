package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.NpyDescr;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The metadata of version 2: {@code .zarray} and {@code .zattrs}. */
final class ZarrV2 {
    static final String FILE = ".zarray";
    static final String ATTRIBUTES = ".zattrs";
    static final String GROUP = ".zgroup";
    static final String CONSOLIDATED = ".zmetadata";
    /** Xarray's attribute with the names of dimensions, which this version has no place for. */
    private static final String DIMENSIONS = "_ARRAY_DIMENSIONS";

    private ZarrV2() {}

    static ZarrMetadata read(Document json, Document attributes) throws TensorFormatException {
        if (json.integer("zarr_format", 0) != 2) {
            throw json.wrong("zarr_format", "2");
        }
        ElementType type = ElementType.ofVersion2(json);
        DType dtype = type.dtype();
        Shape shape = json.shape("shape", dtype);
        Shape chunk = json.shape("chunks", dtype);
        ChunkShapes.check(json, shape, chunk);
        ChunkShapes.checkPlain(json, dtype, chunk);
        List<ByteCodec> codecs = new ArrayList<>();
        for (JsonNode filter : json.list("filters")) {
            codecs.add(codec(json, filter, dtype.bytes()));
        }
        if (json.has("compressor")) {
            codecs.add(codec(json, json.node().get("compressor"), dtype.bytes()));
        }
        String order = json.text("order", "C");
        if (!order.equals("C") && !order.equals("F")) {
            throw json.wrong("order", "C or F");
        }
        List<Integer> reversed = TransposedChunk.reversed(shape.rank());
        ChunkCodec codec = order.equals("C") || shape.rank() < 2
                ? new PlainChunk(dtype, chunk, type.bigEndian(), List.copyOf(codecs))
                : new TransposedChunk(
                        reversed,
                        new PlainChunk(
                                dtype,
                                TransposedChunk.permuted(chunk, reversed),
                                type.bigEndian(),
                                List.copyOf(codecs)));
        Map<String, Object> values = new LinkedHashMap<>(attributes.values());
        List<String> dimensions = dimensions(values.get(DIMENSIONS), shape.rank());
        if (!dimensions.isEmpty()) {
            values.remove(DIMENSIONS);
        }
        return new ZarrMetadata(
                2,
                dtype,
                type.unsigned(),
                shape,
                codec,
                FillValues.read(json, type),
                new ChunkNames("", ChunkShapes.separator(json, "dimension_separator", ".")),
                dimensions,
                values);
    }

    private static ByteCodec codec(Document json, JsonNode node, int typeBytes) throws TensorFormatException {
        Document entry = new Document(json.name(), node).requireObject();
        return ByteCodecs.of(entry.text("id"), entry, typeBytes);
    }

    private static List<String> dimensions(@Nullable Object names, int rank) {
        if (!(names instanceof List<?> list) || list.size() != rank) {
            return List.of();
        }
        boolean texts = list.stream().allMatch(String.class::isInstance);
        return texts ? list.stream().map(String.class::cast).toList() : List.of();
    }

    /** What {@link #read} reads, in {@link #FILE}. */
    static ObjectNode write(ZarrMetadata array) {
        ObjectMapper mapper = Document.MAPPER;
        boolean reversed = array.codec() instanceof TransposedChunk;
        PlainChunk plain =
                (PlainChunk) (array.codec() instanceof TransposedChunk outer ? outer.inner() : array.codec());
        ObjectNode json = mapper.createObjectNode();
        json.put("zarr_format", 2);
        json.set("shape", mapper.valueToTree(array.shape().toArray()));
        json.set("chunks", mapper.valueToTree(array.codec().shape().toArray()));
        json.put(
                "dtype",
                new NpyDescr(array.dtype(), plain.bigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
                        .encode());
        json.put("order", reversed ? "F" : "C");
        json.set("fill_value", FillValues.write(array.fill()));
        json.putNull("compressor");
        json.putNull("filters");
        List<ByteCodec> codecs = plain.codecs();
        for (int i = 0; i < codecs.size(); i++) {
            ObjectNode entry = mapper.createObjectNode().put("id", codecs.get(i).name());
            codecs.get(i).describe(entry, 2);
            if (i == codecs.size() - 1) {
                json.set("compressor", entry);
            } else {
                json.withArray("filters").add(entry);
            }
        }
        json.put("dimension_separator", array.names().separator());
        return json;
    }

    /** The attributes with the names of the dimensions, as xarray has them. */
    static ObjectNode writeAttributes(ZarrMetadata array) {
        ObjectNode json = Document.MAPPER.valueToTree(array.attributes());
        if (!array.dimensions().isEmpty()) {
            ArrayNode names = json.putArray(DIMENSIONS);
            array.dimensions().forEach(names::add);
        }
        return json;
    }
}
