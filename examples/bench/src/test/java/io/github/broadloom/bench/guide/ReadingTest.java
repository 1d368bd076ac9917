package io.github.broadloom.bench.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page that is wrong is told with its name and line. */
class ReadingTest {
    @TempDir
    Path folder;

    private Notes read(String... lines) throws Exception {
        Path file = folder.resolve("page.md");
        Files.write(file, List.of(lines));
        Places places = new Places(folder, folder.resolve("out"));
        Page page = Page.read(file, places);
        JavaCompilation compilation = new JavaCompilation(file);
        JavaSource source = new JavaSource(page, compilation);
        Notes notes = new Notes(file, places::outside);
        new Reading(page, source.steps(), Map.of(), notes).run(compilation.compile(source));
        return notes;
    }

    @Test
    void rightPagesHaveNoMistakes() throws Exception {
        Notes notes = read(
                "# Title",
                "```java",
                "import java.util.List;",
                "```",
                "```java",
                "int two = 1 + 1;  // prose",
                "Math.max(two, 3);  // 3",
                "List.of(two,",
                "        5).get(0);",
                "// 2",
                "",
                "// prose before a statement",
                "System.out.println(\"a // b\");",
                "// a // b",
                "List.of().get(0);  // Index 0 out of bounds for length 0",
                "for (int i = 0; i < 2; i++) {",
                "    System.out.println(i);",
                "}",
                "```",
                "",
                "```text",
                "0",
                "…",
                "```",
                "```console",
                "$ nothing that is run",
                "```");
        assertThat(notes.mistakes()).isEmpty();
        assertThat(notes.blocks()).isEqualTo(2);
    }

    @Test
    void wrongOutputsAreToldWithTheirLines() throws Exception {
        Notes notes = read(
                "```java",
                "Math.max(2, 3);  // 2",
                "System.out.println(1);",
                "```",
                "text",
                "```java",
                "Integer.parseInt(\"x\");",
                "System.out.println(\"1\\n2\");",
                "// 1",
                "```",
                "```cobol",
                "STOP RUN.",
                "```");
        assertThat(notes.mistakes())
                .extracting(text -> text.lines().findFirst().orElseThrow())
                .containsExactly(
                        "page.md:2: Math.max(2, 3);",
                        "page.md:3: System.out.println(1);",
                        "page.md:7: Integer.parseInt(\"x\");",
                        "page.md:8: System.out.println(\"1\\n2\");",
                        "page.md:12: nothing here runs 'cobol'");
    }

    @Test
    void aFailingDeclarationEndsThePage() throws Exception {
        Notes notes = read("```java", "int x = Integer.parseInt(\"x\");", "Math.max(x, 1);  // 2", "```");
        assertThat(notes.mistakes()).singleElement().asString().startsWith("page.md:2: int x = ");
        assertThat(notes.blocks()).isZero();
    }

    @Test
    void whatDoesNotCompileIsToldWithItsLine() {
        assertThatThrownBy(() -> read("# Title", "```java", "int x = 1;", "x.y();", "```"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("page.md:4: ");
    }

    @Test
    void blocksHaveEnds() {
        assertThatThrownBy(() -> read("text", "```java", "int x = 1;"))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("page.md:2: the block has no end");
    }
}
