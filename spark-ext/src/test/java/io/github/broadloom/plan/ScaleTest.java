package io.github.broadloom.plan;

import static io.github.broadloom.plan.Plans.operand;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans for tensors of 10 TB in 100,000 chunks, on a thousand executors of four cores, with the memory that planning may take. */
class ScaleTest {
    private static final long ROWS = 25_000_000;
    private static final long COLUMNS = 100_000;
    private static final int CHUNKS = 100_000;
    private static final int EXECUTORS = 1000;
    private static final long TENSOR_BYTES = 4 * ROWS * COLUMNS; // 10^13
    private static final long MOST_ALLOCATED = 200_000_000;
    private static final Settings SETTINGS =
            Settings.defaults().withExecutors(EXECUTORS, 4, 16L << 30).withChunkBytes(100L << 20);

    private static Expr cached(String name, ChunkGrid grid) {
        return DryRunTensor.cached(name, DType.FLOAT32, grid).input();
    }

    private static Expr cached(String name, int chunks, long... shape) {
        return cached(name, ChunkGrid.of(Shape.of(shape), RowGrid.ofChunks(shape[0], chunks)));
    }

    private static Expr x() {
        return cached("x", CHUNKS, ROWS, COLUMNS);
    }

    private static Plan plan(String expression, Map<String, Expr> names) {
        return plan(expression, names, Want.CHUNKS);
    }

    /** The plan, once it is known that it took little memory to make. */
    private static Plan plan(String expression, Map<String, Expr> names, Want want) {
        Expr parsed = ExprParser.parse(expression, names);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        Plan plan = new Planner(SETTINGS).plan(parsed, want);
        assertThat(threads.getThreadAllocatedBytes(thread) - before)
                .as("bytes that planning %s allocates", expression)
                .isLessThan(MOST_ALLOCATED);
        return plan;
    }

    /** So many hours of maps in files, {@code x}, and the days that they are of, {@code d}, which the driver has: counted from 0 again after so many. */
    private static Map<String, Expr> maps(long hours, long daysOfYear) {
        Tensor days = Tensors.of(
                LongStream.range(0, hours).map(hour -> hour / 24 % daysOfYear).toArray());
        return Map.of(
                "x",
                DryRunTensor.inFiles("x", DType.FLOAT32, Shape.of(hours, 721, 1440))
                        .input(),
                "d",
                Input.of(new LocalSource(days, null, "d"), DType.INT64, days.shape()));
    }

    /** Maps less what their days come to, in rows. */
    private static Plan lessThoseOfDays(long hours, long daysOfYear, long groups, String function) {
        String days = "groupby_reduce(x, d, " + groups + ", 0, '" + function + "')";
        return plan(
                "x - take_along_dim(" + days + ", d.view(" + hours + ", 1, 1), 0)", maps(hours, daysOfYear), Want.ROWS);
    }

    private static Traffic traffic(Plan plan) {
        return Traffic.of(plan, EXECUTORS);
    }

    @Test
    void equalCutsAreAligned() {
        Plan plan = plan("x + y", Map.of("x", x(), "y", cached("y", CHUNKS, ROWS, COLUMNS)));
        assertThat(plan.last().operands()).extracting(Operand::strategy).containsOnly(Strategy.ALIGN);
        assertThat(plan.tasks()).isEqualTo(CHUNKS);
        assertThat(plan.jobs()).isEqualTo(1);
        assertThat(traffic(plan).movedBytes()).isEqualTo(3 * TENSOR_BYTES);
        assertThat(traffic(plan).timesLeast()).isEqualTo(1);
    }

