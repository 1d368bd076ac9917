package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.ArrowChunks;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** Opens Arrow IPC files and streams: the schema and the places of the batches are read here, the batches by the tasks. */
public final class ArrowSources {
    private ArrowSources() {}

    /**
     * An Arrow file or stream, or a folder of {@code part-NNNNN.arrow} files whose rows follow each other.
     *
     * @throws TensorFormatException where a file is not what its name says, or not whole
     * @throws java.nio.file.NoSuchFileException where there is none
     */
    public static Source open(String path, Configuration configuration, Settings settings) throws IOException {
        Location location = Location.of(path, configuration);
        location.checkExists();
        List<Location> parts = location.isDirectory() ? Parts.of(location, "arrow") : List.of(location);
        ArrowIndex[] files = new ArrowIndex[parts.size()];
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < files.length; i++) {
            files[i] = ArrowIndex.open(parts.get(i));
            files[i].batches().forEach(batch -> rows.add(batch.rows()));
        }
        try (ArrowChunks first = files[0].head()) {
            for (ArrowIndex file : files) {
                checkAlike(files[0], first, file);
            }
            Shape shape = shape(files, first.inner(), rows);
            @Nullable ChunkGrid grid = shape.rank() == 0 || shape.size(0) == 0
                    ? null
                    : ChunkGrid.of(
                            shape,
                            cuts(rows, first.inner().numel() * first.dtype().bytes(), settings.chunkBytes()));
            DType dtype = first.dtype();
            String name = location.fileName();
            return new FileSource(name, name, dtype, shape, grid, new ArrowReader(files, dtype, shape));
        }
    }

    private static void checkAlike(ArrowIndex firstFile, ArrowChunks first, ArrowIndex file) throws IOException {
        try (ArrowChunks other = file.head()) {
            if (other.dtype() != first.dtype() || !other.inner().equals(first.inner())) {
                throw new TensorFormatException("Cannot read " + file.location().name() + " after "
                        + firstFile.location().name() + ": rows of " + other.dtype() + " " + other.inner()
                        + " do not continue rows of " + first.dtype() + " " + first.inner());
            }
        }
    }

    private static Shape shape(ArrowIndex[] files, Shape inner, List<Long> rows) throws IOException {
        if (inner.rank() == 0 && rows.size() == 1 && rows.get(0) == 1) {
            // One number: of a tensor without dimensions, or of one row.
            Tensor only = files[0].read(files[0].batches().get(0));
            Shape shape = only.shape();
            only.storage().release();
            return shape;
        }
        long[] sizes = new long[inner.rank() + 1];
        sizes[0] = rows.stream().mapToLong(Long::longValue).sum();
        System.arraycopy(inner.toArray(), 0, sizes, 1, inner.rank());
        return Shape.of(sizes);
    }

    /** Cuts between batches, so that no batch is read twice; small ones are taken together. */
    private static RowGrid cuts(List<Long> rows, long rowBytes, long chunkBytes) {
        List<Long> bounds = new ArrayList<>(List.of(0L));
        long start = 0;
        long end = 0;
        for (long batch : rows) {
            if (end > start && (end + batch - start) * rowBytes > chunkBytes) {
                bounds.add(end);
                start = end;
            }
            end += batch;
        }
        bounds.add(end);
        return RowGrid.of(bounds.stream().mapToLong(Long::longValue).toArray());
    }
}
