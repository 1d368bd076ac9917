package io.github.broadloom.bench.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Where the paths of a page are: a reader is in the repository's root, and the tests in a module's folder. What a page writes goes to a folder of the test.
 *
 * @param root the repository
 * @param out what stands for the folder {@code out}
 */
record Places(Path root, Path out) {
    String inside(String source) {
        return source.replace("examples/data/", root.resolve("examples/data") + "/")
                .replaceAll("(?<=[\"' =])out(?=[/\"'])", out.toString());
    }

    /** Deletes what a page wrote. */
    void clear() throws IOException {
        if (Files.exists(out)) {
            try (Stream<Path> files = Files.walk(out)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    String outside(String text) {
        return text.replace("file:" + out, "out")
                .replace(out.toString(), "out")
                .replace(root.resolve("examples/data").toString(), "examples/data");
    }
}
