package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The cuts of a tensor into chunks along one or more leading dimensions: every combination of their ranges is a chunk, with all of the
 * other dimensions. The chunks are numbered in row-major order. A tensor without dimensions is a single chunk.
 */
public final class ChunkGrid implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Whole rows may be so many times the size of a block before other dimensions are cut, too, where there are so many blocks of them. */
    private static final int ROWS_WORTH = 8;

    private final Shape shape;
    private final RowGrid[] cuts;

    private ChunkGrid(Shape shape, RowGrid[] cuts) {
        this.shape = shape;
        this.cuts = cuts;
    }

    /**
     * A tensor of that shape, cut along as many of its leading dimensions as there are {@code cuts}.
     *
     * @throws IllegalArgumentException where a dimension has another size than its cuts, or there are more chunks than an int counts
     */
    public static ChunkGrid of(Shape shape, RowGrid... cuts) {
        int known = cuts.length;
        while (known > 0 && cuts[known - 1].chunks() == 1) {
            known--; // a dimension that is not cut needs no cuts
        }
        long chunks = 1;
        for (int d = 0; d < cuts.length && shape.rank() > 0; d++) {
            if (cuts[d].rows() != shape.size(d)) {
                throw new IllegalArgumentException(
                        "Cannot cut shape " + shape + " at " + cuts[d] + ": dimension " + d + " has another size");
            }
            chunks = Sizes.saturated(chunks, cuts[d].chunks());
        }
        if (chunks > Integer.MAX_VALUE) {
            throw new Refusal(
                    Refusal.Cause.TASKS,
                    0,
                    "Cannot cut shape " + shape + " into " + chunks + " chunks: at most " + Integer.MAX_VALUE
                            + " are counted",
                    List.of("reduce before expanding"));
        }
        return new ChunkGrid(shape, Arrays.copyOf(cuts, shape.rank() == 0 ? 0 : known));
    }

    /**
     * Chunks of one shape; those at the ends take what is left.
     *
     * @param chunk their sizes along the first dimensions; -1, and those that are not named, are the dimension's own
     * @throws IllegalArgumentException where there are more than dimensions, or one is 0 or less than -1
     */
    public static ChunkGrid ofChunkSizes(Shape shape, long... chunk) {
        boolean good = chunk.length <= shape.rank() && Arrays.stream(chunk).allMatch(size -> size > 0 || size == -1);
        if (!good) {
            throw new IllegalArgumentException("Cannot cut shape " + shape + " into chunks of " + Arrays.toString(chunk)
                    + ": name at most one size for each dimension, of 1 or more, or -1 for all of it");
        }
        RowGrid[] cuts = new RowGrid[chunk.length];
        for (int d = 0; d < chunk.length; d++) {
            cuts[d] = chunk[d] == -1
                    ? RowGrid.whole(shape.size(d))
                    : RowGrid.ofRows(shape.size(d), Math.min(chunk[d], Math.max(1, shape.size(d))));
        }
        return of(shape, cuts);
    }

    /**
     * Chunks that are put together of whole pieces, such as the chunks of a file, from the last dimension on, until they have about {@code blockBytes}: as many as make whole
     * rows where those are no more than a few times as large and leave many chunks, as rows are read, written and matched most easily.
     *
     * @param piece the sizes of a piece, the first of which begins at the first element
     */
    public static ChunkGrid ofPieces(Shape shape, Shape piece, DType dtype, long blockBytes) {
        long[] block = new long[shape.rank()];
        double bytes = dtype.bytes();
        for (int d = 0; d < block.length; d++) {
            block[d] = Math.max(1, Math.min(piece.size(d), shape.size(d)));
            bytes *= block[d];
        }
        boolean grows = true;
        for (int d = block.length - 1; d >= 0 && grows; d--) {
            double all = bytes / block[d] * shape.size(d);
            boolean manyLeft = piecesBefore(shape, block, d) >= ROWS_WORTH;
            grows = all <= (manyLeft ? (double) blockBytes * ROWS_WORTH : blockBytes);
            block[d] = grows ? Math.max(1, shape.size(d)) : Math.max(1, (long) (blockBytes / bytes)) * block[d];
            bytes = all;
        }
        return ofChunkSizes(shape, block);
    }

    private static double piecesBefore(Shape shape, long[] piece, int dim) {
        double pieces = 1;
        for (int d = 0; d < dim; d++) {
            pieces *= RowGrid.ofRows(shape.size(d), piece[d]).chunks();
        }
        return pieces;
    }

    public static ChunkGrid whole(Shape shape) {
        return of(shape);
    }

    public Shape shape() {
        return shape;
    }

    /** How many leading dimensions are cut, or lie before one that is. */
    public int cutDims() {
        return cuts.length;
    }

    public RowGrid along(int dim) {
        return dim < cuts.length ? cuts[dim] : RowGrid.whole(shape.size(dim));
    }

    public boolean cuts(int dim) {
        return dim < cuts.length && cuts[dim].chunks() > 1;
    }

    ChunkGrid without(int dim) {
        RowGrid[] others = cuts.clone();
        if (dim < others.length) {
            others[dim] = RowGrid.whole(shape.size(dim));
        }
        return of(shape, others);
    }

    /** The cuts of what is left where that dimension is reduced, which is of shape {@code result}. */
    ChunkGrid reduced(int dim, Shape result) {
        boolean kept = result.rank() == shape.rank();
        List<RowGrid> left = new ArrayList<>();
        for (int d = 0; d < Math.min(cuts.length, shape.rank()); d++) {
            if (d != dim) {
                left.add(cuts[d]);
            } else if (kept) {
                left.add(RowGrid.whole(1));
            }
        }
        return of(result, left.toArray(RowGrid[]::new));
    }

    /** Whether no other dimension than the leading one is cut, so that chunks are rows. */
    public boolean cutsRowsAlone() {
        return cuts.length <= 1;
    }

    public int chunks() {
        int chunks = 1;
        for (RowGrid cut : cuts) {
            chunks *= cut.chunks();
        }
        return chunks;
    }

    public Box box(int chunk) {
        long[] starts = new long[shape.rank()];
        long[] ends = shape.toArray();
        int left = chunk;
        for (int d = cuts.length - 1; d >= 0; d--) {
            int own = left % cuts[d].chunks();
            left /= cuts[d].chunks();
            starts[d] = cuts[d].start(own);
            ends[d] = cuts[d].end(own);
        }
        return Box.of(starts, ends);
    }

    /** A chunk with the most indices along every dimension, or a box as large where no chunk has them all. */
    Box largestBox() {
        long[] starts = new long[shape.rank()];
        long[] ends = shape.toArray();
        for (int d = 0; d < cuts.length; d++) {
            int widest = cuts[d].widest();
            starts[d] = cuts[d].start(widest);
            ends[d] = cuts[d].end(widest);
        }
        return Box.of(starts, ends);
    }

    /** The sizes of a box in which every chunk fits. */
    public Shape largest() {
        long[] sizes = shape.toArray();
        for (int d = 0; d < cuts.length; d++) {
            sizes[d] = cuts[d].mostRows();
        }
        return Shape.of(sizes);
    }

    /** The chunks with elements of a block, in order; none where it is empty. */
    public List<Integer> overlapping(Box box) {
        List<Integer> found = new ArrayList<>();
        if (box.isEmpty()) {
            return found;
        }
        found.add(0);
        for (int d = 0; d < cuts.length; d++) {
            List<Integer> deeper = new ArrayList<>();
            int[] along = cuts[d].overlapping(box.start(d), box.end(d));
            for (int before : found) {
                for (int own : along) {
                    deeper.add(before * cuts[d].chunks() + own);
                }
            }
            found = deeper;
        }
        return found;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkGrid grid && shape.equals(grid.shape) && Arrays.equals(cuts, grid.cuts);
    }

    @Override
    public int hashCode() {
        return 31 * shape.hashCode() + Arrays.hashCode(cuts);
    }

    /** For instance {@code 3 chunks of up to 34 rows}, or {@code 12 chunks (3 x 4) of up to 34 x 100}. */
    @Override
    public String toString() {
        if (shape.rank() == 0) {
            return "1 chunk";
        }
        if (cutsRowsAlone()) {
            return along(0).toString();
        }
        StringBuilder counts = new StringBuilder();
        StringBuilder sizes = new StringBuilder();
        for (int d = 0; d < cuts.length; d++) {
            counts.append(d == 0 ? "" : " x ").append(cuts[d].chunks());
            sizes.append(d == 0 ? "" : " x ").append(cuts[d].mostRows());
        }
        return chunks() + " chunks (" + counts + ") of up to " + sizes;
    }
}
