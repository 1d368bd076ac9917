package io.github.broadloom.exec.read;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import org.jspecify.annotations.Nullable;

/** Arrays of files, of whichever format, as the planner sees them. */
public final class StoredSources {
    private StoredSources() {}

    public static Store store(Location location) {
        return new LocationStore(location);
    }

    /** @param name how a person would call it */
    public static Source of(String name, StoredArray array, Settings settings) {
        String called = array.key().isEmpty() ? name : name + ":" + array.key();
        @Nullable ChunkGrid grid = grid(array, settings);
        @Nullable Shape piece = grid == null ? null : array.chunk();
        return new FileSource(called, called, array.dtype(), array.shape(), grid, piece, array.reader());
    }

    /** Blocks of whole chunks, about as large as blocks are; null where any box is read by itself. */
    static @Nullable ChunkGrid grid(StoredArray array, Settings settings) {
        Shape shape = array.shape();
        if (shape.rank() == 0 || shape.numel() == 0 || array.readsAnyBox()) {
            return null;
        }
        long blockBytes = settings.chunkBytesOf(array.dtype().sizeBytes(shape.numel()));
        return ChunkGrid.ofPieces(shape, array.chunk(), array.dtype(), blockBytes);
    }
}
