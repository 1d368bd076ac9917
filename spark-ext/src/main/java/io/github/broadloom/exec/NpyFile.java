package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.fs.FSDataInputStream;

/** One npy file whose header and length were checked: what a task needs to read its rows. */
final class NpyFile implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int LARGEST_VIEW = 1 << 30;

    private final Location location;
    private final DType dtype;
    private final Shape shape;
    private final int dataOffset;
    private final boolean bigEndian;
    private final boolean fortran;

    private NpyFile(Location location, NpyHeader header) {
        this.location = location;
        this.dtype = header.dtype();
        this.shape = header.shape();
        this.dataOffset = header.dataOffset();
        this.bigEndian = header.order() == ByteOrder.BIG_ENDIAN;
        // Of one dimension, or none, both orders are the same.
        this.fortran = header.fortranOrder() && header.shape().rank() > 1;
    }

    /**
     * Reads the header alone, and holds it against the file's length.
     *
     * @throws TensorFormatException where it is not a npy file, or not a whole one
     */
    static NpyFile open(Location location) throws IOException {
        NpyHeader header;
        try (InputStream in = location.open()) {
            header = NpyHeader.read(in, location.name());
        }
        header.checkFileLength(location.length(), location.name());
        return new NpyFile(location, header);
    }

    Location location() {
        return location;
    }

    DType dtype() {
        return dtype;
    }

    Shape shape() {
        return shape;
    }

    boolean isFortran() {
        return fortran;
    }

    long rows() {
        return shape.rank() == 0 ? 1 : shape.size(0);
    }

    /** The elements of one row. */
    private long rowNumel() {
        return shape.rank() == 0 ? 1 : shape.inner().numel();
    }

    /** Reads rows of the file to {@code targetOffset} bytes from the storage's beginning, in C order and the machine's byte order. */
    void read(long start, long end, Storage target, long targetOffset) throws IOException {
        long elements = (end - start) * rowNumel();
        if (elements == 0) {
            return;
        }
        checkUnchanged();
        Meter.count(Counted.FILE_BYTES, elements * dtype.bytes());
        if (fortran) {
            readFortran(start, end, target, targetOffset);
        } else {
            readRun(start * rowNumel(), elements, target, targetOffset);
        }
    }

    /** A handle outlives its file's contents: elements of another dtype or shape would be read as garbage. */
    private void checkUnchanged() throws IOException {
        NpyFile now = open(location);
        boolean same = now.dtype == dtype
                && now.shape.equals(shape)
                && now.dataOffset == dataOffset
                && now.bigEndian == bigEndian
                && now.fortran == fortran;
        if (!same) {
            throw new TensorFormatException("Cannot read " + location.name() + ": it was " + dtype + " " + shape
                    + " when it was opened and was replaced by " + now.dtype + " " + now.shape
                    + " since; open it again");
        }
    }

    private void readRun(long firstElement, long elements, Storage target, long targetOffset) throws IOException {
        long position = dataOffset + firstElement * dtype.bytes();
        if (location.isLocal() && dtype != DType.BOOL) {
            try (FileChannel channel = FileChannel.open(location.local(), StandardOpenOption.READ)) {
                fill(channel, position, target, targetOffset, elements * dtype.bytes());
            }
            swap(target, targetOffset, elements);
            return;
        }
        try (InputStream in = location.open()) {
            if (in instanceof FSDataInputStream seekable) {
                seekable.seek(position);
            } else {
                in.skipNBytes(position);
            }
            Npy.readInto(in, header(), target, targetOffset, elements, location.name());
        }
    }

    private NpyHeader header() {
        ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        return new NpyHeader(dtype, order, fortran, shape, dataOffset);
    }

    private void fill(FileChannel channel, long position, Storage target, long offset, long bytes) throws IOException {
        for (long done = 0; done < bytes; ) {
            ByteBuffer view = target.buffer().nioBuffer(offset + done, (int) Math.min(bytes - done, LARGEST_VIEW));
            int read = channel.read(view, position + done);
            if (read < 0) {
                throw new TensorFormatException("Cannot read " + location.name() + ": it ends at byte "
                        + (position + done) + ", inside its elements; was it replaced while it was read?");
            }
            done += read;
        }
        Reference.reachabilityFence(target);
    }

    private void swap(Storage target, long offset, long elements) {
        boolean foreign = bigEndian != (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN);
        if (foreign && dtype.bytes() > 1) {
            RawMemory.swapBytes(target.address() + offset, elements, dtype.bytes());
            Reference.reachabilityFence(target);
        }
    }

    /** For every index of the inner dimensions the rows lie side by side: reads that run, then lays it out across the rows. */
    private void readFortran(long start, long end, Storage target, long targetOffset) throws IOException {
        long rows = end - start;
        int width = dtype.bytes();
        Storage run = Storage.allocate(rows * width);
        long[] index = new long[shape.rank()];
        try (FortranRuns runs = new FortranRuns()) {
            for (long i = 0; i < rowNumel(); i++) {
                runs.read(start + fortranPosition(index), rows, run);
                long to = target.address() + targetOffset + i * width;
                for (long row = 0; row < rows; row++) {
                    RawMemory.copy(run.address() + row * width, to + row * rowNumel() * width, width);
                }
                advance(index);
            }
        } finally {
            run.release();
            Reference.reachabilityFence(target);
        }
    }

    /** Where row 0 of the inner index lies, in elements. */
    private long fortranPosition(long[] index) {
        long position = 0;
        long stride = shape.size(0);
        for (int d = 1; d < shape.rank(); d++) {
            position += index[d] * stride;
            stride *= shape.size(d);
        }
        return position;
    }

    /** The next inner index in row-major order. */
    private void advance(long[] index) {
        for (int d = shape.rank() - 1; d > 0; d--) {
            if (++index[d] < shape.size(d)) {
                return;
            }
            index[d] = 0;
        }
    }

    /** The file, open for many short reads. */
    private final class FortranRuns implements AutoCloseable {
        private final AutoCloseable input =
                location.isLocal() ? FileChannel.open(location.local(), StandardOpenOption.READ) : location.open();

        FortranRuns() throws IOException {}

        void read(long firstElement, long elements, Storage run) throws IOException {
            long position = dataOffset + firstElement * dtype.bytes();
            if (input instanceof FileChannel channel && dtype != DType.BOOL) {
                fill(channel, position, run, 0, elements * dtype.bytes());
                swap(run, 0, elements);
            } else if (input instanceof FileChannel channel) {
                channel.position(position);
                InputStream in = java.nio.channels.Channels.newInputStream(channel);
                Npy.readInto(in, header(), run, 0, elements, location.name());
            } else {
                FSDataInputStream in = (FSDataInputStream) input;
                in.seek(position);
                Npy.readInto(in, header(), run, 0, elements, location.name());
            }
        }

        @Override
        public void close() throws IOException {
            if (input instanceof java.io.Closeable closeable) {
                closeable.close();
            }
        }
    }
}
