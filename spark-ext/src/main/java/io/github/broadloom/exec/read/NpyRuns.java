package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.fs.FSDataInputStream;

/** A npy file, open for reading runs of its elements; local ones go straight to off-heap memory. */
final class NpyRuns implements Closeable {
    private static final int LARGEST_VIEW = 1 << 30;

    private final Location location;
    private final NpyHeader header;
    private final Closeable input;

    NpyRuns(Location location, NpyHeader header) throws IOException {
        this.location = location;
        this.header = header;
        this.input = location.isLocal() ? FileChannel.open(location.local(), StandardOpenOption.READ) : location.open();
    }

    /** Reads elements to {@code offset} bytes from the storage's beginning, in the machine's byte order. */
    void read(long firstElement, long elements, Storage target, long offset) throws IOException {
        DType dtype = header.dtype();
        long bytes = elements * dtype.bytes();
        TaskMeter.count(TaskMetric.FILE_BYTES, bytes);
        long position = header.dataOffset() + firstElement * dtype.bytes();
        try (Hold held = Hold.of(target)) {
            if (input instanceof FileChannel channel && dtype != DType.BOOL) {
                fill(channel, position, target, offset, bytes);
                swap(target, offset, elements);
            } else {
                Npy.readInto(at(position), header, target, offset, elements, location.name());
            }
        }
        if (input instanceof FileChannel channel && channel.size() < position + bytes) {
            throw endsAt(channel.size()); // what is read while somebody shortens a file may end in zeros
        }
    }

    private InputStream at(long position) throws IOException {
        if (input instanceof FileChannel channel) {
            return Channels.newInputStream(channel.position(position));
        }
        FSDataInputStream stream = (FSDataInputStream) input;
        stream.seek(position);
        return stream;
    }

    private void fill(FileChannel channel, long position, Storage target, long offset, long bytes) throws IOException {
        for (long done = 0; done < bytes; ) {
            Cancellation.check();
            ByteBuffer view = target.buffer().nioBuffer(offset + done, (int) Math.min(bytes - done, LARGEST_VIEW));
            int read = channel.read(view, position + done);
            if (read < 0) {
                throw endsAt(position + done);
            }
            done += read;
        }
    }

    private TensorFormatException endsAt(long position) {
        return new TensorFormatException("Cannot read " + location.name() + ": it ends at byte " + position
                + ", inside its elements; was it replaced while it was read?");
    }

    private void swap(Storage target, long offset, long elements) {
        if (header.order() != ByteOrder.nativeOrder() && header.dtype().bytes() > 1) {
            RawMemory.swapBytes(
                    target.address() + offset, elements, header.dtype().bytes());
        }
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
