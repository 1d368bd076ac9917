package io.github.broadloom.plan;

import static io.github.broadloom.plan.Plans.SETTINGS;
import static io.github.broadloom.plan.Plans.apply;
import static io.github.broadloom.plan.Plans.file;
import static io.github.broadloom.plan.Plans.input;
import static io.github.broadloom.plan.Plans.local;
import static io.github.broadloom.plan.Plans.operand;
import static io.github.broadloom.plan.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Source.Residence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the planner cuts. */
class RowCutsTest {
    @Test
    void chunksAreCutByTheWidestRowAmongOperandsAndResult() {
        Expr azimuths = local("a", 64, 1, 1);
        Expr slope = local("p", 1024, 1024);
        Stage stage = plan(apply("mul", azimuths, slope)).last();
        assertThat(stage.grid().along(0).mostRows()).isEqualTo(4);
        assertThat(operand(stage, "a").strategy()).isEqualTo(Strategy.ALIGN);
        assertThat(operand(stage, "p").strategy()).isEqualTo(Strategy.REPLICATE);
    }

    @Test
    void storedCutsAreKeptAndTheOthersFollowThem() {
        RowGrid three = RowGrid.ofChunks(100, 3);
        RowGrid seven = RowGrid.ofChunks(100, 7);
        Expr big = input("big", Residence.CLUSTER, three, 100, 50);
        Expr small = input("small", Residence.CLUSTER, seven, 100, 1);
        Stage stage =
                plan(apply("add", small, apply("add", big, file("f", 100, 50)))).last();
        assertThat(stage.grid().along(0)).isEqualTo(three);
        assertThat(operand(stage, "big").reason()).contains("same cuts");
        assertThat(operand(stage, "small").reason()).contains("cut differently (7 chunks");
    }

    /** A row of the product has 80,000 bytes, of which an eighth counts: 1,678 rows would be 16 MiB, and 2,048 is the nearest power of two. */
    @Test
    void workThatIsNeverStoredIsSharedAmongTasks() {
        Expr product = apply("mul", local("a", 20_000, 1), local("b", 1, 20_000));
        Expr most = Expr.reduce(Reduction.AMAX, product, KeepDim.DROP, 1);
        Stage stage = new Planner(SETTINGS).plan(most, Want.CHUNKS).last();
        assertThat(stage.grid().along(0).mostRows()).isEqualTo(2_048);
        assertThat(stage.grid().chunks()).isEqualTo(10);
    }

    /** The ten chunks of the test above: where tasks run two at a time, four of one size keep both busy; four at a time take eight. */
    @ParameterizedTest
    @CsvSource({"2, 4, 5000", "4, 8, 2500", "10, 10, 2048", "400, 10, 2048"})
    void workIsSharedEvenlyAmongTheTasksThatRunAtATime(int slots, int chunks, long mostRows) {
        Expr product = apply("mul", local("a", 20_000, 1), local("b", 1, 20_000));
        Expr most = Expr.reduce(Reduction.AMAX, product, KeepDim.DROP, 1);
        Stage stage =
                new Planner(SETTINGS.withSlots(slots)).plan(most, Want.CHUNKS).last();
        assertThat(stage.grid().chunks()).isEqualTo(chunks);
        assertThat(stage.grid().along(0).mostRows()).isEqualTo(mostRows);
    }

    /** Rows of 1 MiB: two chunks for each slot, none below 8 MiB or above 64; 32 MiB where the slots are not known. */
    @ParameterizedTest
    @CsvSource({"64, 2, 16", "64, 1, 32", "1024, 2, 64", "16, 4, 8", "1024, 64, 8", "1024, 2147483647, 32"})
    void aTensorIsCutForTheTasksThatRunAtATime(long rows, int slots, long rowsPerChunk) {
        Settings settings = Settings.defaults().withSlots(slots);
        Stage stage = new Planner(settings)
                .plan(file("x", rows, 1 << 18), Want.CHUNKS)
                .last();
        assertThat(stage.grid().along(0)).isEqualTo(RowGrid.ofRows(rows, rowsPerChunk));
    }

    @Test
    void chunksOfAChosenSizeStayThatSizeForAnyNumberOfSlots() {
        Expr x = file("x", 512, 3, 224, 224);
        Stage stage = new Planner(SETTINGS.withSlots(2)).plan(x, Want.CHUNKS).last();
        assertThat(stage.grid()).isEqualTo(plan(x).last().grid());
    }

    @Test
    void noSlotsAreRefused() {
        assertThatThrownBy(() -> SETTINGS.withSlots(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot plan for 0 tasks at a time: give at least 1");
    }
}
