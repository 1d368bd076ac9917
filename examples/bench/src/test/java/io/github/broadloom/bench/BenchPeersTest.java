package io.github.broadloom.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries that are measured in processes of their own: what they compute is checked, and what goes wrong with them is told. */
class BenchPeersTest {
    @TempDir
    Path folder;

    @Test
    void namesWhatCannotBeMeasured() {
        assertThat(bench("broadloom-local,dask", "/no/python").out())
                .contains("not measured: W8 of dask: cannot start /no/python");
    }

    @Test
    void namesThePythonThatBreaks() throws IOException {
        assertThat(bench("broadloom-local,torch", python("echo 'out of luck' >&2; exit 139"))
                        .out())
                .contains("not measured: W8 of torch: it ended with exit code 139: out of luck");
        assertThat(bench("broadloom-local,torch", python("echo '{broken'")).out())
                .contains("not measured: W8 of torch: its answer cannot be read");
        assertThat(bench("broadloom-local,torch", python("true")).out())
                .contains("not measured: W8 of torch: it ended with exit code 0");
    }

    /** W8 is 1024 x 32 x 32 x 2. */
    @Test
    void aWrongResultIsNamedAndNotMeasured() throws IOException {
        String wrong =
                bench("broadloom-local,torch", python(answer("[1024,32,32,2]"))).out();
        assertThat(wrong)
                .containsPattern("not measured: W8 of torch: its result differs from Broadloom's: figure \\d+ of 512");
        assertThat(wrong).doesNotContain("0.1.2");
        assertThat(bench("broadloom-local,torch", python(answer("[2]"))).out())
                .contains("its result has the shape [2], Broadloom's [1024, 32, 32, 2]");
    }

    /** What runs as Python copies the files when W5 is its turn: they have W8 then, and both in the end. */
    @Test
    void theFilesOfAnUnfinishedRunHaveTheWorkloadsBefore() throws IOException {
        Path made = folder.resolve("made");
        Path seen = folder.resolve("seen");
        String copies = "if [ -d '%1$s' ]; then cp -r '%1$s' '%2$s'; fi; exit 1".formatted(made, seen);
        BenchCli.run(
                        "W8",
                        "W5",
                        "--only",
                        "broadloom-local,torch",
                        "--python",
                        python(copies),
                        "--json",
                        made.resolve("bench.json").toString(),
                        "--png",
                        made.resolve("bench.png").toString(),
                        "--markdown",
                        made.resolve("bench.md").toString())
                .succeeds();
        assertThat(workloadsIn(seen.resolve("bench.json"))).containsExactly("W8");
        assertThat(workloadsIn(made.resolve("bench.json"))).containsExactly("W8", "W5");
        assertThat(ImageIO.read(seen.resolve("bench.png").toFile()).getWidth())
                .isLessThan(ImageIO.read(made.resolve("bench.png").toFile()).getWidth());
        assertThat(seen.resolve("bench.md")).content().contains("|  | W8 |\n");
        assertThat(made.resolve("bench.md")).content().contains("|  | W8 | W5 |\n");
        assertThat(made.toFile().list()).containsExactlyInAnyOrder("bench.json", "bench.png", "bench.md");
    }

    private static List<String> workloadsIn(Path json) throws IOException {
        return new ObjectMapper().readTree(json.toFile()).get("results").findValuesAsText("workload");
    }

    private static String answer(String shape) {
        return "echo '{\"version\":\"0.1.2\",\"seconds\":[0.5],\"shape\":" + shape + ",\"sample\":[1,2,3]}'";
    }

    /** What stands in for an interpreter: reads the job and does this. */
    private String python(String body) throws IOException {
        Path script = Files.writeString(folder.resolve("python"), "#!/bin/sh\ncat > /dev/null\n" + body + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script.toString();
    }

    private static Cli bench(String who, String python) {
        return BenchCli.run("W8", "--only", who, "--python", python).succeeds();
    }
}
