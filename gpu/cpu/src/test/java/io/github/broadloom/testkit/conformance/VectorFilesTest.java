package io.github.broadloom.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VectorFilesTest {
    @TempDir
    Path root;

    @BeforeEach
    void fill() throws IOException {
        Files.createDirectories(root.resolve("vectors/deep"));
        for (String name : List.of("vectors/b.jsonl", "vectors/a.jsonl", "vectors/deep/c.jsonl", "vectors/notes.md")) {
            Files.writeString(root.resolve(name), "");
        }
    }

    @Test
    void aPatternNamesTheFilesThatMatchInTheirOrder() {
        assertThat(matching("vectors/*.jsonl")).containsExactly("vectors/a.jsonl", "vectors/b.jsonl");
        assertThat(matching("vectors/**.jsonl")).hasSize(3);
        assertThat(matching("vectors/{a,deep/c}.jsonl")).containsExactly("vectors/a.jsonl", "vectors/deep/c.jsonl");
        assertThat(matching("vectors/b.jsonl")).containsExactly("vectors/b.jsonl");
        assertThat(matching(root + "/vectors/?.jsonl")).hasSize(2);
        assertThat(matching("elsewhere/../vectors/notes.*")).containsExactly("vectors/notes.md");
    }

    @Test
    void aPatternThatNamesNoFileIsAnError() {
        for (String glob : List.of("vectors/*.json", "elsewhere/*", "vectors", "vectors/d.jsonl")) {
            assertThatThrownBy(() -> VectorFiles.matching(glob, root))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Cannot run the vectors of -Dconformance.files=" + glob
                            + ": no file matches " + root.resolve(glob));
        }
    }

    private List<String> matching(String glob) {
        return VectorFiles.matching(glob, root).stream()
                .map(file -> root.relativize(file).toString())
                .toList();
    }
}
