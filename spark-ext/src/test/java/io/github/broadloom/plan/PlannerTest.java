package io.github.broadloom.plan;

import static io.github.broadloom.plan.Plans.MIB;
import static io.github.broadloom.plan.Plans.SETTINGS;
import static io.github.broadloom.plan.Plans.apply;
import static io.github.broadloom.plan.Plans.blocks;
import static io.github.broadloom.plan.Plans.file;
import static io.github.broadloom.plan.Plans.input;
import static io.github.broadloom.plan.Plans.local;
import static io.github.broadloom.plan.Plans.mean;
import static io.github.broadloom.plan.Plans.operand;
import static io.github.broadloom.plan.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.Products;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PlannerTest {
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
    void aLeadingSizeOfOneIsReplicatedAndAlignedWhereTheResultHasOneRowToo() {
        Stage wide = plan(apply("add", file("x", 5, 2), local("one", 1, 2))).last();
        assertThat(operand(wide, "one").reason()).contains("leading size 1 against 5");
        Stage narrow = plan(apply("add", file("x", 1, 2), local("one", 1, 2))).last();
        assertThat(operand(narrow, "one").strategy()).isEqualTo(Strategy.ALIGN);
    }

    @Test
    void foldsOverRowsComeFirstAndTheirResultIsReplicated() {
        Expr x = file("x", 1000, 8);
        Plan plan = plan(apply("sub", x, mean(x, 0)));
        assertThat(plan.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.FOLD, Stage.Kind.CHUNKS);
        assertThat(operand(plan.last(), "mean(x, dim=(0))").source()).isInstanceOf(StageOutput.Value.class);
        assertThat(plan.jobs()).isEqualTo(2);
    }

    /** What each chunk of rows would send of 4 MiB of float64; two that share the rows share the pass. */
    @Test
    void largeResultsOverTheRowsOfAFileAreComputedAcross() {
        Expr x = DryRunTensor.inFiles("x", DType.FLOAT32, Shape.of(744, 721, 1440))
                .input();
        Plan mean = plan(mean(x, 0));
        assertThat(mean.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.CHUNKS);
        assertThat(mean.shuffleBytes()).isZero();
        assertThat(mean.tasks()).isGreaterThan(16);
        Plan both = plan(apply("div", mean(x, 0), mean(apply("square", x), 0)));
        assertThat(both.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.FOLD, Stage.Kind.DRIVER);
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
    void scansThroughTheRowsStayInTheChunksAndReadTheirOperandsTwice() {
        Expr x = file("x", 16384, 1024);
        Plan through = plan(apply("mul", Lines.cumsum(apply("exp", x), 0), x));
        assertThat(through.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.SCAN, Stage.Kind.CHUNKS);
        Stage scan = through.stages().get(0);
        assertThat(scan.grid().chunks()).isEqualTo(4);
        assertThat(scan.peakBytes()).isEqualTo(3 * 16 * MIB); // what is read, its exp, the sums
        assertThat(operand(through.last(), "cumsum(exp(x), dim=(0))").strategy())
                .isEqualTo(Strategy.ALIGN);
        assertThat(through.jobs()).isEqualTo(2);
        assertThat(through.tasks()).isEqualTo(3 + 4); // the last chunk adds to none
    }

    @Test
    void linesThroughTheRowsAreCutAcrossAndInnerLinesStayInTheChunks() {
        Expr x = file("x", 16384, 1024);
        Plan through = plan(Lines.median(LineOp.Kind.MEDIAN, x, KeepDim.DROP, 0).values());
        assertThat(through.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.CHUNKS);
        assertThat(through.tasks()).isGreaterThanOrEqualTo(4);
        assertThat(through.shuffleBytes()).isZero();
        ValuesAndIndices<Expr> oneLine = Lines.median(LineOp.Kind.MEDIAN, file("line", 1 << 24), KeepDim.DROP, 0);
        Plan counted = plan(oneLine.values());
        assertThat(counted.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.SELECT);
        assertThat(counted.jobs()).isEqualTo(2); // of 16 bits each
        assertThat(counted.tasks()).isEqualTo(2 * 4);
        Plan whole = plan(oneLine.indices());
        assertThat(whole.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.WHOLE);
        assertThat(whole.tasks()).isEqualTo(1);

        Plan inner = plan(Lines.median(LineOp.Kind.MEDIAN, x, KeepDim.DROP, 1).values());
        assertThat(inner.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.CHUNKS);
        assertThat(operand(inner.last(), "x").strategy()).isEqualTo(Strategy.ALIGN);
    }

    @Test
    void theFirstValuesThroughTheRowsAreFolded() {
        Expr x = file("x", 16384, 1024);
        Plan some = plan(Lines.topk(x, 10, Order.ASCENDING, 0).indices());
        assertThat(some.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.FOLD);
        assertThat(some.tasks()).isEqualTo(4);
        assertThat(Explanation.of(some, Detail.PLAN))
                .startsWith(
                        "1. topk(x, 10, dim=(0), ascending).indices\n   int64 [10, 1024], 80.0 KiB: partial results of")
                .contains("0 kernels");

        Plan many = plan(Lines.topk(x, 16384, Order.DESCENDING, 0).values());
        assertThat(many.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.CHUNKS);
        assertThat(ExprText.of(Lines.kthvalue(x, 3, KeepDim.KEEP, 0).values()))
                .isEqualTo("kthvalue(x, 3, dim=(0), keepdim)");
        assertThat(ExprText.of(Lines.sort(x, Order.DESCENDING, 1).values())).isEqualTo("sort(x, dim=(1), descending)");
    }

    @Test
    void quantilesAndPlacesAreExplainedAsTheyAreWritten() {
        Expr x = file("x", 4096, 1024);
        Expr quantile = new Lines.Quantile(LineOp.Kind.QUANTILE, Interpolation.LINEAR, KeepDim.DROP, OptionalInt.of(0))
                .at(x, 0.25);
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
            x = apply("div", x, Expr.reduce(Reduction.SUM, x, KeepDim.DROP, 0, 1));
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

    /** A row of the one has as many bytes as one of the other, so blocks are square, and both are read as often. */
    @Test
    void largeTensorsThatExpandEachOtherMeetInBlocks() {
        Expr a = Expr.rearrange(file("a", 4_000_000, 64), new ViewOp.Unsqueeze(1));
        Expr b = Expr.rearrange(file("b", 3_000_000, 64), new ViewOp.Unsqueeze(0));
        Expr distances = Expr.reduce(Reduction.AMAX, apply("sub", a, b), KeepDim.DROP, 2);
        Settings settings = SETTINGS.withChunkBytes(256 * MIB);
        Stage stage = new Planner(settings).plan(distances, Want.CHUNKS).last();
        assertThat(stage.grid().cutDims()).isEqualTo(2);
        assertThat(stage.grid().along(0).mostRows())
                .isEqualTo(stage.grid().along(1).mostRows());
        assertThat(operand(stage, "a").strategy()).isEqualTo(Strategy.GRID);
        assertThat(operand(stage, "b").strategy()).isEqualTo(Strategy.GRID);
        assertThat(stage.broadcastBytes()).isZero();
        assertThat(operand(stage, "a").reason()).contains("leading size 4000000 is the result's", "times");
    }

    @Test
    void aProductOfMatricesIsCutAlongTheRowsOfTheLeftOne() {
        Expr x = file("x", 1_000_000, 64);
        Plan plan = plan(Products.matmul(x, file("y", 64, 30)));
        assertThat(plan.stages()).hasSize(1);
        Stage stage = plan.stages().get(0);
        assertThat(operand(stage, "x").strategy()).isEqualTo(Strategy.ALIGN);
        assertThat(operand(stage, "y").strategy()).isEqualTo(Strategy.REPLICATE);
        assertThat(stage.text()).isEqualTo("x @ y");
    }

    @Test
    void twoLargeMatricesMeetBlockByBlock() {
        Expr x = file("x", 1_000_000, 640);
        Stage stage = plan(Products.matmul(x, ViewOps.t(file("y", 3_000_000, 640))))
                .stages()
                .get(0);
        assertThat(operand(stage, "x").strategy()).isEqualTo(Strategy.GRID);
        assertThat(operand(stage, "y").strategy()).isEqualTo(Strategy.GRID);
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
                .contains("   mean(…, dim=[0, 1, 2]) of float32[32, 3, 224, 224]: loops [")
                .contains("   pointwise float32[32, 3, 224, 224]: loops [")
                .containsPattern("public final class \\w+ implements \\w*Kernel \\{")
                .contains("device cpu\nkernel cache: ");
    }

    /** Each of the parts has its own chunks, and none is cut by the other's. */
    @Test
    void concatenatedTensorsKeepTheCutsOfAllTheirParts() {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofChunks(100, 3), 100, 50);
        Expr y = input("y", Residence.CLUSTER, RowGrid.ofChunks(70, 2), 70, 50);
        Stage stage = plan(Expr.concat(List.of(x, y), 0)).last();
        assertThat(stage.grid().along(0)).isEqualTo(RowGrid.of(0, 34, 67, 100, 135, 170));
        assertThat(operand(stage, "y").strategy()).isEqualTo(Strategy.ALIGN);
    }

    @Test
    void whatLiesInBlocksStaysInThemUntilRowsAreWanted() {
        Shape shape = Shape.of(4096, 4096);
        ChunkGrid blocks = ChunkGrid.of(shape, RowGrid.ofChunks(4096, 4), RowGrid.ofChunks(4096, 2));
        Expr doubled = apply("mul", blocks("x", shape, blocks), local("two"));
        assertThat(plan(doubled).last().grid()).isEqualTo(blocks);
        Plan rows = new Planner(SETTINGS).plan(doubled, Want.ROWS);
        assertThat(rows.last().grid().cutsRowsAlone()).isTrue();
        assertThat(rows.last().grid().chunks()).isEqualTo(4);
    }

    @Test
    void flippedRowsKeepTheirChunks() {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofChunks(100, 3), 100, 50);
        Stage stage = plan(apply("neg", ViewOps.flip(x, 0))).last();
        assertThat(stage.grid().along(0)).isEqualTo(RowGrid.of(0, 33, 66, 100));
        assertThat(operand(stage, "x").strategy()).isEqualTo(Strategy.ALIGN);
    }

    /** Of the second factor each task needs some columns out of every chunk: they are brought together once, not for every block of rows again. */
    @Test
    void blocksThatManyTasksNeedAreBroughtTogetherBefore() {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofChunks(8192, 64), 8192, 4096);
        Expr w = input("w", Residence.CLUSTER, RowGrid.ofChunks(4096, 64), 4096, 8192);
        Settings settings = SETTINGS.withReplicateBytes(MIB).withTaskBytes(100 * MIB);
        Plan plan = new Planner(settings).plan(Products.matmul(x, w), Want.CHUNKS);
        assertThat(plan.stages()).hasSize(2);
        assertThat(operand(plan.stages().get(0), "w").strategy()).isEqualTo(Strategy.SHUFFLE);
        assertThat(plan.shuffleBytes()).isEqualTo(4L * 4096 * 8192);
        assertThat(plan.last().operands()).extracting(Operand::strategy).containsOnly(Strategy.GRID);
        assertThat(plan.last().operands().get(1).wholeChunks()).isTrue();
        assertThat(plan.peakBytes()).isLessThanOrEqualTo(100 * MIB);
    }

    /** Cut along the contracted dimension, as matrices of many samples are, and at multiples of the 256 products that are summed one after the other. */
    @Test
    void productsOfRowsAreSummedChunkByChunk() {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofChunks(1_000_000, 40), 1_000_000, 512);
        Plan plan = plan(Products.matmul(ViewOps.permute(x, 1, 0), x));
        assertThat(plan.stages()).hasSize(1);
        assertThat(plan.last().kind()).isEqualTo(Stage.Kind.FOLD);
        assertThat(plan.last().text()).isEqualTo("x.T @ x");
        assertThat(plan.last().shuffleBytes() + plan.broadcastBytes()).isZero();
        RowGrid cuts = plan.last().grid().along(0);
        assertThat(cuts.chunks()).isEqualTo(40);
        for (int i = 1; i < cuts.chunks(); i++) {
            assertThat(cuts.start(i) % 256).isZero();
            assertThat(cuts.start(i)).isCloseTo(25_000L * i, within(128L));
        }
    }

    /** A result that is too large for the driver is computed in blocks. */
    @Test
    void aLargeProductOfRowsIsNotSummedOnTheDriver() {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofChunks(20_000, 40), 20_000, 20_000);
        Plan plan = new Planner(SETTINGS.withTaskBytes(1024 * MIB))
                .plan(Products.matmul(ViewOps.permute(x, 1, 0), x), Want.CHUNKS);
        assertThat(plan.last().kind()).isEqualTo(Stage.Kind.CHUNKS);
        assertThat(plan.last().grid().cutDims()).isEqualTo(2);
    }
}
