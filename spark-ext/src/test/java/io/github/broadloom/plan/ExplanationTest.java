package io.github.broadloom.plan;

import static io.github.broadloom.plan.Plans.MIB;
import static io.github.broadloom.plan.Plans.apply;
import static io.github.broadloom.plan.Plans.file;
import static io.github.broadloom.plan.Plans.mean;
import static io.github.broadloom.plan.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ViewOps;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    private static final RunFigures RUN = new RunFigures(
            2,
            2,
            32,
            1,
            588 * MIB,
            0,
            0,
            1792,
            0,
            3 * MIB,
            37 * MIB,
            2,
            GpuFigures.NONE,
            Duration.ofMillis(3140),
            Duration.ofSeconds(125));

    /** The lines without those about kernels, which another test reads. */
    private static String tree(Plan plan) {
        return Explanation.of(plan, Detail.PLAN)
                .lines()
                .filter(line -> !line.contains("loops ") && !line.startsWith("kernel cache"))
                .reduce("", (text, line) -> text + line + "\n");
    }

    @Test
    void aStageStandsUnderTheOperandThatItFeeds() {
        Expr x = file("x", 512, 3, 224, 224);
        assertThat(tree(plan(apply("sub", x, mean(x, 0))))).isEqualTo("""
                        2. x - mean(x, dim=(0))
                           float32 [512, 3, 224, 224], 294.0 MiB: one fused kernel for each of 16 chunks of up to 32 rows
                           ├─ x (fake)  float32 [512, 3, 224, 224], 294.0 MiB  align: leading size 512 is the result's, each task reads its byte range
                           └─ mean(x, dim=(0)) (result of step 1)  float32 [3, 224, 224], 588.0 KiB  replicate: rank 3 below 4, so every task needs all of it
                              1. mean(x, dim=(0))
                                 float32 [3, 224, 224], 588.0 KiB: partial results of 16 chunks of up to 32 rows, folded on the driver in row order
                                 └─ x (fake)  float32 [512, 3, 224, 224], 294.0 MiB  align: leading size 512 is the result's, each task reads its byte range
                        broadcast 588.0 KiB to each executor · shuffle 0 B · 2 jobs · 2 stages · 32 tasks · peak memory of a task about 37.3 MiB · 2 kernels · device cpu
                        """);
    }

    @Test
    void ofAStackATaskNeedsWhatItUses() {
        Expr stack = file("stack", 10, 3, 224, 224);
        Expr difference = apply("sub", file("x", 512, 3, 224, 224), ViewOps.select(stack, 0, 4));
        assertThat(tree(plan(difference)))
                .contains("replicate: rank 3 below 4, so every task needs the same 588.0 KiB of it\n")
                .contains("\nbroadcast 588.0 KiB to each executor ");
    }

    @Test
    void aStageThatFeedsTwoOperandsIsToldOnce() {
        Expr x = file("x", 1000, 8);
        Expr y = file("y", 1000, 8);
        Plan plan = plan(apply("mul", apply("sub", x, mean(x, 0)), mean(y, 0)));
        assertThat(tree(plan)).containsOnlyOnce("1. mean(x, dim=(0)), mean(y, dim=(0))");
        assertThat(tree(plan)).contains("   ├─ mean(x, dim=(0)) (result of step 1)", "   │  1. mean(x");
    }

    @Test
    void whatWasMeasuredStandsBesideWhatWasEstimated() {
        Expr x = file("x", 512, 3, 224, 224);
        Plan plan = plan(apply("sub", x, mean(x, 0)));
        assertThat(Explanation.of(plan, Detail.PLAN, Optional.of(RUN)))
                .contains("\nbroadcast 588.0 KiB to each executor (sent 1.8 KiB) · shuffle 0 B (wrote 0 B)"
                        + " · 2 jobs (ran 2) · 2 stages (ran 2) · 32 tasks (ran 32, lost 1)"
                        + " · peak memory of a task about 37.3 MiB (measured 37.0 MiB)"
                        + " · 2 kernels (compiled 2) · device cpu\n"
                        + "took 2 min 5 s, its tasks 3.1 s together"
                        + " · read 588.0 MiB of files and 0 B of cached chunks, 0 B of them from other executors"
                        + " · spilled 3.0 MiB\n");
    }

    /** A task has 32 rows of 588 KiB and seven vectors of 3 * 224 * 224 doubles: one for each level of their tree and two more. */
    @Test
    void aReportIsATable() {
        Plan plan = plan(mean(file("x", 512, 3, 224, 224), 0));
        assertThat(new RunReport("broadloom: collect mean(x)", plan, RUN)
                        .toString()
                        .lines())
                .startsWith(
                        "broadloom: collect mean(x)",
                        "                           estimated     measured",
                        "jobs                               1            2")
                .contains(
                        "kernels compiled                   1            2",
                        "peak memory of a task       26.4 MiB     37.0 MiB",
                        "tasks lost                                      1",
                        "files read                              588.0 MiB")
                .endsWith("time                                    2 min 5 s");
    }

    @Test
    void timesAreRoundedAsAPersonWould() {
        assertThat(Figures.time(Duration.ofMillis(999))).isEqualTo("999 ms");
        assertThat(Figures.time(Duration.ofMillis(1049))).isEqualTo("1.0 s");
        assertThat(Figures.time(Duration.ofMinutes(61).plusSeconds(7))).isEqualTo("61 min 7 s");
    }
}
