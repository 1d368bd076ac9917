package io.github.broadloom.sql.nearest;

import io.github.broadloom.nearest.KLeast;
import io.github.broadloom.nearest.SideRows;
import org.apache.spark.sql.catalyst.InternalRow;

/** Searches for a few left rows at a time, among others that are all there. */
abstract class BatchSearch extends FoundRows {
    final PairSearch search;

    private final InternalRow[] rows;
    private int taken;
    private long takenBytes;
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

    /** Whether the next search takes another left row. */
    final boolean hasRoom() {
        return taken < rows.length && takenBytes < BlockedSearch.BLOCK_BYTES;
    }

    final void take(InternalRow row) {
        rows[taken++] = row;
        takenBytes += BlockedSearch.bytes(row);
    }

    /** Searches for the rows that were taken, and tells how many these are. */
    final int search(InternalRow[] among, SideRows read) {
        int count = taken;
        taken = 0;
        takenBytes = 0;
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
