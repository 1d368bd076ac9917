package io.github.broadloom.sql.nearest;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.TaskCompletionListener;

/** The rows that come out of searches, one search after the other: for each left row its nearest, the nearest first. */
abstract class FoundRows implements Iterator<InternalRow> {
    private final NearestTask task;
    private final JoinedOutput.Writer writer;
    private final NearestMetrics metrics;
    private int count;
    private int row;
    private int place;
    private boolean hasEnded;

    FoundRows(NearestTask task, JoinedOutput output, NearestMetrics metrics) {
        this.task = task;
        this.writer = output.writer();
        this.metrics = metrics;
    }

    /** To be called when it is made: the task closes it at its end. */
    final FoundRows closedWithTask() {
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) ended -> end());
        return this;
    }

    private synchronized void end() {
        if (!hasEnded) {
            hasEnded = true;
            count = 0;
            close();
        }
    }

    /** Searches for the next left rows, and tells how many these are: 0 when there are none. */
    abstract int search();

    abstract InternalRow left(int which);

    /** How many a left row has. */
    abstract int found(int which);

    abstract InternalRow nearest(int which, int at);

    /** The key of its rank. */
    abstract long key(int which, int at);

    /** Releases what the searches took; called once, after the last. */
    abstract void close();

    /** Spark may read in one thread while the task ends in another, as where rows go to a script. */
    @Override
    public synchronized boolean hasNext() {
        while (!hasEnded) {
            for (; row < count; row++, place = 0) {
                boolean isKept = found(row) == 0 && task.spec().unmatched() == NearestSpec.Unmatched.KEEP;
                if (place < (isKept ? 1 : found(row))) {
                    return true;
                }
            }
            row = 0;
            count = search();
            if (count == 0) {
                end();
            }
        }
        return false;
    }

    @Override
    public synchronized InternalRow next() {
        if (!hasNext()) {
            throw new NoSuchElementException("Cannot take a row: there are no more");
        }
        metrics.rows().add(1);
        int next = place++;
        return found(row) == 0
                ? writer.unmatched(left(row))
                : writer.row(left(row), nearest(row, next), key(row, next));
    }
}
