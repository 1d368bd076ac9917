package io.github.broadloom.exec.read;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import org.jspecify.annotations.Nullable;

/** Arrays of files, of whichever format, as the planner sees them. */
public final class StoredSources {
    /** Rows whole are read, written and matched most easily: blocks of them may be so many times the usual size before other dimensions are cut, too. */
    private static final int ROWS_WORTH = 8;

    private StoredSources() {}

    public static Store store(Location location) {
        return new LocationStore(location);
    }

    /** @param name how a person would call it */
    public static Source of(String name, StoredArray array, Settings settings) {
        String called = array.key().isEmpty() ? name : name + ":" + array.key();
        return new FileSource(called, called, array.dtype(), array.shape(), grid(array, settings), array.reader());
    }

    /** Blocks of whole chunks, about as large as blocks are; null where any box is read by itself. */
    static @Nullable ChunkGrid grid(StoredArray array, Settings settings) {
        Shape shape = array.shape();
        if (shape.rank() == 0 || shape.numel() == 0 || array.readsAnyBox()) {
            return null;
        }
        long[] block = block(array, settings.chunkBytesOf(array.dtype().sizeBytes(shape.numel())));
        RowGrid[] cuts = new RowGrid[shape.rank()];
        for (int d = 0; d < cuts.length; d++) {
            cuts[d] = RowGrid.ofRows(shape.size(d), block[d]);
        }
        return ChunkGrid.of(shape, cuts);
    }

    private static long[] block(StoredArray array, long blockBytes) {
        Shape shape = array.shape();
        long[] block = new long[shape.rank()];
        double bytes = array.dtype().bytes();
        for (int d = 0; d < block.length; d++) {
            block[d] = Math.min(array.chunk().size(d), shape.size(d));
            bytes *= block[d];
        }
        for (int d = block.length - 1; d >= 0; d--) {
            double most = d == 0 ? blockBytes : (double) blockBytes * ROWS_WORTH;
            if (bytes / block[d] * shape.size(d) <= most) {
                bytes = bytes / block[d] * shape.size(d);
                block[d] = shape.size(d);
            } else {
                block[d] = Math.max(1, (long) (blockBytes / bytes)) * block[d];
                break;
            }
        }
        return block;
    }
}
