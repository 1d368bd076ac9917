package io.github.broadloom.plan;

import static io.github.broadloom.plan.Plans.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.shape.Shape;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bytes are counted by hand: float32 has 4 of them. */
class TrafficTest {
    private static final int EXECUTORS = 3;

    private static Expr cached(String name, int chunks, long... shape) {
        ChunkGrid grid = ChunkGrid.of(Shape.of(shape), RowGrid.ofChunks(shape[0], chunks));
        return DryRunTensor.cached(name, DType.FLOAT32, grid).input();
    }

    private static Traffic traffic(String expression, Map<String, Expr> names) {
        Plan plan = new Planner(SETTINGS).plan(ExprParser.parse(expression, names), Want.VALUE);
        return Traffic.of(plan, EXECUTORS);
    }

    @Test
    void alignedOperandsMoveTheLeast() {
        Traffic traffic = traffic("x + y", Map.of("x", cached("x", 10, 100, 8), "y", cached("y", 10, 100, 8)));
        assertThat(traffic.bytes(Strategy.ALIGN)).isEqualTo(2 * 3200);
        assertThat(traffic.resultBytes()).isEqualTo(3200);
        assertThat(traffic.movedBytes()).isEqualTo(traffic.leastBytes()).isEqualTo(3 * 3200);
        assertThat(traffic.timesLeast()).isEqualTo(1);
    }

    @Test
    void otherCutsAreReadInWholeChunks() {
        // y has chunks of 34, 33 and 33 rows: each task of 50 rows takes two of them
        Traffic traffic = traffic("x + y", Map.of("x", cached("x", 2, 100, 8), "y", cached("y", 3, 100, 8)));
        assertThat(traffic.bytes(Strategy.ALIGN)).isEqualTo(3200);
        assertThat(traffic.bytes(Strategy.RESLICE)).isEqualTo((67 + 66) * 32);
        assertThat(traffic.leastBytes()).isEqualTo(3 * 3200);
    }

    @Test
    void whatIsCopiedCountsOnceForEachExecutor() {
        Expr m = DryRunTensor.local("m", DType.FLOAT32, Shape.of(8)).input();
        Traffic traffic = traffic("x + m", Map.of("x", cached("x", 10, 100, 8), "m", m));
        assertThat(traffic.bytes(Strategy.REPLICATE)).isEqualTo(EXECUTORS * 32);
        assertThat(traffic.leastBytes()).isEqualTo(2 * 3200 + 32);
    }

    @Test
    void partialResultsAreTheNodesOfEachChunksRows() {
        // chunks of 5 rows: 0-4 is 4 + 1, 5-9 is 1 + 2 + 2
        Traffic traffic = traffic("sum(x, 0)", Map.of("x", cached("x", 2, 10, 8)));
        assertThat(traffic.partialBytes()).isEqualTo((2 + 3) * 8 * Double.BYTES);
        assertThat(traffic.bytes(Strategy.ALIGN)).isEqualTo(320);
        assertThat(traffic.leastBytes()).isEqualTo(320 + 32);
    }

    @Test
    void whatIsReadByTwoStagesCountsTwice() {
        Traffic traffic = traffic("(x - mean(x, 0)) / std(x, 0)", Map.of("x", cached("x", 4, 16, 8)));
        assertThat(traffic.bytes(Strategy.ALIGN)).isEqualTo(2 * 512);
        assertThat(traffic.bytes(Strategy.REPLICATE)).isEqualTo(EXECUTORS * 2 * 32);
        assertThat(traffic.leastBytes()).isEqualTo(2 * 512);
    }

    @Test
    void aScanReadsTwiceAndItsPartialResultsGoThereAndBack() {
        Traffic traffic = traffic("cumsum(x, 0)", Map.of("x", cached("x", 4, 16, 8)));
        assertThat(traffic.bytes(Strategy.ALIGN)).isEqualTo(2 * 512);
        assertThat(traffic.partialBytes()).isEqualTo(3 * 2 * 8 * Double.BYTES);
        assertThat(traffic.resultBytes()).isEqualTo(512);
    }

    @Test
    void productsOfRowsLeaveSumsOfPanels() {
        Expr x = cached("x", 1000, 1000 * Contraction.PANEL, 1000);
        Traffic traffic = traffic("x.T @ x", Map.of("x", x));
        // a panel for each chunk, of float32; tasks join eight, thrice, and the last of each level has some nodes more
        long shuffled = 1000 + 125 + 15 + 2;
        assertThat(traffic.partialBytes()).isEqualTo((2 * shuffled + 1 + 5) * 1000 * 1000 * 4);
    }

    @Test
    void blocksOfAGridAreReadOnceForEveryCutOfTheOther() {
        Settings settings = SETTINGS.withReplicateBytes(1000).withChunkBytes(64 * 64 * 4);
        Expr a = cached("a", 4, 256, 1, 16);
        Expr b = DryRunTensor.inFiles("b", DType.FLOAT32, Shape.of(256, 1, 16)).input();
        Plan plan = new Planner(settings)
                .plan(ExprParser.parse("sum((a - permute(b, 1, 0, 2))**2, -1)", Map.of("a", a, "b", b)), Want.CHUNKS);
        assertThat(plan.last().grid()).hasToString("32 chunks (4 x 8) of up to 64 x 32");
        Traffic traffic = Traffic.of(plan, EXECUTORS);
        assertThat(traffic.bytes(Strategy.GRID)).isEqualTo((8 + 4) * 256 * 16 * 4);
        assertThat(traffic.leastBytes()).isEqualTo(2 * 256 * 16 * 4 + 256 * 256 * 4);
    }

    @Test
    void aShuffleReadsItsSourceThenWritesAndReadsThePieces() {
        Settings settings = SETTINGS.withChunkBytes(1000 * 10 * 4);
        Plan plan = new Planner(settings)
                .plan(ExprParser.parse("x.T + 1", Map.of("x", cached("x", 100, 1000, 1000))), Want.ROWS);
        Traffic traffic = Traffic.of(plan, EXECUTORS);
        assertThat(traffic.bytes(Strategy.SHUFFLE)).isEqualTo(3 * 4_000_000);
        int tasks = plan.last().grid().chunks();
        assertThat(traffic.shufflePieces()).isEqualTo(100L * tasks);
        assertThat(traffic).asString().contains("times the least; ");
    }

    @Test
    void whatTheDriverComputesMovesNothing() {
        Expr m = DryRunTensor.local("m", DType.FLOAT32, Shape.SCALAR).input();
        Traffic traffic = traffic("m + 1", Map.of("m", m));
        assertThat(traffic.movedBytes()).isZero();
        assertThat(traffic.timesLeast()).isEqualTo(1);
    }
}
