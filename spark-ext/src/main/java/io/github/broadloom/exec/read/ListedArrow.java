package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.io.ArrowChunks;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/** An Arrow file that a manifest lists: nobody has looked into it before a task reads its rows. */
record ListedArrow(Location location, DType dtype, Shape inner, Part part) implements ArrowRows {
    private static final long serialVersionUID = 1L;

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
                    index.batches().stream().mapToLong(ArrowIndex.Batch::rows).sum());
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
                ArrowRows.copy(batch, rows, target, 0);
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
        return new TensorFormatException("Cannot read " + location + ": it is not the part of " + rows() + " rows of "
                + dtype + " " + inner + " any more that it was when it was opened; open it again");
    }
}