    @Test
    void aFileIsCutToTheSizeOfChunksAndReadOnce() {
        Expr x = DryRunTensor.inFiles("x", DType.FLOAT32, Shape.of(ROWS, COLUMNS))
                .input();
        Expr m = DryRunTensor.local("m", DType.FLOAT32, Shape.of(COLUMNS)).input();
        Plan plan = plan("(x - m) * 2", Map.of("x", x, "m", m));
        assertThat(plan.tasks())
                .isEqualTo((ROWS + 255) / 256); // 256 rows of 400 kB are the power of two next to 100 MiB
        assertThat(traffic(plan).bytes(Strategy.ALIGN)).isEqualTo(TENSOR_BYTES);
        assertThat(traffic(plan).bytes(Strategy.REPLICATE)).isEqualTo(EXECUTORS * 4 * COLUMNS);
    }

    @Test
    void normalisingReadsTwiceAndCopiesTwoRows() {
        Plan plan = plan("(x - x.mean(0)) / x.std(0)", Map.of("x", x()));
        assertThat(plan.stages()).extracting(Stage::kind).containsExactly(Stage.Kind.FOLD, Stage.Kind.CHUNKS);
        assertThat(plan.tasks())
                .isBetween(2L * CHUNKS, 2L * CHUNKS + CHUNKS / 7 + 100); // an eighth joins, and an eighth of that
        assertThat(plan.jobs()).isEqualTo(2);
        assertThat(plan.sparkStages()).isLessThan(10);
        assertThat(plan.broadcastBytes()).isEqualTo(2 * 4 * COLUMNS);
        assertThat(traffic(plan).bytes(Strategy.ALIGN)).isEqualTo(2 * TENSOR_BYTES);
        assertThat(traffic(plan).leastBytes()).isEqualTo(2 * TENSOR_BYTES);
    }

    @Test
    void otherCutsAreSlicedAgainAndReadLessThanTwice() {
        Plan plan = plan("x + y", Map.of("x", x(), "y", cached("y", 99_991, ROWS, COLUMNS)));
        assertThat(operand(plan.last(), "x").strategy()).isEqualTo(Strategy.ALIGN);
        assertThat(operand(plan.last(), "y").strategy()).isEqualTo(Strategy.RESLICE);
        assertThat(plan.tasks()).isEqualTo(CHUNKS);
        assertThat(traffic(plan).bytes(Strategy.RESLICE))
                .isBetween(TENSOR_BYTES, 2 * TENSOR_BYTES + TENSOR_BYTES / 100);
    }

    @Test
    void cutsThatAgreeNowhereAreReadAboutTwice() {
        Plan plan = plan("x + y", Map.of("x", x(), "y", cached("y", 90_001, ROWS, COLUMNS)));
        assertThat(operand(plan.last(), "y").strategy()).isEqualTo(Strategy.RESLICE);
        double read = traffic(plan).bytes(Strategy.RESLICE) / (double) TENSOR_BYTES;
        assertThat(read).isBetween(2.0, 1 + 100_000 / 90_001.0 + 0.01); // every cut of the stage splits a chunk
    }

    @Test
    void muchLargerChunksAreShuffledInsteadOfReadFiveTimes() {
        Plan plan = plan("x + y", Map.of("x", x(), "y", cached("y", 20_000, ROWS, COLUMNS)));
        assertThat(operand(plan.last(), "y").strategy()).isEqualTo(Strategy.SHUFFLE);
        assertThat(traffic(plan).bytes(Strategy.SHUFFLE)).isEqualTo(3 * TENSOR_BYTES);
        assertThat(traffic(plan).shufflePieces()).isEqualTo(CHUNKS);
    }

    @Test
    void flippedRowsKeepTheirChunks() {
        Plan plan = plan("flip(x, 0) + x", Map.of("x", x()));
        assertThat(plan.shuffleBytes()).isZero();
        assertThat(plan.tasks()).isEqualTo(CHUNKS);
        assertThat(traffic(plan).bytes(Strategy.ALIGN)).isEqualTo(2 * TENSOR_BYTES);
    }

