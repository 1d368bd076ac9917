package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.plan.Box;
import io.github.broadloom.plan.FileRanges;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/** One npy file whose header and length were checked: what a task needs to read its rows. */
final class NpyFile implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Location location;
    private final DType dtype;
    private final Shape shape;
    private final int dataOffset;
    private final boolean bigEndian;
    private final boolean fortran;
    /** What a manifest says of it. */
    private final @Nullable Part part;

    private NpyFile(Location location, NpyHeader header, @Nullable Part part) {
        this.part = part;
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
        return new NpyFile(location, header, null);
    }

    /** A part that a manifest lists, as Broadloom writes it: a look into it can wait for the task that reads it. */
    static NpyFile listed(Location location, DType dtype, Shape shape, Part part) throws IOException {
        NpyHeader header = NpyHeader.of(dtype, shape);
        header.checkFileLength(part.bytes(), location.name());
        return new NpyFile(location, header, part);
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

    /** A box of the array, in memory of its own: of a Fortran-ordered file the view of what lies in the file row by row. */
    Tensor read(Box box) throws IOException {
        checkUnchanged();
        Tensor read = TensorBytes.filled(Tensors.empty(dtype, inFile(box).shape()), elements -> {
            try (Runs runs = new Runs(location, header())) {
                ranges(box).forEach(range -> read(runs, range, inFile(box), elements));
            }
            if (part != null && box.equals(Box.whole(shape))) {
                check(part, elements);
            }
        });
        return fortran ? read.permute(reversed(read.rank())) : read;
    }

    /** Only where it is read whole: ranges are not paid twice. */
    private void check(Part expected, Tensor read) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(header().encode());
        TensorBytes.add(read, crc);
        expected.check(crc, location);
    }

    private void read(Runs runs, FileRanges.Range range, Box box, Tensor target) throws IOException {
        Tensor place = range.part().of(target, box);
        if (range.isExact()) {
            runs.read(range.first(), range.elements(), target.storage(), place.address() - target.address());
            return;
        }
        Storage all = Storage.allocate(range.elements() * dtype.bytes());
        try {
            runs.read(range.first(), range.elements(), all, 0);
            place.copy_(Tensor.of(dtype, range.layout(), all));
        } finally {
            all.release();
        }
    }

    long costBytes(Box box) {
        return ranges(box).costBytes();
    }

    /** What a range of a box takes that is picked out of it. */
    long readingBytes(Box box) {
        return ranges(box.intersection(Box.whole(shape))).readingBytes();
    }

    private FileRanges ranges(Box box) {
        long[] sizes = shape.toArray();
        return new FileRanges(Shape.of(fortran ? reversed(sizes) : sizes), inFile(box), dtype.bytes());
    }

    /** The box as the file has it: in Fortran order the last dimension comes first. */
    private Box inFile(Box box) {
        return fortran
                ? Box.at(reversed(box.starts()), Shape.of(reversed(box.shape().toArray())))
                : box;
    }

    private static long[] reversed(long[] numbers) {
        long[] reversed = new long[numbers.length];
        Arrays.setAll(reversed, d -> numbers[numbers.length - 1 - d]);
        return reversed;
    }

    private static int[] reversed(int rank) {
        int[] order = new int[rank];
        Arrays.setAll(order, d -> rank - 1 - d);
        return order;
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

    private NpyHeader header() {
        ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        return new NpyHeader(dtype, order, fortran, shape, dataOffset);
    }

    /** A npy file, open for reading runs of its elements; local ones go straight to off-heap memory. */
    private static final class Runs implements Closeable {
        private static final int LARGEST_VIEW = 1 << 30;

        private final Location location;
        private final NpyHeader header;
        private final Closeable input;

        Runs(Location location, NpyHeader header) throws IOException {
            this.location = location;
            this.header = header;
            this.input =
                    location.isLocal() ? FileChannel.open(location.local(), StandardOpenOption.READ) : location.open();
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

        private void fill(FileChannel channel, long position, Storage target, long offset, long bytes)
                throws IOException {
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
}
