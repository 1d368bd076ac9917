package io.github.broadloom.sql.nearest;

import io.github.broadloom.nearest.KLeast;
import io.github.broadloom.nearest.SideRows;
import org.apache.spark.sql.catalyst.InternalRow;

/** Searches for a few left rows at a time, among others that are all there. */
abstract class BatchSearch extends FoundRows {
    final PairSearch search;
    /** Takes the left rows of the next search. */
    final InternalRow[] rows;

    private final KLeast least;
    private final NearestMetrics metrics;
    private InternalRow[] others = new InternalRow[0];

    BatchSearch(NearestTask task, JoinedOutput output, NearestMetrics metrics) {
        super(task, output, metrics);
        this.search = new PairSearch(task);
        this.rows = new InternalRow[task.rowsAtOnce()];
        this.least = new KLeast(rows.length, task.spec().k());
        this.metrics = metrics;
    }

    /** Searches for the first {@code count} of {@link #rows}, and tells that number. */
    final int search(int count, InternalRow[] among, SideRows read) {
        long start = System.nanoTime();
        long before = search.ranked();
        others = among;
        least.clear();
        search.find(rows, 0, count, others, read, least, 0);
        for (int i = 0; i < count; i++) {
            least.sort(i);
        }
        metrics.count((long) count * others.length, search.ranked() - before, start);
        return count;
    }

    @Override
    final InternalRow left(int which) {
        return rows[which];
    }

    @Override
    final int found(int which) {
        return least.count(which);
    }

    @Override
    final InternalRow nearest(int which, int at) {
        return others[(int) least.id(which, at)];
    }

    @Override
    final long key(int which, int at) {
        return least.key(which, at);
    }
}