    @Test
    void concatenatedTensorsKeepAllTheirChunks() {
        Plan plan = plan("cat([x, y], 0)", Map.of("x", x(), "y", cached("y", 99_991, ROWS, COLUMNS)));
        assertThat(plan.tasks()).isEqualTo(CHUNKS + 99_991);
        assertThat(plan.last().operands()).extracting(Operand::strategy).containsOnly(Strategy.ALIGN);
        assertThat(traffic(plan).timesLeast()).isEqualTo(1);
    }

    @Test
    void rowsInAnotherShapeAreSlicedAgain() {
        Plan plan = plan("reshape(x, 2500000000000) + 1", Map.of("x", x()));
        assertThat(operand(plan.last(), "x").strategy()).isEqualTo(Strategy.RESLICE);
        assertThat(plan.shuffleBytes()).isZero();
        assertThat(traffic(plan).bytes(Strategy.RESLICE)).isLessThan(3 * TENSOR_BYTES);
    }

    @Test
    void aScanReadsTwice() {
        Plan plan = plan("cumsum(x, 0)", Map.of("x", x()));
        assertThat(plan.stages().get(0).kind()).isEqualTo(Stage.Kind.SCAN);
        assertThat(plan.jobs()).isEqualTo(2);
        assertThat(plan.tasks()).isEqualTo(2 * CHUNKS - 1);
        assertThat(traffic(plan).bytes(Strategy.ALIGN)).isEqualTo(2 * TENSOR_BYTES);
    }

    @Test
    void aSumReadsOnceAndLeavesNumbers() {
        Plan plan = plan("sum(x)", Map.of("x", x()), Want.VALUE);
        assertThat(plan.tasks()).isEqualTo(CHUNKS + 25); // which join 4096 numbers
        assertThat(traffic(plan).bytes(Strategy.ALIGN)).isEqualTo(TENSOR_BYTES);
        assertThat(traffic(plan).partialBytes()).isLessThan(100L << 20);
    }

    @Test
    void aTranspositionOfManyChunksIsShuffledThreeTimes() {
        Plan plan = plan("x.T + 1", Map.of("x", x()), Want.ROWS);
        assertThat(operand(plan.last(), "x").strategy()).isEqualTo(Strategy.SHUFFLE);
        assertThat(plan.stages()).hasSize(3); // in one go it would be CHUNKS * COLUMNS pieces of 1 kB
        assertThat(plan.shuffleBytes()).isBetween(3 * TENSOR_BYTES, 31 * TENSOR_BYTES / 10);
        assertThat(traffic(plan).shufflePieces()).isLessThan(3 * 10_000_000L);
        assertThat(plan.peakBytes()).isLessThan(1L << 30);
    }

    /** What is left lies in columns of all rows, and is written in rows: in one go that would be more than 10^9 pieces. */
    @Test
    void anomaliesThatAreWrittenAreExchangedInFewPieces() {
        Shape hours = Shape.of(1_122_000, 721, 1440); // 4.24 TiB
        Expr x = DryRunTensor.inFiles("x", DType.FLOAT32, hours).input();
        Expr labels = Expr.cast(Plans.local("d", hours.size(0), 1, 1), DType.INT64);
        Plan plan = plan(
                "x - take_along_dim(groupby_reduce(x, d.flatten(), 366, 0, 'mean'), d, 0)",
                Map.of("x", x, "d", labels),
                Want.ROWS);
        assertThat(traffic(plan).shufflePieces()).isLessThan(3 * 10_000_000L);
        assertThat(plan.peakBytes()).isLessThan(SETTINGS.taskBytes());
    }

    /** The means of days that follow each other are found by the tasks that take them away, from the chunks that these read anyhow. */
    @Test
    void hoursLessTheMeansOfTheirDaysAreReadTwice() {
        long hours = 1_000_008;
        Plan plan = lessThoseOfDays(hours, hours, hours / 24, "sum");
        assertThat(plan.shuffleBytes())
                .as(Explanation.of(plan, Backend.Detail.PLAN))
                .isZero();
        assertThat(plan.jobs()).isEqualTo(1);
        assertThat(traffic(plan).timesLeast()).isBetween(1.5, 2.6); // with the sums, float64
        assertThat(plan.peakBytes()).isLessThan(1L << 30);
    }

