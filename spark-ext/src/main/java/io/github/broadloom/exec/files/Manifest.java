package io.github.broadloom.exec.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a folder of parts has to hold, in a file of its own that is written last and read first: with it a folder is whole or refused, and is opened without a look into
 * the parts. Its name begins with an underscore, by which Spark, Hadoop and pyarrow know that it is no data.
 *
 * @param shape of the whole tensor
 * @param parts in the order of their rows
 */
public record Manifest(PartFormat format, DType dtype, Shape shape, List<Part> parts) {
    public static final String NAME = "_broadloom.json";
    private static final int VERSION = 1;
    private static final int HEXADECIMAL = 16;
    private static final ObjectMapper JSON = new ObjectMapper();

    public void write(Location folder) throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.put("version", VERSION);
        root.put("format", format.suffix());
        root.put("dtype", dtype.toString());
        ArrayNode sizes = root.putArray("shape");
        for (long size : shape.toArray()) {
            sizes.add(size);
        }
        ArrayNode list = root.putArray("parts");
        for (Part part : parts) {
            list.addObject()
                    .put("name", part.name())
                    .put("rows", part.rows())
                    .put("bytes", part.bytes())
                    .put("crc32c", String.format(Locale.ROOT, "%08x", part.crc32c()));
        }
        try (OutputStream out = folder.child(NAME).create()) {
            out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
        }
    }

    /** The format that the manifest of a folder names, whatever else is in it; empty where there is no manifest, or one that cannot be understood. */
    public static Optional<String> format(Location folder) throws IOException {
        byte[] bytes = bytes(folder);
        try {
            return bytes == null
                    ? Optional.empty()
                    : Optional.ofNullable(JSON.readTree(bytes).path("format").textValue());
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static byte @Nullable [] bytes(Location folder) throws IOException {
        try (InputStream in = folder.child(NAME).open()) {
            return in.readAllBytes();
        } catch (FileNotFoundException | NoSuchFileException e) {
            return null;
        }
    }

    /**
     * The manifest of a folder, held against the files that are there.
     *
     * @return null where it has none
     * @throws TensorFormatException where it is damaged, lists parts of another format, or a file is missing, of another length, or not listed
     */
    public static @Nullable Manifest read(Location folder, PartFormat format) throws IOException {
        byte[] bytes = bytes(folder);
        if (bytes == null) {
            return null;
        }
        Manifest manifest;
        try {
            manifest = parse(JSON.readTree(bytes));
        } catch (JsonProcessingException | IllegalArgumentException | ArithmeticException e) {
            throw new TensorFormatException(
                    "Cannot read " + folder + ": its " + NAME + " is damaged"
                            + (e instanceof JsonProcessingException ? "" : ", " + e.getMessage()),
                    e);
        }
        if (manifest.format != format) {
            throw new TensorFormatException("Cannot read " + folder + ": its parts are " + manifest.format.suffix()
                    + " files, not " + format.suffix() + " files");
        }
        manifest.check(folder);
        return manifest;
    }

    private static Manifest parse(JsonNode root) {
        check(root.path("version").asInt() == VERSION, "or of a version that is not known: " + root.path("version"));
        PartFormat format = PartFormat.of(root.path("format").asText());
        DType dtype = DType.of(root.path("dtype").asText());
        long[] sizes = new long[root.path("shape").size()];
        for (int d = 0; d < sizes.length; d++) {
            sizes[d] = count(root.path("shape").path(d), "shape");
        }
        List<Part> parts = new ArrayList<>();
        for (JsonNode part : root.path("parts")) {
            String name = part.path("name").asText();
            check(name.equals(format.fileName(parts.size())), "its part " + parts.size() + " is called '" + name + "'");
            int crc32c = Integer.parseUnsignedInt(part.path("crc32c").asText(), HEXADECIMAL);
            parts.add(new Part(name, count(part.path("rows"), "rows"), count(part.path("bytes"), "bytes"), crc32c));
        }
        Manifest manifest = new Manifest(format, dtype, Shape.of(sizes), List.copyOf(parts));
        check(!parts.isEmpty(), "it lists no parts");
        long rows = 0;
        for (Part part : parts) {
            rows = Math.addExact(rows, part.rows());
        }
        check(
                rows == (sizes.length == 0 ? 1 : sizes[0]),
                "its parts have " + rows + " rows, its shape is " + manifest.shape);
        return manifest;
    }

    private static long count(JsonNode number, String field) {
        check(
                number.canConvertToLong() && number.isIntegralNumber() && number.asLong() >= 0,
                "its " + field + " is no count: " + number);
        return number.asLong();
    }

    private static void check(boolean holds, String problem) {
        if (!holds) {
            throw new IllegalArgumentException(problem);
        }
    }

    private void check(Location folder) throws IOException {
        Map<String, Long> found = new HashMap<>();
        for (Location.Entry entry : folder.list(format::isPart)) {
            found.put(entry.name(), entry.bytes());
        }
        for (Part part : parts) {
            long bytes = part.bytesIn(folder, found.remove(part.name()));
            if (bytes != part.bytes()) {
                throw new TensorFormatException("Cannot read " + folder + ": its " + part.name() + " "
                        + (bytes < 0 ? "is missing" : "has " + bytes + " bytes instead of " + part.bytes())
                        + ", by its " + NAME + "; write it again");
            }
        }
        for (String other : found.keySet()) {
            throw new TensorFormatException(
                    "Cannot read " + folder + ": its " + NAME + " does not list " + other + "; take one of them away");
        }
    }

    public Shape shape(Part part) {
        return shape.rank() == 0 ? shape : shape.with(0, part.rows());
    }
}
