package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The metadata of version 3, {@code zarr.json}. */
final class ZarrV3 {
    static final String FILE = "zarr.json";
    private static final Set<String> FIELDS = Set.of(
            "zarr_format",
            "node_type",
            "shape",
            "data_type",
            "chunk_grid",
            "chunk_key_encoding",
            "fill_value",
            "codecs",
            "attributes",
            "dimension_names",
            "storage_transformers",
            "consolidated_metadata");
    /** More than any shard has, and few enough for an index in memory. */
    private static final long MOST_INNER_CHUNKS = 1 << 26;

    private static final int MOST_CODECS = 32;

    private ZarrV3() {}

    static ZarrMetadata read(Document json) throws TensorFormatException {
        refuseUnknown(json);
        ElementType type = ElementType.ofVersion3(json);
        DType dtype = type.dtype();
        Shape shape = json.shape("shape", dtype);
        Document grid = json.object("chunk_grid");
        if (!grid.text("name", "regular").equals("regular")) {
            throw json.damaged("its chunks lie in a grid '" + ByteCodecs.printable(grid.text("name"))
                    + "'; a regular one is read");
        }
        Shape chunk = grid.object("configuration").shape("chunk_shape", dtype);
        Fill fill = FillValues.read(json, type);
        ChunkShapes.check(json, shape, chunk);
        ChunkCodec codec = codec(json, json.list("codecs"), dtype, chunk, fill);
        return new ZarrMetadata(
                3,
                dtype,
                type.unsigned(),
                shape,
                codec,
                fill,
                names(json.object("chunk_key_encoding")),
                dimensions(json, shape.rank()),
                json.object("attributes").values());
    }

    private static void refuseUnknown(Document json) throws TensorFormatException {
        if (json.integer("zarr_format", 0) != 3) {
            throw json.wrong("zarr_format", "3");
        }
        if (!json.list("storage_transformers").isEmpty()) {
            throw json.damaged("it has storage transformers, which are not supported");
        }
        for (var field : json.node().properties()) {
            JsonNode understood = field.getValue().get("must_understand");
            boolean needless = understood != null && understood.isBoolean() && !understood.booleanValue();
            if (!FIELDS.contains(field.getKey()) && !needless) {
                throw json.damaged(
                        "its field '" + ByteCodecs.printable(field.getKey()) + "' is not known and must be understood");
            }
        }
    }

    private static ChunkNames names(Document encoding) throws TensorFormatException {
        String name = encoding.text("name", "default");
        boolean plain = name.equals("v2");
        if (!plain && !name.equals("default")) {
            throw encoding.damaged(
                    "its chunks are called by '" + ByteCodecs.printable(name) + "'; default and v2 are read");
        }
        return new ChunkNames(
                plain ? "" : "c",
                ChunkShapes.separator(encoding.object("configuration"), "separator", plain ? "." : "/"));
    }

    private static List<String> dimensions(Document json, int rank) throws TensorFormatException {
        List<JsonNode> names = json.list("dimension_names");
        if (!names.isEmpty() && names.size() != rank) {
            throw json.damaged("its dimension_names are " + names.size() + ", and its dimensions " + rank);
        }
        boolean named = names.stream().anyMatch(JsonNode::isTextual);
        return named ? names.stream().map(name -> name.asText("")).toList() : List.of();
    }

    /** A codec's entry: an object, or its name alone. */
    private record Entry(String name, Document configuration) {
        static Entry of(Document json, JsonNode node) throws TensorFormatException {
            if (node.isTextual()) {
                return new Entry(node.textValue(), new Document(json.name(), Document.MAPPER.createObjectNode()));
            }
            if (!node.isObject()) {
                throw json.wrong("codecs", "a list of codecs");
            }
            Document entry = new Document(json.name(), node);
            return new Entry(entry.text("name"), entry.object("configuration"));
        }
    }

    private static ChunkCodec codec(Document json, List<JsonNode> list, DType dtype, Shape shape, Fill fill)
            throws TensorFormatException {
        if (list.isEmpty() || list.size() > MOST_CODECS) {
            throw json.wrong("codecs", "a list of up to " + MOST_CODECS + " codecs");
        }
        Entry first = Entry.of(json, list.get(0));
        List<JsonNode> rest = list.subList(1, list.size());
        switch (first.name()) {
            case "transpose" -> {
                List<Integer> order = order(first.configuration(), shape.rank());
                return new TransposedChunk(
                        order, codec(json, rest, dtype, TransposedChunk.permuted(shape, order), fill));
            }
            case "sharding_indexed" -> {
                if (!rest.isEmpty()) {
                    throw json.damaged("codecs behind sharding_indexed are not supported");
                }
                return sharded(first.configuration(), dtype, shape, fill);
            }
            case "bytes" -> {
                ChunkShapes.checkPlain(json, dtype, shape);
                List<ByteCodec> codecs = new ArrayList<>();
                for (JsonNode node : rest) {
                    Entry entry = Entry.of(json, node);
                    codecs.add(ByteCodecs.of(entry.name(), entry.configuration(), dtype.bytes()));
                }
                return new PlainChunk(
                        dtype, shape, bigEndian(first.configuration(), dtype.bytes()), List.copyOf(codecs));
            }
            default ->
                throw json.damaged("its codec '" + ByteCodecs.printable(first.name())
                        + "' is not supported; transpose, bytes and sharding_indexed make bytes of arrays");
        }
    }

