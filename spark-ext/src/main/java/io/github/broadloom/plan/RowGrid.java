package io.github.broadloom.plan;

import io.github.broadloom.expr.Contraction;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The cuts of a tensor along its leading dimension: chunk {@code i} holds the rows {@code start(i) <= row < end(i)}. The
 * chunks are in row order, leave no gap, and none is empty, but for the single chunk of a tensor without rows.
 */
public final class RowGrid implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Their bounds take 80 MB of the driver's heap. */
    private static final int MOST_CHUNKS = 10_000_000;

    private final long[] bounds;

    private RowGrid(long[] bounds) {
        this.bounds = bounds;
    }

    /**
     * Chunks between ascending bounds, the first of them 0 and the last the number of rows.
     *
     * @throws IllegalArgumentException where the bounds do not ascend from 0
     */
    public static RowGrid of(long... bounds) {
        boolean good = bounds.length >= 2 && bounds[0] == 0 && (bounds.length == 2 || bounds[1] > 0);
        for (int i = 1; good && i < bounds.length; i++) {
            good = bounds[i] > bounds[i - 1] || bounds.length == 2 && bounds[i] == 0;
        }
        if (!good) {
            throw new IllegalArgumentException(
                    "Cannot cut rows at " + Arrays.toString(bounds) + ": bounds ascend from 0 to the number of rows");
        }
        return new RowGrid(bounds.clone());
    }

    public static RowGrid whole(long rows) {
        return of(0, rows);
    }

    /**
     * {@code chunks} chunks whose sizes differ by at most one row; one for each row where there are fewer rows.
     *
     * @throws IllegalArgumentException for less than one chunk
     */
    public static RowGrid ofChunks(long rows, int chunks) {
        if (chunks < 1) {
            throw new IllegalArgumentException("Cannot cut a tensor into " + chunks + " chunks: ask for at least one");
        }
        int count = (int) Math.max(1, Math.min(rows, chunks));
        long[] bounds = new long[count + 1];
        for (int i = 1; i <= count; i++) {
            bounds[i] = rows / count * i + Math.min(i, rows % count);
        }
        return of(bounds);
    }

    /**
     * Chunks of {@code rowsPerChunk} rows; the last one takes what is left.
     *
     * @throws IllegalArgumentException where there are more than can be planned for
     */
    public static RowGrid ofRows(long rows, long rowsPerChunk) {
        long wanted = Math.max(1, (rows + rowsPerChunk - 1) / rowsPerChunk);
        if (wanted > MOST_CHUNKS) {
            throw new Refusal(
                    Refusal.Cause.TASKS,
                    0,
                    "Cannot cut " + rows + " rows into " + wanted + " chunks: at most " + MOST_CHUNKS
                            + " are planned for",
                    List.of("reduce before expanding"));
        }
        int count = (int) wanted;
        long[] bounds = new long[count + 1];
        for (int i = 0; i < count; i++) {
            bounds[i] = i * rowsPerChunk;
        }
        bounds[count] = rows;
        return of(bounds);
    }

    /**
     * Chunks of about {@code chunkBytes}. The number of rows in a chunk is the power of two that comes nearest: a fold
     * over the rows then has one partial result for a chunk, not one for every bit of its row numbers.
     *
     * @param rowBytes the bytes of one row, zero or more
     */
    public static RowGrid ofBytes(long rows, long rowBytes, long chunkBytes) {
        double wanted = (double) chunkBytes / Math.max(1, rowBytes);
        if (wanted >= rows) {
            return whole(rows);
        }
        long floor = Long.highestOneBit(Math.max(1, (long) wanted));
        long nearest = wanted > floor * Math.sqrt(2) ? floor * 2 : floor;
        return ofRows(rows, nearest);
    }

    /** The same cuts and more, until no chunk has more than {@code mostRows} rows: every chunk lies in one of these. */
    public RowGrid refined(long mostRows) {
        List<Long> cuts = new ArrayList<>(List.of(0L));
        for (int i = 0; i < chunks(); i++) {
            for (long cut = start(i) + mostRows; cut < end(i); cut += mostRows) {
                cuts.add(cut);
            }
            cuts.add(end(i));
        }
        return of(cuts.stream().mapToLong(Long::longValue).toArray());
    }

    /** The same cuts, each moved to the nearest multiple of so many rows; fewer where several fall together. */
    public RowGrid rounded(long multiple) {
        long[] near = Arrays.stream(bounds, 0, chunks())
                .map(bound -> (bound + multiple / 2) / multiple * multiple)
                .filter(bound -> bound < rows() || bound == 0)
                .distinct()
                .toArray();
        long[] all = Arrays.copyOf(near, near.length + 1);
        all[near.length] = rows();
        return of(all);
    }

    /** So many groups of neighbouring chunks that are about as large as each other: cut, within an eighth of one, where fewest nodes of the pairwise tree over the rows are. */
    RowGrid joined(int groups) {
        int slack = chunks() / groups / 8;
        long[] kept = new long[groups + 1];
        for (int i = 1; i < groups; i++) {
            int even = (int) ((long) i * chunks() / groups);
            kept[i] = LongStream.rangeClosed(even - slack, even + slack)
                    .map(cut -> bounds[(int) cut])
                    .boxed()
                    .max(Comparator.comparing(Long::lowestOneBit))
                    .orElseThrow();
        }
        kept[groups] = rows();
        return of(kept);
    }

    /** So many neighbouring chunks as one, from the first on; the last one takes what is left. */
    RowGrid grouped(int each) {
        long[] kept = new long[(chunks() + each - 1) / each + 1];
        Arrays.setAll(kept, i -> bounds[(int) Math.min(chunks(), (long) i * each)]);
        return of(kept);
    }

    /** These cuts and those, of as many rows. */
    RowGrid with(RowGrid cuts) {
        if (equals(cuts)) {
            return this;
        }
        long[] others = Arrays.stream(cuts.bounds)
                .filter(bound -> Arrays.binarySearch(bounds, bound) < 0)
                .toArray();
        return others.length == 0
                ? this
                : of(LongStream.concat(Arrays.stream(bounds), Arrays.stream(others))
                        .sorted()
                        .toArray());
    }

    /** The panels of 256 products that the chunks begin, where each row has so many products and chunks begin panels. */
    public RowGrid panels(long productsOfRow) {
        return parts(productsOfRow, Contraction.PANEL);
    }

    /** The blocks of so many rows that the chunks begin. */
    RowGrid blocks(long rows) {
        return parts(1, rows);
    }

    private RowGrid parts(long ofRow, long size) {
        return of(Arrays.stream(bounds)
                .map(row -> (row * ofRow + size - 1) / size)
                .toArray());
    }

    public int chunks() {
        return bounds.length - 1;
    }

    public long rows() {
        return bounds[bounds.length - 1];
    }

    public long start(int chunk) {
        return bounds[chunk];
    }

    /** The row after the last one of a chunk. */
    public long end(int chunk) {
        return bounds[chunk + 1];
    }

    public long mostRows() {
        int widest = widest();
        return end(widest) - start(widest);
    }

    /** The first of the largest chunks. */
    int widest() {
        int widest = 0;
        for (int i = 1; i < chunks(); i++) {
            widest = end(i) - start(i) > end(widest) - start(widest) ? i : widest;
        }
        return widest;
    }

    /** The least number of nodes of the pairwise tree over all rows that cover a chunk: what a fold of it leaves. */
    public int nodes(int chunk) {
        return nodes(start(chunk), end(chunk));
    }

    private static int nodes(long start, long end) {
        int nodes = 0;
        for (long row = start; row < end; nodes++) {
            long aligned = row == 0 ? Long.MAX_VALUE : Long.lowestOneBit(row);
            row += Math.min(aligned, Long.highestOneBit(end - row));
        }
        return nodes;
    }

    /** The most nodes that cover the steps of a chunk before one of them. */
    int mostNodesBefore(RowGrid steps) {
        return IntStream.range(0, steps.chunks())
                .mapToLong(steps::start)
                .mapToInt(row -> nodes(start(chunkOf(row)), row))
                .max()
                .orElse(0);
    }

    long nodesOfFirst(int count) {
        return IntStream.range(0, count).mapToLong(this::nodes).sum();
    }

    int mostNodes() {
        return IntStream.range(0, chunks()).map(this::nodes).max().orElse(0);
    }

    /** The chunk with row {@code row}; the first one where there are no rows. */
    public int chunkOf(long row) {
        if (rows() == 0) {
            return 0;
        }
        int found = Arrays.binarySearch(bounds, row);
        return found >= 0 ? found : -found - 2;
    }

    /** Whether one of the chunks holds just the rows {@code start <= row < end}. */
    boolean hasChunk(long start, long end) {
        int chunk = chunkOf(start);
        return start(chunk) == start && end(chunk) == end;
    }

    /** The chunks that hold at least one of the rows {@code start <= row < end}; the one at {@code start} where the range is empty. */
    public int[] overlapping(long start, long end) {
        int first = Math.min(chunkOf(start), chunks() - 1);
        int last = end > start ? chunkOf(end - 1) : first;
        int[] found = new int[last - first + 1];
        Arrays.setAll(found, i -> first + i);
        return found;
    }

    /** Equal chunks are serialised as their size: what a task needs must not grow with the number of chunks. */
    private Object writeReplace() {
        long size = end(0);
        return chunks() > 2 && equals(ofRows(rows(), size)) ? new Even(rows(), size) : this;
    }

    /** Chunks of as many rows each, but for the last one. */
    private record Even(long rows, long rowsPerChunk) implements Serializable {
        private Object readResolve() {
            return ofRows(rows, rowsPerChunk);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowGrid grid && Arrays.equals(bounds, grid.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    /** For instance {@code 3 chunks of up to 34 rows}. */
    @Override
    public String toString() {
        String rows = mostRows() == 1 ? " row" : " rows";
        return chunks() == 1 ? "1 chunk of " + rows() + rows : chunks() + " chunks of up to " + mostRows() + rows;
    }
}
