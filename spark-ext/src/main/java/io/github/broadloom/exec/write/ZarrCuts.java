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

    private ZarrCuts() {}

    private static RowGrid rows(Plan plan, Shape shape) {
        return plan.last().kind().leavesChunks() && shape.rank() > 0
                ? plan.last().resultGrid().along(0)
                : RowGrid.whole(shape.rank() == 0 ? 1 : shape.size(0));
    }

    /** The options with chunks, of at most 16 MiB, where they have none. */
    static ZarrOptions chosen(Plan plan, ZarrOptions options) {
        DType dtype = plan.last().outputs().get(0).dtype();
        Shape shape = plan.last().outputs().get(0).shape();
        if (options.chunk() != null || shape.rank() == 0) {
            return options;
        }
        long rowBytes = Math.max(1, dtype.sizeBytes(shape.inner().numel()));
        Shape inner = rowBytes > LARGEST_BYTES ? inner(shape.inner(), dtype.bytes()) : ones(shape.inner());
        long rows = rowBytes > LARGEST_BYTES ? 1 : rowsOfChunk(rows(plan, shape), rowBytes);
        return options.withChunk(inner.withLeading(Math.max(1, rows)));
    }

    private static Shape ones(Shape shape) {
        long[] sizes = shape.toArray();
        for (int d = 0; d < sizes.length; d++) {
            sizes[d] = Math.max(1, sizes[d]);
        }
        return Shape.of(sizes);
    }

    /** A part of a row: whole trailing dimensions, and before them equal parts of one. */
    private static Shape inner(Shape row, long elementBytes) {
        long[] sizes = row.toArray();
        long behind = elementBytes * row.numel();
        for (int d = 0; d < sizes.length && behind > LARGEST_BYTES; d++) {
            behind /= sizes[d];
            long most = Math.max(1, LARGEST_BYTES / behind);
            long parts = (sizes[d] + most - 1) / most;
            sizes[d] = (sizes[d] + parts - 1) / parts;
            behind *= sizes[d];
        }
        return Shape.of(sizes);
    }

    private static long rowsOfChunk(RowGrid cuts, long rowBytes) {
        long most = Math.max(1, Math.min(cuts.rows(), LARGEST_BYTES / rowBytes));
        if (cuts.chunks() == 1) {
            return most;
        }
        long common = 0;
        for (int i = 1; i < cuts.chunks(); i++) {
            common = gcd(cuts.start(i), common);
        }
        long parts = (common + most - 1) / most;
        while (common % parts != 0) {
            parts++;
        }
        long rows = common / parts;
        boolean tiny = rows * rowBytes < LEAST_BYTES && cuts.rows() * rowBytes > LEAST_BYTES;
        return tiny ? most : rows;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /**
     * The cuts that a plan needs for its result to be written so; empty where it has them.
     *
     * @param options with chunks
     */
    static Optional<ChunkGrid> needed(Plan plan, ZarrOptions options) {
        Shape shape = plan.last().outputs().get(0).shape();
        Shape filed = options.shard() == null ? options.chunk() : options.shard();
        if (shape.rank() == 0 || filed == null || filed.rank() != shape.rank() || filed.size(0) < 1) {
            return Optional.empty();
        }
        RowGrid cuts = rows(plan, shape);
        RowGrid rounded = cuts.rounded(filed.size(0));
        return rounded.equals(cuts) ? Optional.empty() : Optional.of(ChunkGrid.of(shape, rounded));
    }
}
