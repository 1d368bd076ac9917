package io.github.broadloom.sql.nearest;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.CurrentGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.jobs.TaskGpu;
import io.github.broadloom.nearest.KLeast;
import io.github.broadloom.nearest.PairScores;
import io.github.broadloom.nearest.Shortlist;
import io.github.broadloom.tensor.Cancellation;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of a block of the right side that are the nearest to rows of the left: scores of all pairs tell the few that can be, and Spark's evaluation of the ranking which of them are. It
 * serves one thread.
 */
final class PairSearch implements AutoCloseable {
    /** Scores of a block are at most a megabyte, which stays in the second cache. */
    static final int MOST_ROWS = 256;

    private static final int MOST_COLUMNS = 1024;

    private final NearestTask task;
    private final Backend backend;
    private final ScoreCells cells;
    private final MutableProjection ranks;
    private final JoinedRow pair = new JoinedRow();
    private @Nullable PairScores scores;
    private List<List<PairScores.Cell>> scored = List.of();
    private long ranked;

    PairSearch(NearestTask task) {
        this.task = task;
        this.backend = Devices.backend(task.spec().device());
        this.cells = ScoreCells.of(task.form());
        this.ranks = MutableProjection.create(Scala.seq(List.of(task.ranking())));
    }

    /** What a search reads of the right side's rows. */
    SideRows right(InternalRow[] rows, int count) {
        return cells.right(rows, count);
    }

    /** How many pairs Spark's evaluation ranked so far. */
    long ranked() {
        return ranked;
    }

    /**
     * Offers the pairs of some left rows that may be among the nearest.
     *
     * @param count at most {@value #MOST_ROWS}
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
            if (left.regularCount() > 0 && right.regularCount() > 0) {
                Shortlist.Pairs pairs =
                        (row, column) -> rank(rows, left.regular(row), others, right.regular(column), least, firstId);
                scored(left, right, pairs);
            }
            for (int i = 0; i < left.regularCount(); i++) {
                ranked(rows, left.regular(i), others, right, least, firstId, false);
            }
            for (int i = 0; i < left.irregularCount(); i++) {
                ranked(rows, left.irregular(i), others, right, least, firstId, true);
            }
        }
    }

    /** Ranks a row's pairs with the irregular rows of the other side, and with the regular ones, too. */
    private void ranked(
            InternalRow[] rows,
            int row,
            InternalRow[] others,
            SideRows right,
            KLeast least,
            long firstId,
            boolean withRegular) {
        for (int i = 0; i < right.irregularCount(); i++) {
            rank(rows, row, others, right.irregular(i), least, firstId);
        }
        for (int i = 0; withRegular && i < right.regularCount(); i++) {
            rank(rows, row, others, right.regular(i), least, firstId);
        }
    }

    private void rank(InternalRow[] rows, int row, InternalRow[] others, int other, KLeast least, long firstId) {
        InternalRow rank = ranks.apply(pair.apply(rows[row], others[other]));
        ranked++;
        if (!rank.isNullAt(0)) {
            least.offer(row, task.keys().key(rank), firstId + other);
        }
    }

    private void scored(SideRows left, SideRows right, Shortlist.Pairs pairs) {
        int count = left.regularCount();
        PairScores block = scores(left, right);
        for (int place = 0; place < left.cells().size(); place++) {
            left.copy(place, 0, count, block.rows(place));
        }
        Shortlist shortlist = new Shortlist(count, task.spec().k(), pairs);
        double greatest = right.greatestNorm();
        for (int row = 0; row < count; row++) {
            shortlist.begin(row, cells.slack(left, row, greatest));
        }
        int columns = block.columnCount();
        for (int column = 0; column < right.regularCount(); column += columns) {
            Cancellation.check();
            int here = Math.min(columns, right.regularCount() - column);
            for (int place = 0; place < right.cells().size(); place++) {
                right.copy(place, column, here, block.columns(place));
            }
            block.run();
            for (int row = 0; row < count; row++) {
                shortlist.offer(row, block.scores(), row * columns, here, column);
            }
        }
        for (int row = 0; row < count; row++) {
            shortlist.rank(row);
        }
    }

    /** A block for so many rows of these cells. */
    private PairScores scores(SideRows left, SideRows right) {
        int rows = atLeast(left.regularCount(), MOST_ROWS);
        int columns = atLeast(right.regularCount(), MOST_COLUMNS);
        List<List<PairScores.Cell>> wanted = List.of(left.cells(), right.cells());
        PairScores known = scores;
        if (known != null && scored.equals(wanted) && known.rowCount() == rows && known.columnCount() == columns) {
            return known;
        }
        close();
        PairScores fresh = new PairScores(cells.form(left, right), rows, columns, backend);
        scores = fresh;
        scored = wanted;
        return fresh;
    }

    /** Few are scored in a smaller block. */
    private static int atLeast(int count, int most) {
        return Math.min(most, Integer.highestOneBit(Math.max(1, 2 * count - 1)));
    }

    @Override
    public void close() {
        PairScores known = scores;
        scores = null;
        if (known != null) {
            known.close();
        }
    }
}
