package io.github.broadloom.bench.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.tools.ChildJvm;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cells of the notebook in Scala are run in the Scala shell, and what they give is what the notebook shows. */
@Tag("full")
class NotebookTest {
    private static final Path NOTEBOOK = Path.of("../../docs/notebooks/hillshade-scala.ipynb");
    private static final String END = "end of the cell";
    private static final Pattern NAMED_BY_SCALA = Pattern.compile("^val res\\d+: \\S+ =\\s*");
    private static final Pattern PICTURE = Pattern.compile("<svg.*</svg>", Pattern.DOTALL);

    @TempDir
    Path folder;

    private static String text(JsonNode lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line.asText()));
        return text.toString();
    }

    private static List<JsonNode> cells() throws IOException {
        List<JsonNode> cells = new ArrayList<>();
        for (JsonNode cell : new ObjectMapper().readTree(NOTEBOOK.toFile()).get("cells")) {
            if (cell.get("cell_type").asText().equals("code")) {
                cells.add(cell);
            }
        }
        return cells;
    }

    /** A cell that shows a picture is the name of a tensor; the picture comes as a string. */
    private static String program(List<JsonNode> cells) {
        StringBuilder program = new StringBuilder();
        for (JsonNode cell : cells) {
            String source = text(cell.get("source"));
            program.append(source).append('\n');
            if (!cell.at("/outputs/0/data").path("text/html").isMissingNode()) {
                program.append(source).append(".toHtml\n");
            }
            program.append('"').append(END).append("\"\n");
        }
        return program.toString();
    }

    @Test
    void everyCellGivesWhatTheNotebookShows() throws Exception {
        List<JsonNode> cells = cells();
        Path file = Files.writeString(folder.resolve("notebook.scala"), program(cells));
        Cli shell = ChildJvm.run(
                ChildJvm.QUICK_START,
                folder,
                Files.createFile(folder.resolve("input")),
                "shell",
                "--master",
                "local[2]",
                "-i",
                file.toString(),
                "-e",
                "");
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        String[] came = shell.out().split("val res\\d+: String = " + END + "\n");
        assertThat(came).hasSize(cells.size());
        int pictures = 0;
        for (int i = 0; i < came.length; i++) {
            JsonNode shown = cells.get(i).at("/outputs/0/data");
            if (!shown.isMissingNode()) {
                assertThat(withoutKernels(NAMED_BY_SCALA.matcher(came[i]).replaceFirst("")) + "\n")
                        .startsWith(withoutKernels(text(shown.get("text/plain"))) + "\n");
            }
            if (shown.has("text/html")) {
                assertThat(picture(came[i])).isEqualTo(picture(text(shown.get("text/html"))));
                pictures++;
            }
        }
        assertThat(pictures).isPositive();
    }

    /** Which kernels are compiled already depends on what ran before. */
    private static String withoutKernels(String plan) {
        return plan.lines().filter(line -> !line.contains("kernel")).collect(Collectors.joining("\n"));
    }

    private static String picture(String html) {
        Matcher picture = PICTURE.matcher(html);
        assertThat(picture.find()).as(html).isTrue();
        return picture.group();
    }
}
