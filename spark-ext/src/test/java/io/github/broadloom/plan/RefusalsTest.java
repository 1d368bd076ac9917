package io.github.broadloom.plan;

import static io.github.broadloom.plan.Plans.MIB;
import static io.github.broadloom.plan.Plans.SETTINGS;
import static io.github.broadloom.plan.Plans.apply;
import static io.github.broadloom.plan.Plans.file;
import static io.github.broadloom.plan.Plans.input;
import static io.github.broadloom.plan.Plans.local;
import static io.github.broadloom.plan.Plans.mean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Source.Residence;
import org.junit.jupiter.api.Test;

/** Every text with which a plan is refused, and that its advice helps. */
class RefusalsTest {
    private static final String MORE_MEMORY =
            "give each task more memory: fewer cores, or more memory, for each executor";

    private static void assertRefused(Expr expr, Settings settings, String message) {
        assertThatThrownBy(() -> new Planner(settings).plan(expr, Want.VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static void assertPlanned(Expr expr, Settings settings) {
        assertThat(new Planner(settings).plan(expr, Want.VALUE).peakBytes()).isLessThanOrEqualTo(settings.taskBytes());
    }

    private static Expr median(Expr operand, int dim) {
        return Lines.median(LineOp.Kind.MEDIAN, operand, KeepDim.DROP, dim).values();
    }

    /** To copy the second one would not help: there would be four million tasks. */
    @Test
    void twoLargeTensorsThatExpandEachOtherWhereBlocksDoNotDo() {
        Expr a = file("a", 4_000_000, 1, 64);
        Expr b = file("b", 1, 3_000_000, 64);
        Expr middle = median(apply("sub", a, b), 1);
        assertRefused(
                middle,
                SETTINGS.withReplicateBytes(MIB),
                "Cannot broadcast b [1, 3000000, 64] (732.4 MiB) against a [4000000, 1, 64] (976.6 MiB) in median((a - b),"
                        + " dim=(1)): both are large and expand each other, and at most 1.0 MiB are copied to every"
                        + " executor; reduce or slice one of them first");
        assertPlanned(
                median(apply("sub", a, Expr.rearrange(b, new ViewOp.Crop(1, 0, 1000, 1))), 1),
                SETTINGS.withReplicateBytes(MIB));
    }

    /** The second one lies inside the first: it is not expanded, only lines of the result need all of it. */
    @Test
    void aLargeOperandThatEveryTaskNeeds() {
        Expr x = file("x", 1000, 500_000);
        Expr w = file("w", 500_000);
        Expr middle = median(apply("mul", x, w), 1);
        assertRefused(
                middle,
                SETTINGS.withReplicateBytes(MIB),
                "Cannot copy w [500000] (1.9 MiB) to every executor for median((x * w), dim=(1)): each task needs all of it, and"
                        + " at most 1.0 MiB are copied to every executor; raise the limit with withReplicateBytes(2000000), or"
                        + " reduce or slice it first");
        assertPlanned(middle, SETTINGS.withReplicateBytes(2_000_000));
    }

    @Test
    void partOfALargeOperandThatEveryTaskNeeds() {
        Expr x = file("x", 1000, 500_000);
        Expr part = Expr.rearrange(file("w", 1_000_000), new ViewOp.Crop(0, 0, 500_000, 1));
        assertRefused(
                median(apply("mul", x, part), 1),
                SETTINGS.withReplicateBytes(MIB),
                "Cannot copy w [1000000] (3.8 MiB) to every executor for median((x * w.slice[0:500000, dim=0]), dim=(1)): each task needs"
                        + " 1.9 MiB of it, and at most 1.0 MiB are copied to every executor; raise the limit with"
                        + " withReplicateBytes(2000000), or reduce or slice it first");
    }

    /** The limit is not all that is in the way, so raising it is no advice. */
    @Test
    void whatDoesNotHelpIsNotSaid() {
        Expr middle = median(apply("mul", file("x", 1000, 500_000), file("w", 500_000)), 1);
        assertThatThrownBy(
                        () -> new Planner(SETTINGS.withReplicateBytes(MIB).withTaskBytes(MIB)).plan(middle, Want.VALUE))
                .hasMessageEndingWith("are copied to every executor; reduce or slice it first");
    }

    @Test
    void aTaskWhoseChunksAreTooLarge() {
        Expr x = file("x", 1000, 1 << 20);
        Settings tight = SETTINGS.withTaskBytes(10 * MIB);
        assertRefused(
                apply("neg", x),
                tight,
                "Cannot compute neg(x): a task would hold 32.0 MiB, 16.0 MiB of them of x [1000, 1048576] (3.9 GiB), and has"
                        + " 10.0 MiB; make the chunks smaller with withChunkBytes(4194304) (--chunk-bytes 4194304), or "
                        + MORE_MEMORY);
        assertPlanned(apply("neg", x), tight.withChunkBytes(4 * MIB));
        assertPlanned(apply("neg", x), tight.withTaskBytes(32 * MIB));
    }

    @Test
    void aTaskWhoseSmallestChunkIsTooLarge() {
        assertRefused(
                apply("neg", file("x", 2, 1 << 23)),
                SETTINGS.withTaskBytes(10 * MIB),
                "Cannot compute neg(x): a task would hold 64.0 MiB, 32.0 MiB of them of x [2, 8388608] (64.0 MiB), and has"
                        + " 10.0 MiB; " + MORE_MEMORY);
    }

    @Test
    void aTaskThatHoldsWhatTravelsWhole() {
        Expr a = Expr.rearrange(file("a", 4_000, 640), new ViewOp.Unsqueeze(1));
        Expr b = Expr.rearrange(local("b", 40_000, 640), new ViewOp.Unsqueeze(0));
        Expr pairs = Expr.reduce(Reduction.SUM, apply("sub", a, b), KeepDim.DROP, 2);
        Settings tight = SETTINGS.withTaskBytes(80 * MIB);
        assertThatThrownBy(() -> new Planner(tight).plan(pairs, Want.VALUE))
                .hasMessageContaining("97.7 MiB of them of b [40000, 640] (97.7 MiB), and has 80.0 MiB;"
                        + " copy less to every executor with withReplicateBytes(102399999), or " + MORE_MEMORY);
        assertPlanned(pairs, tight.withReplicateBytes(102_399_999));
    }

    /** 64 MiB, and one line of floats and of doubles, 192 KiB. */
    @Test
    void linesThroughMoreRowsThanATaskHolds() {
        Expr x = file("x", 16384, 1024);
        Settings tight = SETTINGS.withTaskBytes(50 * MIB);
        Expr place = Lines.median(LineOp.Kind.MEDIAN, file("line", 1 << 24), KeepDim.DROP, 0)
                .indices();
        assertThatThrownBy(() -> new Planner(tight).plan(place, Want.VALUE))
                .hasMessageStartingWith(
                        "Cannot compute median(line).indices: its lines run through all rows, so one task would hold ")
                .hasMessageContaining(" 64.0 MiB of them of line [16777216] (64.0 MiB), and has 50.0 MiB; ")
                .hasMessageEndingWith(MORE_MEMORY);
        assertPlanned(Lines.median(LineOp.Kind.MEDIAN, x), tight);
        assertPlanned(median(x, 0), tight);
        assertPlanned(median(ViewOps.t(x), 1), tight);
        assertPlanned(Lines.cumsum(x, 0), tight);
        assertPlanned(Lines.sort(x, Order.ASCENDING, 0).values(), tight);
        assertPlanned(Lines.topk(x, 5, Order.DESCENDING, 0).values(), tight);
    }

    /** Few tasks would read both chunks of the operand whole; many get their part by a shuffle. */
    @Test
    void linesThatAreInnerOnesInSmallerChunksAlone() {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofRows(16384, 8192), 16384, 1024);
        Settings tight = SETTINGS.withTaskBytes(50 * MIB);
        assertPlanned(median(x, 0), tight.withChunkBytes(8 * MIB));
        assertPlanned(median(ViewOps.t(x), 1), tight.withChunkBytes(8 * MIB));
    }

    /** The chunks of the scan take three times as much to make as to read. */
    @Test
    void chunksThatAreMadeOnTheWayToATask() {
        Expr sums = Lines.cumsum(apply("exp", file("x", 16384, 1024)), 0);
        Expr other = file("y", 16384, 1024);
        Expr late = apply("mul", apply("add", other, file("z", 16384, 1024)), sums);
        Settings tight = SETTINGS.withTaskBytes(70 * MIB);
        assertRefused(
                late,
                tight,
                "Cannot compute (y + z) * cumsum(exp(x), dim=(0)): a task would hold 80.0 MiB, 16.0 MiB of them of y [16384,"
                        + " 1024] (64.0 MiB), and has 70.0 MiB; make the chunks smaller with withChunkBytes(8388608)"
                        + " (--chunk-bytes 8388608), compute cumsum(exp(x), dim=(0)) before, with"
                        + " cache(StorageLevel.DISK_ONLY()) and materialize(), or " + MORE_MEMORY);
        assertPlanned(sums, tight);
        Expr kept = input("kept", Residence.CLUSTER, RowGrid.ofRows(16384, 4096), 16384, 1024);
        assertPlanned(apply("mul", apply("add", other, file("z", 16384, 1024)), kept), tight);
    }

    /** 4e13 bytes in chunks of 16 MiB. */
    @Test
    void moreTasksThanSparksDriverCanKeep() {
        Expr x = file("x", 10_000_000_000_000L);
        assertRefused(
                mean(x, 0),
                SETTINGS,
                "Cannot compute mean(x): it takes 2384186 tasks, and a job has at most 1000000;"
                        + " make the chunks larger with withChunkBytes(67108864) (--chunk-bytes 67108864), or reduce before"
                        + " expanding");
        assertThat(new Planner(SETTINGS.withChunkBytes(64 * MIB))
                        .plan(mean(x, 0), Want.VALUE)
                        .tasks())
                .isEqualTo(596_047 + 146); // which join 4096 numbers
    }

    @Test
    void moreChunksThanCanBePlannedFor() {
        assertRefused(
                mean(file("x", 100_000_000_000_000_000L), 0),
                SETTINGS,
                "Cannot cut 100000000000000000 rows into 23841857911 chunks: at most 10000000 are planned for; make the chunks"
                        + " larger with withChunkBytes(549755813888) (--chunk-bytes 549755813888), or reduce before expanding");
    }
}
