package io.github.broadloom.sql.nearest;

import io.github.broadloom.device.CurrentGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.jobs.TaskGpu;
import io.github.broadloom.nearest.KLeast;
import io.github.broadloom.nearest.PairBlocks;
import io.github.broadloom.nearest.PairScores;
import io.github.broadloom.nearest.SideRows;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Finds the rows of a block of the right side that are the nearest to rows of the left: scores of all pairs tell the few that can be, and Spark's evaluation of the ranking which of them are. It
 * serves one thread.
 */
final class PairSearch implements AutoCloseable {
    private final NearestTask task;
    private final PairBlocks blocks;
    private final ScoreCells cells;
    private final PairRanks ranks;
    private long ranked;

    PairSearch(NearestTask task) {
        this.task = task;
        try (CurrentGpu.Scope gpu = TaskGpu.use(TaskContext.get())) {
            this.blocks =
                    new PairBlocks(task.spec().k(), Devices.backend(task.spec().device()));
        }
        this.cells = ScoreCells.of(task.form());
        this.ranks = PairRanks.of(task);
    }

    /** What a search reads of the right side's rows. */
    SideRows right(InternalRow[] rows, int count) {
        return blocks.packed(cells.right(rows, count));
    }

    /** How many pairs Spark's evaluation ranked so far. */
    long ranked() {
        return ranked;
    }

    /**
     * Offers the pairs of some left rows that may be among the nearest.
     *
     * @param count at most {@value PairBlocks#MOST_ROWS}
     * @param right what {@link #right} read of the others
     * @param least takes the keys: those of the left row {@code i} at its row {@code i}, under the ids of the right rows
     * @param firstId the id of the first right row
     */
    void find(
            InternalRow[] rows,
            int first,
            int count,
            InternalRow[] others,
            SideRows right,
            KLeast least,
            long firstId) {
        try (CurrentGpu.Scope gpu = TaskGpu.use(TaskContext.get());
                SideRows left = cells.left(rows, first, count, right)) {
            PairBlocks.Scoring scoring = new PairBlocks.Scoring() {
                @Override
                public PairScores.Form form() {
                    return cells.form(left, right);
                }

                @Override
                public double slack(int index, double greatestNorm) {
                    return cells.slack(left, index, greatestNorm);
                }
            };
            blocks.rank(left, right, scoring, (row, other) -> rank(rows, row, others, other, least, firstId));
        }
    }

    private void rank(InternalRow[] rows, int row, InternalRow[] others, int other, KLeast least, long firstId) {
        InternalRow rank = ranks.of(rows[row], others[other]);
        ranked++;
        if (!rank.isNullAt(0)) {
            least.offer(row, task.keys().key(rank), firstId + other);
        }
    }

    @Override
    public void close() {
        blocks.close();
    }
}
