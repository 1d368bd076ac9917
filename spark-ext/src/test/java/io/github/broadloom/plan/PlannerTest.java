package io.github.broadloom.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.LineOp;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Op;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.shape.Shape;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerTest {
    private static final long MIB = 1 << 20;
    private static final Settings SETTINGS = Settings.defaults().withChunkBytes(16 * MIB);

    private record Fake(
            String name, Residence residence, @Nullable RowGrid grid, DType dtype, Shape shape) implements Source {
        @Override
        public String origin() {
            return "fake";
        }
    }

    private static Expr input(String name, Residence residence, @Nullable RowGrid grid, long... shape) {
        Fake source = new Fake(name, residence, grid, DType.FLOAT32, Shape.of(shape));
        return Input.of(source, source.dtype(), source.shape());
    }

    private static Expr file(String name, long... shape) {
        return input(name, Residence.FILE, null, shape);
    }

    private static Expr local(String name, long... shape) {
        return input(name, Residence.DRIVER, null, shape);
    }

    private static Expr apply(String op, Expr... args) {
        return Expr.apply(Op.of(op), args);
    }

    private static Expr mean(Expr operand, int... dims) {
        return Expr.reduce(Reduction.MEAN, operand, dims, false);
    }

    private static Plan plan(Expr expr) {
        return new Planner(SETTINGS).plan(expr, Want.VALUE);
    }

    private static Operand operand(Stage stage, String name) {
        return stage.operands().stream()
                .filter(o -> o.source().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void normalisationReadsTheFileInRangesAndReplicatesTheSmallOperands() {
        Expr x = file("x", 512, 3, 224, 224);
        Plan plan = plan(apply("div", apply("sub", x, local("m", 3, 1, 1)), local("s", 3, 1, 1)));
        assertThat(plan.stages()).hasSize(1);
        Stage stage = plan.last();
        assertThat(stage.grid().chunks()).isEqualTo(16);
        assertThat(operand(stage, "x").strategy()).isEqualTo(Strategy.ALIGN);
        assertThat(operand(stage, "x").transport()).isEqualTo(Transport.FILE);
        assertThat(operand(stage, "m").strategy()).isEqualTo(Strategy.REPLICATE);
        assertThat(operand(stage, "m").reason()).contains("rank 3 below 4");
        assertThat(plan.broadcastBytes()).isEqualTo(24);
        assertThat(plan.jobs()).isEqualTo(1);
        assertThat(plan.tasks()).isEqualTo(16);
        assertThat(plan.peakBytes()).isEqualTo(2L * 32 * 3 * 224 * 224 * 4 + 24);
    }

    @Test
    void chunksAreCutByTheWidestRowAmongOperandsAndResult() {
        Expr azimuths = local("a", 64, 1, 1);
        Expr slope = local("p", 1024, 1024);
        Stage stage = plan(apply("mul", azimuths, slope)).last();
        assertThat(stage.grid().mostRows()).isEqualTo(4);
        assertThat(operand(stage, "a").strategy()).isEqualTo(Strategy.ALIGN);
        assertThat(operand(stage, "p").strategy()).isEqualTo(Strategy.REPLICATE);
    }

    @Test
    void aLeadingSizeOfOneIsReplicatedAndAlignedWhereTheResultHasOneRowToo() {
        Stage wide = plan(apply("add", file("x", 5, 2), local("one", 1, 2))).last();
        assertThat(operand(wide, "one").reason()).contains("leading size 1 against 5");
        Stage narrow = plan(apply("add", file("x", 1, 2), local("one", 1, 2))).last();
        assertThat(operand(narrow, "one").strategy()).isEqualTo(Strategy.ALIGN);
    }

    @Test
    void storedCutsAreKeptAndTheOthersFollowThem() {
        RowGrid three = RowGrid.ofChunks(100, 3);
        RowGrid seven = RowGrid.ofChunks(100, 7);
        Expr big = input("big", Residence.CLUSTER, three, 100, 50);
        Expr small = input("small", Residence.CLUSTER, seven, 100, 1);
        Stage stage =
                plan(apply("add", small, apply("add", big, file("f", 100, 50)))).last();
        assertThat(stage.grid()).isEqualTo(three);
        assertThat(operand(stage, "big").reason()).contains("same cuts");
        assertThat(operand(stage, "small").reason()).contains("cut differently (7 chunks");
    }

    @Test
    void foldsOverRowsComeFirstAndTheirResultIsReplicated() {
        Expr x = file("x", 1000, 8);
        Plan plan = plan(apply("sub", x, mean(x, 0)));
        assertThat(plan.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.FOLD, Stage.Kind.CHUNKS);
        assertThat(operand(plan.last(), "mean(x, dim=(0))").source()).isInstanceOf(StageResult.class);
        assertThat(plan.jobs()).isEqualTo(2);
    }

    @Test
    void foldsOfFoldsAndOfDifferentLengthsAreStagesOfTheirOwn() {
        Expr x = file("x", 1000, 8);
        Expr y = file("y", 500, 8);
        Plan plan = plan(mean(apply("mul", mean(x, 0), mean(y, 0)), 0));
        assertThat(plan.stages())
                .extracting(Stage::kind)
                .containsExactly(Stage.Kind.FOLD, Stage.Kind.FOLD, Stage.Kind.DRIVER);
        assertThat(plan.last().outputs().get(0).shape()).isEqualTo(Shape.SCALAR);
    }

    @Test
    void reductionsOverInnerDimensionsStayInTheChunks() {
        Plan plan = plan(mean(file("x", 1000, 8, 8), 1, 2));
        assertThat(plan.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.CHUNKS);
    }

    @Test
    void linesThroughTheRowsAreOneTaskAndInnerLinesStayInTheChunks() {
        Expr x = file("x", 4096, 1024);
        Plan through = plan(apply("mul", Lines.cumsum(apply("exp", x), 0), x));
        assertThat(through.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.WHOLE, Stage.Kind.CHUNKS);
        assertThat(through.stages().get(0).grid().chunks()).isEqualTo(1);
        assertThat(through.stages().get(0).peakBytes()).isEqualTo(3 * 16 * MIB); // what is read, its exp, the sums
        assertThat(operand(through.last(), "cumsum(exp(x), dim=(0))").strategy())
                .isEqualTo(Strategy.ALIGN);
        assertThat(through.jobs()).isEqualTo(2);

        Plan inner = plan(Lines.median(LineOp.Kind.MEDIAN, x, 1, KeepDim.DROP).values());
        assertThat(inner.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.CHUNKS);
        assertThat(operand(inner.last(), "x").strategy()).isEqualTo(Strategy.ALIGN);
    }

    @Test
    void linesThroughMoreRowsThanATaskHoldsAreRefused() {
        Expr x = file("x", 16384, 1024);
        Settings tight = SETTINGS.withTaskBytes(40 * MIB);
        assertThatThrownBy(() -> new Planner(tight).plan(Lines.cumsum(x, 0), Want.VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot compute cumsum(x, dim=(0)): its lines run through all rows, so one task would hold"
                        + " 128.0 MiB and has 40.0 MiB; go along an inner dimension, or give each task more memory");
        assertThat(new Planner(tight).plan(Lines.cumsum(x, 1), Want.VALUE).jobs())
                .isEqualTo(1);
    }

    @Test
    void quantilesAndPlacesAreExplainedAsTheyAreWritten() {
        Expr x = file("x", 4096, 1024);
        Expr quantile =
                Lines.quantile(LineOp.Kind.QUANTILE, x, 0.25, OptionalInt.of(0), KeepDim.DROP, Interpolation.LINEAR);
        assertThat(Explanation.of(plan(quantile), Detail.PLAN))
                .startsWith("1. quantile(x, 0.25, dim=(0))\n   float32 [1024], 4.0 KiB: by one task with all rows,"
                        + " because its lines run through them; brought to the driver\n")
                .contains("1 job · 1 stage · 1 task", "0 kernels");
        assertThat(ExprText.of(Lines.cummax(x, 1).indices())).isEqualTo("cummax(x, dim=(1)).indices");
    }

    @Test
    void theLineOfAnExpressionStaysShortHoweverOftenItGoesOnFromItself() {
        Expr x = file("x", 4096, 16);
        for (int i = 0; i < 40; i++) {
            x = apply("div", x, Expr.reduce(Reduction.SUM, x, new int[] {0, 1}, false));
        }
        assertThat(plan(x).jobs()).isEqualTo(41);
        assertThat(Explanation.of(plan(x), Detail.PLAN).lines()).allMatch(line -> line.length() < 1000);
    }

    @Test
    void aScalarOfLocalTensorsNeedsNoJobUnlessTheDeviceIsElsewhere() {
        Expr sum = apply("add", local("a"), local("b"));
        assertThat(plan(sum).jobs()).isZero();
        Planner gpu = new Planner(SETTINGS.withDevice("cuda"));
        assertThat(gpu.plan(sum, Want.VALUE).jobs()).isEqualTo(1);
        assertThat(new Planner(SETTINGS).plan(sum, Want.CHUNKS).last().kind()).isEqualTo(Stage.Kind.CHUNKS);
    }

    @Test
    void largeLocalOperandsTravelChunkByChunk() {
        Stage stage = plan(apply("add", file("x", 4096, 4096), local("y", 4096, 4096)))
                .last();
        assertThat(operand(stage, "y").transport()).isEqualTo(Transport.CHUNK_BROADCAST);
        assertThat(stage.broadcastBytes()).isEqualTo(64 * MIB);
    }

    @Test
    void largeTensorsThatExpandEachOtherAreRefused() {
        Expr a = file("a", 4_000_000, 1, 64);
        Expr b = file("b", 1, 3_000_000, 64);
        assertThatThrownBy(() -> plan(Expr.reduce(Reduction.SUM, apply("sub", a, b), new int[] {2}, false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Cannot broadcast b [1, 3000000, 64] (732.4 MiB) against a [4000000, 1, 64] (976.6 MiB): both"
                                + " are large and expand each other, and at most 512.0 MiB are copied to every executor; reduce or"
                                + " slice one of them first, or raise the limit with withReplicateBytes");
    }

    @Test
    void aTaskThatCannotFitItsMemoryIsRefused() {
        Planner planner = new Planner(SETTINGS.withTaskBytes(10 * MIB));
        assertThatThrownBy(() -> planner.plan(apply("neg", file("x", 1000, 1 << 20)), Want.VALUE))
                .hasMessageContaining("a task would hold 32.0 MiB and has 10.0 MiB")
                .hasMessageContaining("smaller");
        assertThatThrownBy(() -> planner.plan(apply("neg", file("x", 2, 1 << 23)), Want.VALUE))
                .hasMessageContaining("its smallest chunk is one row");
    }

    /** A row of the product has 80,000 bytes, of which an eighth counts: 1,678 rows would be 16 MiB, and 2,048 is the nearest power of two. */
    @Test
    void workThatIsNeverStoredIsSharedAmongTasks() {
        Expr product = apply("mul", local("a", 20_000, 1), local("b", 1, 20_000));
        Expr most = Expr.reduce(Reduction.AMAX, product, new int[] {1}, false);
        Stage stage = new Planner(SETTINGS).plan(most, Want.CHUNKS).last();
        assertThat(stage.grid().mostRows()).isEqualTo(2_048);
        assertThat(stage.grid().chunks()).isEqualTo(10);
    }

    /** The ten chunks of the test above: where tasks run two at a time, six of one size keep both busy; four at a time take twelve. */
    @ParameterizedTest
    @CsvSource({"2, 6, 3334", "4, 12, 1667", "10, 10, 2048", "400, 10, 2048"})
    void workIsSharedEvenlyAmongTheTasksThatRunAtATime(int slots, int chunks, long mostRows) {
        Expr product = apply("mul", local("a", 20_000, 1), local("b", 1, 20_000));
        Expr most = Expr.reduce(Reduction.AMAX, product, new int[] {1}, false);
        Stage stage =
                new Planner(SETTINGS.withSlots(slots)).plan(most, Want.CHUNKS).last();
        assertThat(stage.grid().chunks()).isEqualTo(chunks);
        assertThat(stage.grid().mostRows()).isEqualTo(mostRows);
    }

    /** Rows of 1 MiB: two chunks for each slot, none below 8 MiB or above 64; 32 MiB where the slots are not known. */
    @ParameterizedTest
    @CsvSource({"64, 2, 16", "64, 1, 32", "1024, 2, 64", "16, 4, 8", "1024, 64, 8", "1024, 2147483647, 32"})
    void aTensorIsCutForTheTasksThatRunAtATime(long rows, int slots, long rowsPerChunk) {
        Settings settings = Settings.defaults().withSlots(slots);
        Stage stage = new Planner(settings)
                .plan(file("x", rows, 1 << 18), Want.CHUNKS)
                .last();
        assertThat(stage.grid()).isEqualTo(RowGrid.ofRows(rows, rowsPerChunk));
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

    /** 4e13 bytes in chunks of 16 MiB. */
    @Test
    void moreTasksThanSparksDriverCanKeepAreRefused() {
        Expr x = file("x", 10_000_000_000_000L);
        assertThatThrownBy(() -> plan(mean(x, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot compute mean(x): it takes 2384186 tasks, and a job has at most 1000000;"
                        + " make the chunks larger with withChunkBytes, or reduce before expanding");
        Planner larger = new Planner(SETTINGS.withChunkBytes(256 * MIB));
        assertThat(larger.plan(mean(x, 0), Want.VALUE).tasks()).isEqualTo(149_012);
    }

    @Test
    void theExplanationGivesStrategiesReasonsAndSums() {
        Expr x = file("x", 512, 3, 224, 224);
        String text = Explanation.of(plan(apply("sub", x, mean(x, 0, 1, 2))), Detail.SOURCE);
        assertThat(text)
                .contains("1. mean(x, dim=(0, 1, 2))")
                .contains("folded on the driver in row order")
                .contains("align: leading size 512 is the result's, each task reads its byte range")
                .contains("replicate: rank 1 below 4")
                .contains("2 jobs · 2 stages · 32 tasks")
                .contains("   mean(…, dim=[0, 1, 2]) of float32[32, 3, 224, 224]: loops CONTIGUOUS")
                .contains("   pointwise float32[32, 3, 224, 224]: loops INNER")
                .containsPattern("public final class \\w+ implements \\w*Kernel \\{")
                .contains("device cpu\nkernel cache: ");
    }
}
