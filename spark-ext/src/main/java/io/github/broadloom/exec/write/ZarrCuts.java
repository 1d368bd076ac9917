package io.github.broadloom.exec.write;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.zarr.ZarrOptions;
import java.util.Optional;

/**
 * How the chunks of a Zarr array and those of a plan go together: a task writes files whole. Where nobody chose the array's chunks, they divide the plan's; else the plan is
 * cut at multiples of them.
 */
final class ZarrCuts {
    /** Larger chunks make whoever wants a few elements read more than that many bytes. */
    private static final long LARGEST_BYTES = 16L << 20;
    /** Smaller ones cost more for their files than for their bytes. */
    private static final long LEAST_BYTES = 1L << 20;

    /** Blocks that became so many times larger than usual, to be of whole files, are cut along other dimensions instead. */
    private static final long LARGER = 4;

    private ZarrCuts() {}

    /** The options with chunks, of at most 16 MiB, where they have none. */
    static ZarrOptions chosen(Plan.Result result, ZarrOptions options) {
        return options.chunk() == null ? options.withChunk(chunk(result.grid(), result.dtype())) : options;
    }

    /** Divides the chunks of the grid, but where only small chunks would divide all of them: then the grid is cut at their multiples. */
    private static Shape chunk(ChunkGrid grid, DType dtype) {
        long[] common = new long[grid.shape().rank()];
        for (int d = 0; d < common.length; d++) {
            common[d] = Math.max(1, common(grid.along(d)));
        }
        Shape dividing = Shape.of(common);
        boolean small = dtype.sizeBytes(dividing.numel()) < LEAST_BYTES;
        boolean smaller = dtype.sizeBytes(grid.largest().numel()) >= LEAST_BYTES;
        return small && smaller ? fitting(grid.largest(), dtype, false) : fitting(dividing, dtype, true);
    }

    /** The largest number of which all cuts are multiples; all indices where there are no cuts. */
    private static long common(RowGrid cuts) {
        long common = cuts.chunks() == 1 ? cuts.rows() : 0;
        for (int i = 1; i < cuts.chunks(); i++) {
            common = gcd(cuts.start(i), common);
        }
        return common;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** Equal parts of a block that are not too large, cut along the first dimensions. */
    private static Shape fitting(Shape block, DType dtype, boolean dividing) {
        long[] sizes = block.toArray();
        for (int d = 0; d < sizes.length; d++) {
            long behind = dtype.sizeBytes(Shape.of(sizes).numel()) / sizes[d];
            long most = Math.max(1, LARGEST_BYTES / behind);
            long parts = (sizes[d] + most - 1) / most;
            while (dividing && sizes[d] % parts != 0) {
                parts++;
            }
            sizes[d] = (sizes[d] + parts - 1) / parts;
        }
        return Shape.of(sizes);
    }

    /**
     * The cuts that a result needs to be written so; empty where it has them.
     *
     * @param options with chunks
     */
    static Optional<ChunkGrid> needed(Plan.Result result, ZarrOptions options) {
        ChunkGrid grid = result.grid();
        Shape filed = options.shard() == null ? options.chunk() : options.shard();
        RowGrid[] cuts = new RowGrid[grid.shape().rank()];
        if (filed == null || filed.rank() != cuts.length) {
            return Optional.empty(); // which the writer refuses
        }
        for (int d = 0; d < cuts.length; d++) {
            cuts[d] = grid.along(d).rounded(Math.max(1, filed.size(d)));
        }
        ChunkGrid rounded = ChunkGrid.of(grid.shape(), cuts);
        if (rounded.equals(grid)) {
            return Optional.empty();
        }
        boolean large = result.dtype().sizeBytes(rounded.largest().numel()) > LARGER * result.chunkBytes();
        return Optional.of(
                large ? ChunkGrid.ofPieces(grid.shape(), filed, result.dtype(), result.chunkBytes()) : rounded);
    }
}