    private static boolean bigEndian(Document bytes, int elementBytes) throws TensorFormatException {
        String endian = bytes.text("endian", elementBytes == 1 ? "little" : "");
        if (!endian.equals("little") && !endian.equals("big")) {
            throw bytes.wrong("endian", "little or big");
        }
        return endian.equals("big");
    }

    private static List<Integer> order(Document transpose, int rank) throws TensorFormatException {
        List<Integer> order = new ArrayList<>();
        for (JsonNode item : transpose.list("order")) {
            order.add(item.isInt() ? item.intValue() : -1);
        }
        boolean[] seen = new boolean[rank];
        for (int dim : order) {
            if (dim < 0 || dim >= rank || seen[dim]) {
                throw transpose.wrong("order", "each dimension once");
            }
            seen[dim] = true;
        }
        if (order.size() != rank) {
            throw transpose.wrong("order", "each dimension once");
        }
        return List.copyOf(order);
    }

    private static ChunkCodec sharded(Document settings, DType dtype, Shape shard, Fill fill)
            throws TensorFormatException {
        Shape inner = settings.shape("chunk_shape", dtype);
        ChunkShapes.checkInner(settings, shard, inner, MOST_INNER_CHUNKS);
        String location = settings.text("index_location", "end");
        if (!location.equals("start") && !location.equals("end")) {
            throw settings.wrong("index_location", "start or end");
        }
        List<JsonNode> codecs = settings.list("index_codecs");
        boolean sound = codecs.size() == 1 || codecs.size() == 2;
        if (!sound
                || !Entry.of(settings, codecs.get(0)).name().equals("bytes")
                || codecs.size() == 2
                        && !Entry.of(settings, codecs.get(1)).name().equals("crc32c")) {
            throw settings.wrong("index_codecs", "bytes, and crc32c or nothing,");
        }
        boolean bigEndian = bigEndian(Entry.of(settings, codecs.get(0)).configuration(), Long.BYTES);
        ShardIndex index = new ShardIndex(location.equals("start"), bigEndian, codecs.size() == 2);
        return new ShardedChunk(shard, codec(settings, settings.list("codecs"), dtype, inner, fill), index, fill);
    }

    /** What {@link #read} reads. */
    static ObjectNode write(ZarrMetadata array) {
        ObjectMapper mapper = Document.MAPPER;
        ObjectNode json = mapper.createObjectNode();
        json.put("zarr_format", 3).put("node_type", "array");
        json.set("shape", mapper.valueToTree(array.shape().toArray()));
        json.put("data_type", array.dtype().torchName());
        json.set(
                "chunk_grid",
                named(
                        "regular",
                        configuration -> configuration.set(
                                "chunk_shape",
                                mapper.valueToTree(array.codec().shape().toArray()))));
        json.set(
                "chunk_key_encoding",
                named(
                        array.names().prefix().isEmpty() ? "v2" : "default",
                        configuration ->
                                configuration.put("separator", array.names().separator())));
        json.set("fill_value", FillValues.write(array.fill()));
        json.set("codecs", codecs(array.codec()));
        json.set("attributes", mapper.valueToTree(array.attributes()));
        if (!array.dimensions().isEmpty()) {
            json.set("dimension_names", mapper.valueToTree(array.dimensions()));
        }
        return json;
    }

    private static ObjectNode named(String name, java.util.function.Consumer<ObjectNode> describe) {
        ObjectNode entry = Document.MAPPER.createObjectNode().put("name", name);
        describe.accept(entry.putObject("configuration"));
        return entry;
    }

    private static ObjectNode bytes(boolean bigEndian) {
        return named("bytes", configuration -> configuration.put("endian", bigEndian ? "big" : "little"));
    }

    private static ArrayNode codecs(ChunkCodec codec) {
        ArrayNode list = Document.MAPPER.createArrayNode();
        if (codec instanceof TransposedChunk transposed) {
            list.add(named(
                    "transpose",
                    configuration -> configuration.set("order", Document.MAPPER.valueToTree(transposed.order()))));
            list.addAll(codecs(transposed.inner()));
        } else if (codec instanceof ShardedChunk sharded) {
            list.add(named("sharding_indexed", configuration -> describe(sharded, configuration)));
        } else if (codec instanceof PlainChunk plain) {
            list.add(bytes(plain.bigEndian()));
            for (ByteCodec each : plain.codecs()) {
                list.add(named(each.name(), configuration -> each.describe(configuration, 3)));
            }
        }
        return list;
    }

    private static void describe(ShardedChunk sharded, ObjectNode configuration) {
        configuration.set(
                "chunk_shape",
                Document.MAPPER.valueToTree(sharded.inner().shape().toArray()));
        configuration.set("codecs", codecs(sharded.inner()));
        ArrayNode index =
                configuration.putArray("index_codecs").add(bytes(sharded.index().bigEndian()));
        if (sharded.index().checksum()) {
            index.add(Document.MAPPER.createObjectNode().put("name", "crc32c"));
        }
        configuration.put("index_location", sharded.index().atStart() ? "start" : "end");
    }
}
