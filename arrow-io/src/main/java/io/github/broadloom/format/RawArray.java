package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Bytes;
import io.github.broadloom.io.RawElements;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.List;

/**
 * A row-major array whose elements lie one after the other in a file, as numbers of one byte order. Of a box only the ranges are read that hold it.
 *
 * @param key of the file in the store
 * @param position of the first element, in bytes
 * @param bigEndian whether the highest byte of an element comes first
 */
public record RawArray(Store store, String key, long position, DType dtype, boolean bigEndian, Shape shape)
        implements BlockReader {
    /** @throws TensorFormatException where the file ends before it, or was shortened meanwhile */
    @Override
    public Tensor read(Box box) throws IOException {
        try (SeekableByteChannel in = store.open(key)) {
            return read(box, in);
        }
    }

    private Tensor read(Box box, SeekableByteChannel in) throws IOException {
        Tensor tensor = Tensors.empty(dtype, box.shape());
        boolean complete = false;
        try {
            read(in, box, tensor);
            complete = true;
            return tensor;
        } finally {
            if (!complete) {
                tensor.release();
            }
        }
    }

    /**
     * Reads a box of a file that is open already into a tensor of its shape.
     *
     * @throws TensorFormatException as {@link #read(Box)}
     */
    public void read(SeekableByteChannel in, Box box, Tensor target) throws IOException {
        ranges(box).forEach(range -> read(in, range, box, target));
    }

    private void read(SeekableByteChannel in, FileRanges.Range range, Box box, Tensor target) throws IOException {
        Tensor place = range.part().of(target, box);
        if (range.isExact() && place.isContiguous()) {
            read(in, range, target.storage(), place.address() - target.storage().address());
            return;
        }
        if (range.isExact() && range.elements() * dtype.bytes() > FileRanges.LONGEST_BYTES) {
            for (Box half : halves(range.part())) {
                read(in, half, half.of(target, box));
            }
            return;
        }
        Storage all = Storage.allocate(range.elements() * dtype.bytes());
        try {
            read(in, range, all, 0);
            place.copy_(Tensor.of(dtype, range.layout(), all));
        } finally {
            all.release();
        }
    }

    /** Each of which is one range, as the whole is. */
    private static List<Box> halves(Box part) {
        int d = 0;
        while (part.size(d) == 1) {
            d++;
        }
        long middle = (part.start(d) + part.end(d)) / 2;
        return List.of(part.with(d, part.start(d), middle), part.with(d, middle, part.end(d)));
    }

    private void read(SeekableByteChannel in, FileRanges.Range range, Storage target, long offset) throws IOException {
        long bytes = range.elements() * dtype.bytes();
        long first = position + range.first() * dtype.bytes();
        try (Hold hold = Hold.of(target)) {
            in.position(first);
            long held = Bytes.fill(in, target, offset, bytes);
            if (held < bytes) {
                throw endsAt(first + held);
            }
            RawElements.toNative(dtype, order(bigEndian), target, offset, range.elements());
        }
        if (in.size() < first + bytes) {
            throw endsAt(in.size()); // what is read while somebody shortens a file may end in zeros
        }
    }

    private static ByteOrder order(boolean bigEndian) {
        return bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private TensorFormatException endsAt(long end) {
        return new TensorFormatException("Cannot read " + store.name(key) + ": it ends at byte " + end
                + ", inside its elements; was it replaced while it was read?");
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return ranges(box).costBytes();
    }

    /** What a range of a box takes that is picked out of it. */
    @Override
    public long readingBytes(Shape box) {
        return ranges(Box.whole(box).intersection(Box.whole(shape))).readingBytes();
    }

    private FileRanges ranges(Box box) {
        return new FileRanges(shape, box, dtype.bytes(), store.stepBytes());
    }
}
