package io.github.broadloom.testkit.conformance;

import io.github.broadloom.expr.ops.Op;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The vectors that PyTorch computed, from the class path, as files. */
public final class GoldenFiles {
    /** Files of which every line must pass, but for kinds and ops that the project does not have. */
    public static final List<String> ALL = List.of(
            "seed",
            "broadcast_shapes",
            "binary",
            "unary",
            "ternary",
            "inplace",
            "view",
            "join",
            "promote",
            "reduce",
            "sparse",
            "overlap",
            "print",
            "call",
            "bfloat16");

    private GoldenFiles() {}

    public static Path copy(String name, Path folder) {
        Path file = folder.resolve(name + ".jsonl");
        try (InputStream stream = open(name)) {
            Files.copy(stream, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /** How many lines of the file must have run: those whose kind and op the project has to have by now. */
    public static long required(String name) {
        return lines(name).stream().filter(mustRun(name)).count();
    }

    private static Predicate<String> mustRun(String name) {
        return switch (name) {
            case "seed",
                    "broadcast_shapes",
                    "view",
                    "join",
                    "promote",
                    "print",
                    "inplace",
                    "overlap",
                    "sparse",
                    "call" -> line -> true;
            case "binary", "unary" -> line -> Op.find(field(line, "op")).isPresent();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String field(String line, String name) {
        String key = "\"" + name + "\":\"";
        int start = line.indexOf(key) + key.length();
        return line.substring(start, line.indexOf('"', start));
    }

    private static List<String> lines(String name) {
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(open(name), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    private static InputStream open(String name) {
        InputStream stream = GoldenFiles.class.getResourceAsStream("/golden/" + name + ".jsonl");
        if (stream == null) {
            throw new IllegalStateException("golden/" + name + ".jsonl is not on the class path");
        }
        return stream;
    }
}
