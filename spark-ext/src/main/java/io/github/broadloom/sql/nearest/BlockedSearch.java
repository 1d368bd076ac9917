package io.github.broadloom.sql.nearest;

import io.github.broadloom.nearest.KLeast;
import io.github.broadloom.nearest.SideRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The nearest to some rows among others that stream by, a block at a time. Of those that went by it keeps what is among the nearest of some row, so that it never holds more than a block and as many
 * rows as there are results, and of these no more columns than are wanted.
 */
final class BlockedSearch implements AutoCloseable {
    /** What an object takes beside the bytes of a row. */
    private static final int ROW_OBJECT = 64;

    /** A block is large enough for what is done once for each. */
    static final long BLOCK_BYTES = 32L << 20;

    private final InternalRow[] left;
    private final int rowsAtOnce;
    private final PairSearch search;
    private final KLeast least;
    private final UnaryOperator<InternalRow> wanted;
    private final List<InternalRow> block = new ArrayList<>();
    private long blockBytes;
    private long streamed;
    private long[] keptIds = new long[0];
    private InternalRow[] kept = new InternalRow[0];

    /** @param wanted makes of a row what is kept of it */
    BlockedSearch(NearestTask task, InternalRow[] left, UnaryOperator<InternalRow> wanted) {
        this.left = left;
        this.wanted = wanted;
        this.rowsAtOnce = task.rowsAtOnce();
        this.search = new PairSearch(task);
        this.least = new KLeast(left.length, task.spec().k());
    }

    /** Lets rows stream by. */
    void stream(Iterator<InternalRow> rows) {
        while (rows.hasNext()) {
            add(rows.next().copy());
        }
    }

    /** As {@link #stream}, of one row, which stays as it is. */
    void add(InternalRow row) {
        block.add(row);
        blockBytes += bytes(row);
        if (blockBytes >= BLOCK_BYTES) {
            search();
        }
    }

    static long bytes(InternalRow row) {
        return ROW_OBJECT + (row instanceof UnsafeRow unsafe ? unsafe.getSizeInBytes() : 8L * row.numFields());
    }

    private void search() {
        InternalRow[] others = block.toArray(InternalRow[]::new);
        block.clear();
        blockBytes = 0;
        try (SideRows right = search.right(others, others.length)) {
            for (int first = 0; first < left.length; first += rowsAtOnce) {
                int count = Math.min(rowsAtOnce, left.length - first);
                search.find(left, first, count, others, right, least, streamed);
            }
        }
        keep(others);
        streamed += others.length;
    }

    private void keep(InternalRow[] others) {
        long[] ids = least.ids().sorted().distinct().toArray();
        InternalRow[] rows = new InternalRow[ids.length];
        for (int i = 0; i < ids.length; i++) {
            rows[i] = ids[i] < streamed ? row(ids[i]) : wanted.apply(others[(int) (ids[i] - streamed)]);
        }
        keptIds = ids;
        kept = rows;
    }

    private InternalRow row(long id) {
        return kept[Arrays.binarySearch(keptIds, id)];
    }

    /** Ends the search: those of each left row are in their order. */
    void end() {
        if (!block.isEmpty()) {
            search();
        }
        for (int row = 0; row < left.length; row++) {
            least.sort(row);
        }
    }

    InternalRow[] left() {
        return left;
    }

    /** How many there are of a left row. */
    int count(int row) {
        return least.count(row);
    }

    InternalRow nearest(int row, int place) {
        return row(least.id(row, place));
    }

    /** Which of the rows that streamed by {@link #nearest} is. */
    long id(int row, int place) {
        return least.id(row, place);
    }

    long key(int row, int place) {
        return least.key(row, place);
    }

    /** How many rows streamed by. */
    long streamed() {
        return streamed;
    }

    long ranked() {
        return search.ranked();
    }

    @Override
    public void close() {
        search.close();
    }
}
