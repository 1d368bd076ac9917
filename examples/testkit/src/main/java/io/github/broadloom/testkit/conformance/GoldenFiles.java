package io.github.broadloom.testkit.conformance;

import io.github.broadloom.expr.ops.Op;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The vectors that PyTorch computed, from the class path, as files. */
public final class GoldenFiles {
    /** Files of which every line must pass, but for kinds and ops that the project does not have. */
    public static final List<String> ALL = List.of(
            ("seed broadcast_shapes binary unary ternary inplace view join promote reduce sparse overlap print call order index programs groups windows"
                            + " bfloat16")
                    .split(" "));

    /** Whose lines name an op, which the project may not have. */
    private static final Set<String> BY_OP = Set.of("binary", "unary");

    private static final Pattern OP = Pattern.compile("\"op\":\"([^\"]*)\"");

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

    /** How many lines of the file must have run: those whose op, where they are of one, the project has. */
    public static long required(String name) {
        try (InputStream stream = open(name)) {
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return BY_OP.contains(name)
                    ? OP.matcher(text)
                            .results()
                            .filter(op -> Op.find(op.group(1)).isPresent())
                            .count()
                    : text.lines().count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String name) {
        InputStream stream = GoldenFiles.class.getResourceAsStream("/golden/" + name + ".jsonl");
        if (stream == null) {
            throw new IllegalStateException("golden/" + name + ".jsonl is not on the class path");
        }
        return stream;
    }
}
