package io.github.broadloom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The conformance vectors among the test resources; {@code golden/README.md} describes them. */
public final class Golden {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Golden() {}

    /** The lines of one kind, each named by its id. */
    public static Stream<Named<JsonNode>> lines(String file, String kind) {
        return lines(file)
                .filter(line -> kind.equals(line.get("kind").asText()))
                .map(line -> Named.of(line.path("id").asText(), line));
    }

    /** All lines of a file. */
    public static Stream<JsonNode> lines(String file) {
        List<JsonNode> lines = new ArrayList<>();
        try (InputStream in = Golden.class.getResourceAsStream("/golden/" + file);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(JSON.readTree(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines.stream();
    }

    /** A list of integers. */
    public static long[] longs(JsonNode list) {
        return IntStream.range(0, list.size())
                .mapToLong(i -> list.get(i).longValue())
                .toArray();
    }

    /** A list of integers. */
    public static int[] ints(JsonNode list) {
        return IntStream.range(0, list.size()).map(i -> list.get(i).intValue()).toArray();
    }
}