    /** Days of the year come again every year: what comes of the hours of each day is sent, and not the hours. */
    @ParameterizedTest
    @CsvSource({"mean,1000008,0.4", "std,500016,1"})
    void daysOfTheYearSendWhatTheirHoursComeTo(String function, long hours, double part) {
        Plan plan = lessThoseOfDays(hours, 366, 366, function);
        long bytes = DType.FLOAT32.sizeBytes(hours * 721 * 1440);
        assertThat((double) plan.shuffleBytes())
                .as(Explanation.of(plan, Backend.Detail.PLAN))
                .isLessThan(part * bytes);
        assertThat(traffic(plan).timesLeast()).isLessThan(2.9);
        assertThat(traffic(plan).shufflePieces()).isLessThan(2 * 10_000_000L);
        assertThat(plan.peakBytes()).isLessThan(SETTINGS.taskBytes());
    }

    /** A month of hours in days of the year: most days have none, and the others are as long as ever. */
    @Test
    void groupsOfNothingMakeNoTaskHoldMoreOfTheOthers() {
        long hours = 744;
        Plan plan = lessThoseOfDays(hours, hours, 366, "mean");
        assertThat(plan.shuffleBytes()).isZero();
        assertThat(plan.peakBytes()).isLessThan(400L << 20); // a day of hours is 95 MiB
    }

    @Test
    void blocksWithAllRowsAreReducedWhereTheyLie() {
        ChunkGrid byPlace = ChunkGrid.ofChunkSizes(Shape.of(87_600, 721, 1440), -1, 10, 40);
        Expr x = cached("x", byPlace);
        Plan anomalies = plan("x - mean(x, 0)", Map.of("x", x));
        assertThat(anomalies.stages()).hasSize(1);
        assertThat(anomalies.shuffleBytes()).isZero();
        assertThat(anomalies.last().grid()).isEqualTo(byPlace);
        Plan climatology = plan("mean(x, 0)", Map.of("x", x));
        assertThat(climatology.shuffleBytes()).isZero();
        assertThat(climatology.tasks()).isEqualTo(byPlace.chunks());
        assertThat(plan("sum(x, (0, 1))", Map.of("x", x)).stages().get(0).kind())
                .isEqualTo(Stage.Kind.FOLD);
    }

    @Test
    void blocksStayBlocksAndRowsAreShuffledToThem() {
        ChunkGrid grid =
                ChunkGrid.of(Shape.of(ROWS, COLUMNS), RowGrid.ofChunks(ROWS, 1000), RowGrid.ofChunks(COLUMNS, 100));
        Plan plan = plan("x * 2 + y", Map.of("x", cached("x", grid), "y", cached("y", CHUNKS, ROWS, COLUMNS)));
        assertThat(plan.last().grid()).isEqualTo(grid);
        assertThat(operand(plan.last(), "x").strategy()).isEqualTo(Strategy.ALIGN);
        assertThat(operand(plan.last(), "y").strategy()).isEqualTo(Strategy.SHUFFLE);
        assertThat(plan.shuffleBytes()).isEqualTo(TENSOR_BYTES);
    }

    @Test
    void blocksBecomeRowsByOneShuffle() {
        ChunkGrid grid =
                ChunkGrid.of(Shape.of(ROWS, COLUMNS), RowGrid.ofChunks(ROWS, 1000), RowGrid.ofChunks(COLUMNS, 100));
        Plan plan = plan("x * 2", Map.of("x", cached("x", grid)), Want.ROWS);
        assertThat(plan.last().resultGrid().cutsRowsAlone()).isTrue();
        assertThat(plan.shuffleBytes()).isBetween(TENSOR_BYTES, TENSOR_BYTES + TENSOR_BYTES / 100);
    }

