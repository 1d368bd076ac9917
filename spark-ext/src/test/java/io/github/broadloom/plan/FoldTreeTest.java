package io.github.broadloom.plan;

import static io.github.broadloom.plan.Plans.SETTINGS;
import static io.github.broadloom.plan.Plans.file;
import static io.github.broadloom.plan.Plans.input;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Products;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Source.Residence;
import org.junit.jupiter.api.Test;

/** Partial results come to the driver where they are few, and are joined by tasks where they are many or large, in one job. */
class FoldTreeTest {
    private static final long IMAGE = 3 * 224 * 224;

    private static Plan plan(Settings settings, Expr expr) {
        return new Planner(settings).plan(expr, Want.VALUE);
    }

    private static Plan sumOfRows(Settings settings, Expr operand) {
        return plan(settings, Expr.reduce(Reduction.SUM, operand, KeepDim.DROP, 0));
    }

    private static FoldTree tree(Plan plan) {
        return plan.last().foldTree(plan.settings());
    }

    @Test
    void fewPartialResultsComeStraightToTheDriver() {
        Plan plan = sumOfRows(SETTINGS, file("x", 512, 3, 224, 224));
        FoldTree tree = tree(plan);
        assertThat(tree.groups()).isEmpty();
        assertThat(tree.driverBytes()).isEqualTo(16 * IMAGE * Double.BYTES); // 32 rows make a chunk
        assertThat(plan.sparkStages()).isEqualTo(1);
        assertThat(plan.shuffleBytes()).isZero();
    }

    /** 27 partial results of 1.2 MB come to 32 MiB: a task joins the power of two below. */
    @Test
    void manyAreJoinedUntilFewAreLeft() {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofRows(50_000, 32), 50_000, 3, 224, 224);
        Plan plan = sumOfRows(SETTINGS, x);
        FoldTree tree = tree(plan);
        assertThat(tree.fanIn()).isEqualTo(16);
        assertThat(tree.levels()).extracting(RowGrid::chunks).containsExactly(1563, 98, 7);
        // the last groups have 336 rows, 256 + 64 + 16, and 848 of 8192, 512 + 256 + 64 + 16
        assertThat(tree.driverBytes()).isEqualTo((6 + 4) * IMAGE * Double.BYTES);
        assertThat(plan.shuffleBytes()).isEqualTo((1563 + 97 + 3) * IMAGE * Double.BYTES);
        assertThat(plan.jobs()).isEqualTo(1);
        assertThat(plan.sparkStages()).isEqualTo(3);
        assertThat(plan.tasks()).isEqualTo(1563 + 98 + 7);
        assertThat(Explanation.summary(plan))
                .contains("of up to 32 rows, joined by 98 tasks, then by 7 tasks, folded on the driver in row order");
    }

    /** Of files, which are read in any steps. */
    @Test
    void aTaskJoinsThoseOfItsOwnChunksAsLongAsItHasRoom() {
        Settings settings = SETTINGS.withSlots(8);
        Expr x = file("x", 50_000, 3, 224, 224);
        Plan plan = sumOfRows(settings, x);
        assertThat(plan.last().grid().chunks()).isEqualTo(1563);
        FoldTree tree = tree(plan);
        assertThat(tree.levels()).extracting(RowGrid::chunks).containsExactly(16, 2);
        assertThat(plan.tasks()).isEqualTo(16 + 2);
        assertThat(plan.shuffleBytes()).isLessThan(100 * IMAGE * Double.BYTES); // of 1563
        assertThat(Explanation.summary(plan))
                .contains("partial results of 16 chunks of up to ", ", in steps of up to 32 rows, joined by 2 tasks");
        long least = sumOfRows(settings, file("x", 32, 3, 224, 224)).peakBytes();
        assertThat(tree(sumOfRows(settings.withTaskBytes(least + least / 8), x)).levels())
                .first()
                .extracting(RowGrid::chunks)
                .isEqualTo(1563);
    }

    @Test
    void theDriverNeverGetsOneForEachOfVeryManyChunks() {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofRows(100_000, 1), 100_000);
        FoldTree tree = tree(sumOfRows(SETTINGS, x));
        assertThat(tree.levels()).extracting(RowGrid::chunks).containsExactly(100_000, 25);
    }

    @Test
    void aDriverWithLittleRoomGetsOneInTheEnd() {
        FoldTree tree = tree(sumOfRows(SETTINGS.withDriverBytes(1), file("x", 512, 3, 224, 224)));
        assertThat(tree.driver()).isEqualTo(RowGrid.whole(512));
        assertThat(tree.driverBytes()).isEqualTo(IMAGE * Double.BYTES);
    }

    @Test
    void aTaskJoinsNoMoreThanItHasRoomFor() {
        Settings settings = SETTINGS.withDriverBytes(1).withTaskBytes(128 * Plans.MIB);
        Plan plan = sumOfRows(settings, file("x", 4096, 1_000_000));
        assertThat(tree(plan).fanIn()).isEqualTo(4); // 4 of 8 MB
        assertThat(plan.peakBytes()).isLessThanOrEqualTo(128 * Plans.MIB);
    }

    @Test
    void productsOfRowsAreJoinedAsSumsAre() {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofRows(1 << 20, 256), 1 << 20, 1000);
        Plan plan = plan(SETTINGS, Products.matmul(ViewOps.permute(x, 1, 0), x));
        assertThat(plan.last().kind()).isEqualTo(Stage.Kind.FOLD);
        assertThat(tree(plan).nodeBytes()).isEqualTo(4_000_000);
        assertThat(tree(plan).levels()).extracting(RowGrid::chunks).containsExactly(4096, 512, 64, 8);
        assertThat(plan.jobs()).isEqualTo(1);
    }
}
