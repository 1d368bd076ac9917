package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
    private static final String X = "x=float32[25_000_000, 100_000]"; // 10 TB
    private static final String[] THOUSAND = {"--executors", "1000", "--executor-memory", "32g"};

    private static Cli plan(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "plan";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Cli.run(all);
    }

    private static Cli planOnThousand(String... arguments) {
        String[] all = new String[arguments.length + THOUSAND.length];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(THOUSAND, 0, all, arguments.length, THOUSAND.length);
        return plan(all);
    }

    @Test
    void tenTerabytesArePlannedWithoutThem() {
        String out = planOnThousand("(x - x.mean(0)) / x.std(0)", X, "--chunks", "x=100000")
                .succeeds()
                .out();
        assertThat(out)
                .contains("one fused kernel for each of 100000 chunks of up to 250 rows")
                .contains("x (cached)  float32 [25000000, 100000], 9.1 TiB  align: ")
                // eight large partial results to a task: 100,000 + 12,500 + 1,563 + 196 + 25 + 4 + 1, and 100,000
                .contains("2 jobs · 8 stages · 214289 tasks")
                .containsPattern("planned in \\d+ ms, and in \\d+ ms a second time, with [\\d.]+ MB of heap allocated")
                .containsPattern("align +18\\.2 TiB")
                .containsPattern("result +9\\.1 TiB")
                .containsPattern("the least +18\\.2 TiB");
    }

    @Test
    void theSummaryHasALineForEachStep() {
        String out = plan("(x - x.mean(0)) * 2", "x=float32[1000000,100]", "--summary")
                .succeeds()
                .out();
        assertThat(out.lines().limit(3).map(line -> line.replaceFirst(": .*; x", " … x")))
                .containsExactly(
                        "1. mean(x, dim=(0)) … x align",
                        "2. (x - mean(x, dim=(0))) * 2 … x align; mean(x, dim=(0)) replicate",
                        out.lines().skip(2).findFirst().orElseThrow());
    }

    @Test
    void tensorsLieWhereTheOptionsSay() {
        String[] tensors = {"a + b + c", "a=float32[1000,64]", "b=float32[1000,64]", "c=float32[64]"};
        String out = plan(
                        tensors[0], tensors[1], tensors[2], tensors[3], "--cached", "a", "--file", "b", "--local", "c")
                .succeeds()
                .out();
        assertThat(out).contains("a (cached)", "b (file)", "c (local)");
    }

    @Test
    void blocksAreCutAlongSeveralDimensions() {
        assertThat(plan("x * 2", "x=float32[1000,100]", "--chunks", "x=10x4", "--for", "cache")
                        .succeeds()
                        .out())
                .contains("40 chunks (10 x 4) of up to 100 x 25");
        assertThat(plan("x * 2", "x=float32[1000,100]", "--chunks", "x=10x4", "--for", "write")
                        .succeeds()
                        .out())
                .contains("x * 2 (chunks of step 1)");
    }

    @Test
    void theShuffleTellsInHowManyPieces() {
        String out = plan(
                        "x.T", "x=float32[10000,10000]", "--chunks", "x=100", "--for", "write", "--chunk-bytes", "400k")
                .succeeds()
                .out();
        assertThat(out)
                .containsPattern("shuffle +1\\.1 GiB")
                .contains("; 125,000 pieces are shuffled"); // 1250 tasks of 8 rows
    }

    @Test
    void theClusterDecidesTheSizeOfChunks() {
        String[] small = {"x + 1", "x=float32[1000000,1000]", "--executors", "1", "--cores", "1"};
        assertThat(plan(small).succeeds().out()).contains("62 tasks"); // of 16384 rows, 62.5 MiB
        assertThat(plan("x + 1", "x=float32[1000000,1000]", "--executors", "100")
                        .succeeds()
                        .out())
                .contains("489 tasks"); // of 2048 rows, 7.8 MiB
    }

    @Test
    void aRefusalIsTheAnswer() {
        assertThat(planOnThousand("x + 1", X, "--chunks", "x=10").sentence())
                .contains("Cannot compute x + 1: a task would hold 1.8 TiB", "and has 8.0 GiB; ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x | x=float32                       | Cannot read 'x=float32' as a tensor: write NAME=DTYPE[SHAPE]",
                "x | x=float33[2]                    | float33",
                "x | x=float32[99999999999999999999] | a size is less than 2^63",
                "y | x=float32[2]                    | y",
                "x | x=float32[2] --chunks y=3       | Cannot find the tensor y, of which an option tells",
                "x | x=float32[2] --chunks x=many    | Cannot cut x into 'many' chunks: write --chunks x=1000",
                "x | x=float32[2] --chunks x=2x2     | Cannot cut x [2] into 2x2 chunks: it has 1 dimension",
                "x | x=float32[2] --chunks x=0       | Cannot cut a tensor into 0 chunks: ask for at least one",
                "x | x=float32[2] x=float32[2]       | Cannot give the name x twice",
                "x | x=float32[2] --file x --local x | Cannot have x in two places",
                "x | x=float32[2] --executors 0      | Cannot plan for 0 executors of 4 tasks at a time",
                "x | x=float32[2] --executor-memory 0 | Cannot use 0 bytes; give at least 1"
            })
    void whatIsWrongIsSaid(String expression, String arguments, String sentence) {
        Cli run = plan((expression.strip() + " " + arguments.strip()).split(" "));
        assertThat(run.complains().err()).contains(sentence);
    }

    @Test
    void picturesAreLeft(@TempDir Path folder) throws IOException {
        Path svg = folder.resolve("new/plan.svg");
        Path html = folder.resolve("plan.html");
        String out = planOnThousand(
                        "x + y",
                        X,
                        X.replace('x', 'y'),
                        "--chunks",
                        "x=100000",
                        "--chunks",
                        "y=99991",
                        "--svg",
                        svg.toString(),
                        "--html",
                        html.toString())
                .succeeds()
                .out();
        assertThat(out).contains("wrote " + svg + ": the plan", "wrote " + html + ": the plan");
        assertThat(Files.readString(svg)).startsWith("<svg").contains("x + y");
        assertThat(Files.readString(html)).startsWith("<!DOCTYPE html>").contains("re-slice");
    }
}
