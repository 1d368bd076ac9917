package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Manifest;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.io.ArrowChunks;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/** Opens Arrow IPC files and streams: the schema and the places of the batches are read here, the batches by the tasks. */
public final class ArrowSources {
    private ArrowSources() {}

    /**
     * An Arrow file or stream, or a folder of {@code part-NNNNN.arrow} files whose rows follow each other.
     *
     * @param mode whether a folder must have a manifest
     * @throws TensorFormatException where a file is not what its name says, or not whole
     * @throws java.nio.file.NoSuchFileException where there is none
     */
    public static Source open(String path, SparkContext context, Settings settings, ManifestMode mode)
            throws IOException {
        Location location = Location.of(path, context);
        location.checkExists();
        if (!location.isDirectory()) {
            return fromFound(location, List.of(location), settings);
        }
        Manifest manifest = Manifest.read(location, PartFormat.ARROW);
        return manifest == null
                ? fromFound(location, Parts.of(location, PartFormat.ARROW, mode), settings)
                : fromListed(location, manifest, settings);
    }

    private static Source fromListed(Location folder, Manifest manifest, Settings settings) {
        Shape shape = manifest.shape();
        Shape inner = shape.rank() == 0 ? shape : shape.inner();
        List<ArrowReader.Rows> files = new ArrayList<>();
        for (Part part : manifest.parts()) {
            files.add(new ListedArrow(folder.child(part.name()), manifest.dtype(), inner, part));
        }
        return source(folder, files, manifest.dtype(), shape, settings);
    }

    private static Source fromFound(Location location, List<Location> parts, Settings settings) throws IOException {
        ArrowIndex[] files = Parts.opened(parts, ArrowIndex::open).toArray(ArrowIndex[]::new);
        List<ArrowReader.Rows> batches = new ArrayList<>();
        for (ArrowIndex file : files) {
            batches.addAll(file.rows());
        }
        List<Long> rows = batches.stream().map(ArrowReader.Rows::rows).toList();
        try (ArrowChunks first = files[0].head()) {
            for (ArrowIndex file : files) {
                checkAlike(files[0], first, file);
            }
            Shape shape = shape(files, first.inner(), rows);
            return source(location, batches, first.dtype(), shape, settings);
        }
    }

    /** @param files what is read in one go */
    private static Source source(
            Location location, List<ArrowReader.Rows> files, DType dtype, Shape shape, Settings settings) {
        List<Long> rows = files.stream().map(ArrowReader.Rows::rows).toList();
        @Nullable ChunkGrid grid = shape.rank() == 0 || shape.size(0) == 0
                ? null
                : ChunkGrid.of(shape, cuts(rows, shape.inner().numel() * dtype.bytes(), settings.chunkBytes()));
        String name = location.fileName();
        return new FileSource(name, name, dtype, shape, grid, null, new ArrowReader(files, dtype, shape));
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

    /** An Arrow file that a manifest lists: nobody has looked into it before a task reads its rows. */
    private record ListedArrow(Location location, DType dtype, Shape inner, Part part) implements ArrowReader.Rows {
        /** What stands before the stream in a file. */
        private static final int MAGIC_BYTES = 8;

        @Override
        public long rows() {
            return part.rows();
        }

        @Override
        public void read(long start, long end, Tensor target) throws IOException {
            if (start == 0 && end == rows()) {
                readWhole(target);
                return;
            }
            ArrowIndex index = ArrowIndex.open(location);
            try (ArrowChunks head = index.head()) {
                check(
                        head,
                        index.batches().stream()
                                .mapToLong(ArrowIndex.Batch::rows)
                                .sum());
            }
            new ArrowReader(index.rows(), dtype, inner).read(start, end, target);
        }

        /** In one go, as the checksum is of all bytes. */
        private void readWhole(Tensor target) throws IOException {
            TaskMeter.count(TaskMetric.FILE_BYTES, part.bytes());
            CRC32C crc = new CRC32C();
            long rows = 0;
            try (InputStream in = new CheckedInputStream(location.open(), crc)) {
                in.skipNBytes(MAGIC_BYTES);
                // Not closed: what follows the stream is part of the file.
                ArrowChunks chunks = ArrowIpc.readStream(in, location.name());
                check(chunks, rows());
                for (Optional<Tensor> next = chunks.next(); next.isPresent(); next = chunks.next()) {
                    Tensor batch = next.get();
                    ArrowReader.Rows.copy(batch, rows, target, 0);
                    rows += batch.rank() == 0 ? 1 : batch.shape().size(0);
                    batch.storage().release();
                }
                in.transferTo(OutputStream.nullOutputStream());
            }
            part.check(crc, location);
            if (rows != rows()) {
                throw replaced();
            }
        }

        private void check(ArrowChunks chunks, long rows) throws IOException {
            if (chunks.dtype() != dtype || !chunks.inner().equals(inner) || rows != rows()) {
                throw replaced();
            }
        }

        private TensorFormatException replaced() {
            return new TensorFormatException("Cannot read " + location + ": it is not the part of " + rows()
                    + " rows of " + dtype + " " + inner + " any more that it was when it was opened; open it again");
        }
    }
}
