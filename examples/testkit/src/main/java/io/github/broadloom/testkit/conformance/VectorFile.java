package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads a file of vectors line by line. */
public final class VectorFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private VectorFile() {}

    /** Hands every vector of the file to the consumer, in order, but for blank lines; a {@link VectorFormatException} at a line that is not a JSON object. */
    public static void forEach(Path file, Consumer<Vector> consumer) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (!line.isBlank()) {
                    String source = file + ":" + number;
                    consumer.accept(new Vector(source, parse(line, source)));
                }
            }
        } catch (MalformedInputException e) {
            throw new VectorFormatException("Cannot read vectors from " + file + ": it is not UTF-8 text", e);
        }
    }

    private static ObjectNode parse(String line, String source) throws VectorFormatException {
        JsonNode node;
        try {
            node = JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new VectorFormatException(
                    "Cannot read a vector at " + source + ": "
                            + e.getOriginalMessage().lines().findFirst().orElse("it is not JSON"),
                    e);
        }
        if (!(node instanceof ObjectNode)) {
            throw new VectorFormatException(
                    "Cannot read a vector at " + source + ": a JSON object is needed, got " + Vector.abbreviated(node));
        }
        return (ObjectNode) node;
    }
}
