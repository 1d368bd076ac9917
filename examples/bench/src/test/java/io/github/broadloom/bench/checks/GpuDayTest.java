package io.github.broadloom.bench.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tools.Cli;
import io.github.broadloom.tools.console.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuDayTest {
    @TempDir
    Path folder;

    private final StringWriter told = new StringWriter();

    private boolean run(DayStep step) throws IOException {
        return new DayRun(folder, "2026-01-02", new Console(new PrintWriter(told))).run(step);
    }

    private static DayStep step(int seconds, DayPart... parts) {
        return new DayStep(7, "tried", "Does it end", seconds, 1, List.of(parts));
    }

    private static DayPart shell(String name, int seconds, String program) {
        return DayPart.program(name, seconds, "sh", "-c", program);
    }

    private Path page() {
        return folder.resolve("2026-01-02-gpu-7-tried.md");
    }

    @Test
    void aPartThatHangsIsEndedAndLeavesWhatItSaid() throws IOException {
        boolean well =
                run(step(60, shell("hangs", 1, "echo begun; sleep 60; echo over"), shell("next", 9, "echo next")));
        assertThat(well).isFalse();
        assertThat(page())
                .content()
                .contains(
                        "# GPU, step 7: Does it end",
                        "| hangs | ended after 1 s, unfinished |",
                        "begun",
                        "| next | well, ")
                .doesNotContain("over");
    }

    @Test
    void theTimeOfAStepIsTheTimeOfAllItsParts() throws IOException {
        assertThat(run(step(1, shell("long", 50, "sleep 60"), shell("late", 9, "echo late"))))
                .isFalse();
        assertThat(page())
                .content()
                .contains("| long | ended after ", "| late | left out: the time of the step was over |");
    }

    @Test
    void aProgramThatIsMissingIsLeftOutByNameAndAllIsWell() throws IOException {
        assertThat(run(step(9, DayPart.program("profile", 9, "no-such-profiler"))))
                .isTrue();
        assertThat(page()).content().contains("| profile | left out: no-such-profiler is not on this machine |");
    }

    @Test
    void aPartThatFailsIsToldWithItsLastLineAndTheOthersRun() throws IOException {
        assertThat(run(step(9, shell("fails", 9, "echo the reason; exit 3"), shell("next", 9, "echo next"))))
                .isFalse();
        assertThat(page()).content().contains("| fails | **failed**, exit code 3, ", "| next | well, ");
        assertThat(told.toString()).contains("failed, exit code 3", "    the reason");
    }

    /** The limits of the parts are within those of their step, which is within ten minutes. */
    @Test
    void everyStepEndsWithinTenMinutes() {
        assertThat(DayStep.all(List.of(Path.of("binary.jsonl")), "python3", false))
                .hasSize(8)
                .allSatisfy(step -> assertThat(step.minutes()).isLessThan(10))
                .allSatisfy(step -> assertThat(step.parts()).allMatch(part -> part.seconds() <= step.seconds()));
    }

    /** Else it would overwrite what a real day measured. */
    @Test
    void aRehearsalHasAReportOfItsOwnThatSaysSo() throws IOException {
        assertThat(run(step(9, shell("next", 9, "echo next")).rehearsed())).isTrue();
        assertThat(folder.resolve("2026-01-02-gpu-7-tried-rehearsal.md"))
                .content()
                .startsWith("# GPU, step 7: Does it end (a rehearsal, of little of it)\n");
        assertThat(page()).doesNotExist();
    }

    @Test
    void aRehearsalRunsTheSmallestFileOfVectorsAlone() throws IOException {
        Path large = Files.writeString(folder.resolve("binary.jsonl"), "{}\n{}\n");
        Path small = Files.writeString(folder.resolve("seed.jsonl"), "{}\n");
        assertThat(DayStep.all(List.of(large, small), "python3", true).get(1).parts())
                .extracting(DayPart::name)
                .contains("seed", "expressions-0")
                .doesNotContain("binary");
    }

    @Test
    void aStepThatIsNotThereIsNamed() {
        assertThat(Cli.run("gpu-day", "9").sentence()).contains("Cannot find step 9; there are 0 to 7, and all");
    }

    @Test
    void theUsageTextExplainsEveryStep() {
        assertThat(Cli.run("gpu-day", "--help").succeeds().out())
                .contains("0 runs, at most 9 minutes", "5 exact", "6 tools", "7 nearest");
    }
}
