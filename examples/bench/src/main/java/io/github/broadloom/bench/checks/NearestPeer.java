package io.github.broadloom.bench.checks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.bench.Child;
import io.github.broadloom.bench.Seconds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * A search of the same vectors by a library of Python, in a process of its own.
 *
 * @param who faiss or torch
 */
record NearestPeer(String who, String python) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long TIMEOUT_SECONDS = 600;

    /**
     * What came of it.
     *
     * @param absent why nothing did; else empty
     */
    record Answer(String absent, String version, Seconds seconds) {}

    /** @param job files {@code left}, {@code right} and {@code out}, {@code k}, {@code warm_up}, {@code repeat}, and {@code device} where it is one */
    Answer run(Map<String, Object> job) throws IOException {
        int threads = Runtime.getRuntime().availableProcessors();
        Map<String, Object> message = new HashMap<>(job);
        message.put("who", who);
        message.put("threads", threads);
        Child.End end;
        try {
            end = Child.run(List.of(python, "-c", script()), JSON.writeValueAsBytes(message), threads, TIMEOUT_SECONDS);
        } catch (IOException e) {
            return new Answer("cannot start " + python, "", Seconds.of(0));
        }
        JsonNode answer = end.answer().startsWith("{") ? JSON.readTree(end.answer()) : JSON.createObjectNode();
        if (!answer.has("seconds")) {
            return new Answer(answer.path("absent").asText(end.complaint()), "", Seconds.of(0));
        }
        double[] seconds = StreamSupport.stream(answer.get("seconds").spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
        return new Answer("", answer.get("version").asText(), Seconds.of(seconds));
    }

    private static String script() throws IOException {
        try (InputStream in = NearestPeer.class.getResourceAsStream("/bench/nearest.py")) {
            if (in == null) {
                throw new IOException("Cannot find bench/nearest.py among the resources; rebuild");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