    /** Of a million rows each: the distances are 4 TB, the products that they are summed of 1 PB. */
    @Test
    void distancesOfAllPairsAreAGridWhoseProductIsNotStored() {
        Expr a = cached("a", 1000, 1_000_000, 1, 256);
        Expr b = DryRunTensor.inFiles("b", DType.FLOAT32, Shape.of(1, 1_000_000, 256))
                .input();
        Plan plan = plan("sum((a - b)**2, -1)", Map.of("a", a, "b", b));
        assertThat(plan.last().operands()).extracting(Operand::strategy).containsOnly(Strategy.GRID);
        assertThat(plan.peakBytes()).isLessThan(SETTINGS.taskBytes());
        Traffic traffic = traffic(plan);
        assertThat(traffic.resultBytes()).isEqualTo(4L * 1_000_000 * 1_000_000);
        assertThat(traffic.timesLeast()).isLessThan(1.2);

        Plan nearest = plan("argmin(sum((a - b)**2, -1), 1)", Map.of("a", a, "b", b));
        assertThat(nearest.stages().get(0).kind()).isEqualTo(Stage.Kind.STREAM);
        assertThat(nearest.peakBytes()).isLessThan(SETTINGS.taskBytes());
        assertThat(traffic(nearest).resultBytes()).isEqualTo(8L * 1_000_000);
    }

    @Test
    void aSmallMatrixIsCopiedAndALargeOneMetInAGrid() {
        Plan narrow = plan("x @ w", Map.of("x", x(), "w", cached("w", 100, COLUMNS, 1000)));
        assertThat(operand(narrow.last(), "w").strategy()).isEqualTo(Strategy.REPLICATE);
        assertThat(traffic(narrow).bytes(Strategy.REPLICATE)).isEqualTo((EXECUTORS + 1L) * 4 * COLUMNS * 1000);

        Plan wide = plan("x @ w", Map.of("x", x(), "w", cached("w", 1000, COLUMNS, COLUMNS)));
        assertThat(wide.last().operands()).extracting(Operand::strategy).containsOnly(Strategy.GRID);
        assertThat(wide.peakBytes()).isLessThan(SETTINGS.taskBytes());
        long w = 4 * COLUMNS * COLUMNS;
        assertThat(wide.shuffleBytes()).isBetween(w, w + w / 100); // in columns, once
    }

    @Test
    void linesThroughAllRowsAreCutAcrossAndOneLineIsCounted() {
        Plan medians = new Planner(SETTINGS)
                .plan(Lines.median(LineOp.Kind.MEDIAN, x(), KeepDim.DROP, 0).values(), Want.VALUE);
        assertThat(medians.peakBytes()).isLessThan(SETTINGS.taskBytes());
        Plan median = new Planner(SETTINGS).plan(Lines.median(LineOp.Kind.MEDIAN, x()), Want.VALUE);
        assertThat(median.peakBytes()).isLessThan(SETTINGS.taskBytes());
        assertThat(median.jobs()).isEqualTo(2);
        assertThat(median.shuffleBytes()).isZero();
    }

    /** Forty years of hours in chunks of a day, 1.4 TiB, less the mean of their day of the year. */
    @Test
    void anomaliesAreTwoPassesThroughBlocksOfWholeLines() {
        long hours = 350_640;
        Expr x = cached("x", (int) (hours / 24), hours, 721, 1440);
        Expr days = DryRunTensor.local("days", DType.INT64, Shape.of(hours)).input();
        String means = "groupby_reduce(x, days, 366, func='mean')";
        Plan plan = plan("x - take_along_dim(" + means + ", days.reshape(-1, 1, 1), 0)", Map.of("x", x, "days", days));
        assertThat(plan.peakBytes()).isLessThan(SETTINGS.taskBytes());
    }
}
