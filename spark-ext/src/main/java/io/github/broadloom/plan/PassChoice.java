package io.github.broadloom.plan;

import io.github.broadloom.cpu.reduce.Selection;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.Source.Residence;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which way of computing what needs all rows moves less: a fold of chunks of rows, blocks of whole lines, steps along the blocks of a store, or counting; and of what indices name, an exchange, or
 * the whole operand.
 */
final class PassChoice {
    /** Of accumulators: what each chunk of rows would send of a reduction over rows. */
    private static final long LARGE_RESULT_BYTES = 4L << 20;

    /** What is sent may be so many times less than what is read, and takes about as long. */
    private static final int SMALL_PART = 8;

    /** And so many times less before it takes no time that could be told. */
    static final int TINY_PART = 64;

    /** A byte that is sent takes as long as so many that are read as they lie. */
    private static final int SENT_COST = 16;

    /** What is counted of a line in the first pass comes to the driver from every task. */
    private static final int MOST_LINES = 16;

    private PassChoice() {}

    /**
     * Whether a reduction over the rows of files, whose results are too many to be sent for each chunk of rows, is better computed in blocks of whole lines, which files give as easily:
     * to the same bits, as each line is folded by the same tree.
     */
    static boolean isBetterAcross(Settings settings, Reduce reduce) {
        int[] dims = reduce.dims();
        boolean isLarge = dims.length == 1
                && reduce.shape().rank() > 0
                && Sizes.saturated(reduce.shape().numel(), Double.BYTES) >= LARGE_RESULT_BYTES
                && Sizes.bytes(reduce.operand()) > settings.chunkBytes();
        boolean anywhere = isLarge && reduce.inputs().stream().allMatch(PassChoice::givesAnyBlock);
        if (!anywhere || isBetterStreamed(settings, List.of(reduce))) {
            return false;
        }
        StageBuilder across = StageBuilder.ofChunks(settings, List.of(reduce), Planner.Want.CHUNKS);
        return across.obstacles().isEmpty() && across.fitsReplicas() && !across.shuffles();
    }

    private static boolean givesAnyBlock(Input input) {
        return input.source() instanceof Source source
                && source.residence() != Residence.CLUSTER
                && (source.residence() != Residence.FILE || source.grid() == null);
    }

    /**
     * Whether reductions over the rows are better computed by tasks that go along the rows block by block, as these lie: where what a fold sends of each chunk of rows takes time beside
     * what is read, and there are blocks enough for all to work; for half of them, where it takes as long as reading.
     *
     * @param reductions that a pass would fold together
     */
    static boolean isBetterStreamed(Settings settings, List<Reduce> reductions) {
        Reduce first = reductions.get(0);
        boolean alike = reductions.stream()
                .allMatch(reduce -> Arrays.equals(reduce.dims(), first.dims())
                        && reduce.operand().shape().equals(first.operand().shape()));
        StageBuilder fold = StageBuilder.ofFolds(settings, List.copyOf(reductions));
        Optional<StageBuilder> stream =
                alike && fold.folds() ? StageBuilder.ofStream(settings, reductions) : Optional.empty();
        if (stream.isEmpty() || !stream.get().goesAlongBlocks()) {
            return false;
        }
        Stage rows = fold.first();
        Stage steps = stream.get().first();
        long sent = sentBytes(rows, settings);
        long sentOfChunks = sentBytes(rows.withTasks(rows.grid()), settings);
        long read = rows.operands().stream()
                .mapToLong(operand -> operand.source().sizeBytes())
                .reduce(0, Sizes::sum);
        int tasks = steps.tasks().chunks();
        int busy = Math.min(settings.slots(), rows.tasks().chunks());
        boolean isLess =
                TrafficCount.fileBytes(steps) < TrafficCount.fileBytes(rows) + (double) SENT_COST * sentOfChunks;
        boolean isBusy = sentOfChunks > read / TINY_PART && tasks >= busy;
        return isLess && (isBusy || sent > read / SMALL_PART && 2L * tasks >= busy);
    }

    private static long sentBytes(Stage fold, Settings settings) {
        FoldTree tree = fold.foldTree(settings);
        return Sizes.sum(tree.shuffleBytes(), tree.driverBytes());
    }

    /** Whether order statistics of lines that run through all rows are found by counting: of few lines, which are too long for a task. */
    static boolean isSelected(Settings settings, Along along) {
        long lineBytes =
                Sizes.saturated(along.lineLength(), along.operand().dtype().bytes());
        return along.crossesRows()
                && Selection.finds(along.op())
                && along.shape().numel() > 0
                && along.shape().numel() <= MOST_LINES
                && lineBytes > settings.chunkBytes();
    }

    /** Whether one line that runs through all rows is put in order range by range. */
    static boolean isSorted(Settings settings, Along along) {
        return along.crossesRows()
                && along.op().kind().isSort()
                && along.operand().shape().numel() == along.lineLength()
                && Sizes.bytes(along.operand()) > settings.chunkBytes();
    }

    /**
     * Whether the chunks of what indices name ask for it: where what is asked and sent, each written and read, is less than the operand, of which each executor would get a copy; or where that is
     * too large, and is not better read in blocks along another dimension, which takes all of it once; single elements are asked for where there are no such blocks.
     */
    static boolean isExchanged(Settings settings, Gather gather) {
        Expr operand = gather.operand();
        long bytes = Sizes.bytes(operand);
        if (gather.shape().numel() == 0 || !isLargeAway(settings, operand)) {
            return false;
        }
        long named = Sizes.bytes(gather);
        long moved = Sizes.saturated(2, Sizes.sum(named, LookupAccess.askedBytes(gather)));
        boolean isLess = moved < bytes;
        boolean isTooLarge = bytes > settings.replicateBytes();
        long columns = 1;
        for (int d = 0; d < operand.shape().rank(); d++) {
            columns = gather.placeOf(d) < 0
                    ? columns
                    : Math.max(columns, operand.shape().size(d));
        }
        boolean inColumns = bytes / columns <= settings.replicateBytes();
        int[] indexed = IntStream.range(0, gather.indices().size())
                .map(i -> gather.dim() + i)
                .toArray();
        boolean isBetter =
                gather.isOfParts() ? isLess || isTooLarge && !(inColumns && named > bytes) : isTooLarge && !inColumns;
        return isBetter && !StageBuilder.isWithinBlocks(settings, operand, indexed);
    }

    /** Whether it is larger than a chunk, and of what lies in files or on the cluster. */
    static boolean isLargeAway(Settings settings, Expr operand) {
        return Sizes.bytes(operand) > settings.chunkBytes()
                && operand.inputs().stream().anyMatch(PassChoice::isAway);
    }

    private static boolean isAway(Input input) {
        return input.source() instanceof Source source && source.residence().isAway();
    }
}
