package io.github.broadloom.io;

import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The test files that pyarrow wrote, and the chunks of a stream. */
final class ArrowFiles {
    private ArrowFiles() {}

    static Path file(String name) {
        try {
            return Path.of(Objects.requireNonNull(ArrowFiles.class.getResource("/arrow/" + name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    static List<Tensor> read(Path file) throws IOException {
        try (ArrowChunks chunks = ArrowIpc.readStream(Files.newInputStream(file), file.toString())) {
            return all(chunks);
        }
    }

    static List<Tensor> all(ArrowChunks chunks) throws IOException {
        List<Tensor> all = new ArrayList<>();
        for (Optional<Tensor> chunk = chunks.next(); chunk.isPresent(); chunk = chunks.next()) {
            all.add(chunk.get());
        }
        return all;
    }
}
