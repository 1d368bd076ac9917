package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.RawElements;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;

/**
 * An array whose rows lie apart in a file, one in each record of one length, and otherwise as those of a {@link RawArray}. Records are read several at once where what lies between the
 * rows is little, and row by row where it is much.
 *
 * @param position of the first element of the first record, in bytes
 * @param recordBytes from an element to that of the next record; no multiple of an element's size where the format does not make it one
 * @param shape of at least one dimension, the first of which counts records
 */
public record RecordArray(
        Store store, String key, long position, long recordBytes, DType dtype, boolean bigEndian, Shape shape)
        implements BlockReader {
    private static final long LONGEST_BYTES = 1 << 20;

    @Override
    public Tensor read(Box box) throws IOException {
        Tensor tensor = Tensors.empty(dtype, box.shape());
        boolean complete = false;
        try (SeekableByteChannel in = store.open(key)) {
            long batch = isJoined() ? Math.max(1, LONGEST_BYTES / recordBytes) : 1;
            for (long first = box.start(0); first < box.end(0) && !box.isEmpty(); first += batch) {
                Cancellation.check();
                Box part = box.with(0, first, Math.min(first + batch, box.end(0)));
                if (isJoined()) {
                    readJoined(in, part, part.of(tensor, box));
                } else {
                    row(first).read(in, part.with(0, 0, 1), part.of(tensor, box));
                }
            }
            complete = true;
            return tensor;
        } finally {
            if (!complete) {
                tensor.release();
            }
        }
    }

    /** Whether records are read with what lies between them. */
    private boolean isJoined() {
        return recordBytes <= FileRanges.STEP_BYTES;
    }

    private RawArray row(long record) {
        return new RawArray(
                store,
                key,
                position + record * recordBytes,
                dtype,
                bigEndian,
                Box.whole(shape).with(0, 0, 1).shape());
    }

    /** The rows are moved together, so that they are an array, and the box is copied out of that. */
    private void readJoined(SeekableByteChannel in, Box box, Tensor target) throws IOException {
        long records = box.size(0);
        Box rows = Box.whole(shape).with(0, 0, records);
        long rowBytes = dtype.sizeBytes(rows.shape().numel() / records);
        long bytes = (records - 1) * recordBytes + rowBytes;
        RawArray range =
                new RawArray(store, key, position + box.start(0) * recordBytes, DType.UINT8, false, Shape.of(bytes));
        Tensor all = Tensors.empty(DType.UINT8, range.shape());
        try {
            range.read(in, Box.whole(range.shape()), all);
            Storage storage = all.storage();
            for (long r = 1; r < records; r++) {
                RawMemory.copy(storage.address() + r * recordBytes, storage.address() + r * rowBytes, rowBytes);
            }
            Tensor array = RawElements.array(
                    storage, dtype, bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, rows.shape());
            target.copy_(box.with(0, 0, records).of(array));
        } finally {
            all.release();
        }
    }

    /** Steps from record to record, or all that lies between. */
    @Override
    public long costBytes(Box box, long ofWholeRows) {
        if (box.isEmpty()) {
            return 0;
        }
        return isJoined()
                ? box.size(0) * recordBytes
                : box.size(0) * (row(0).costBytes(box.with(0, 0, 1), ofWholeRows) + FileRanges.STEP_BYTES);
    }

    @Override
    public long readingBytes(Shape box) {
        return isJoined() ? Math.max(recordBytes, LONGEST_BYTES) : row(0).readingBytes(box);
    }
}
