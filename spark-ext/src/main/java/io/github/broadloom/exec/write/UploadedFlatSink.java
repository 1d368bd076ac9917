package io.github.broadloom.exec.write;

import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** One file in an object store, of which each task uploads its part: no byte is stored twice, and the file is there when all are. */
final class UploadedFlatSink extends Sink {
    /** Of S3; but the last part may be smaller. */
    private static final long SMALLEST_PART_BYTES = 5L << 20;
    /** Of S3. */
    private static final int MOST_PARTS = 10_000;

    private final FlatFile file;
    private @Nullable Upload upload;

    UploadedFlatSink(Location target, WriteMode mode, FlatFile file) {
        super(target, mode);
        this.file = file;
    }

    static boolean takes(ChunkGrid chunks, FlatFile file) {
        boolean large = chunks.chunks() <= MOST_PARTS;
        for (int i = 0; large && i < chunks.chunks() - 1; i++) {
            large = file.dtype().sizeBytes(chunks.box(i).shape().numel()) >= SMALLEST_PART_BYTES;
        }
        return large;
    }

    @Override
    public void begin() throws IOException {
        Targets.checkFile(target, mode);
        upload = Upload.start(target);
    }

    private Upload upload() {
        if (upload == null) {
            throw new IllegalStateException("Nothing was begun: " + target);
        }
        return upload;
    }

    @Override
    public ChunkWriter writer() {
        return InFileOrder.of(file, new Writer(upload(), file));
    }

    private record Writer(Upload upload, FlatFile file) implements ChunkWriter {
        @Override
        public Part write(Tensor chunk, int index, long firstRow, long attempt) throws IOException {
            byte[] head = index == 0 ? file.head() : new byte[0];
            long rows = chunk.rank() == 0 ? 1 : chunk.shape().size(0);
            boolean last = chunk.rank() == 0 || firstRow + rows == file.shape().size(0);
            byte[] tail = new byte[last ? file.padding() : 0];
            long bytes = head.length + TensorBytes.count(chunk) + tail.length;
            CRC32C crc = new CRC32C();
            crc.update(head);
            TensorBytes.add(chunk, crc);
            crc.update(tail);
            byte[] receipt = upload.put(index + 1, last, new TensorInput(head, chunk, tail.length), bytes);
            return new Part(PartFormat.RAW.fileName(index), rows, bytes, (int) crc.getValue(), receipt);
        }
    }

    @Override
    public void commit(List<Part> parts) throws IOException {
        long bytes = 0;
        List<byte[]> receipts = new ArrayList<>();
        for (Part part : parts) {
            bytes += part.bytes();
            receipts.add(part.receipt());
        }
        JoinedFlatSink.checkLength(file, bytes, target);
        Targets.checkFile(target, mode);
        upload().complete(receipts);
        upload = null;
        long stored = target.bytesOrSoon(bytes);
        if (stored != bytes) {
            throw new IOException("Cannot write " + target + ": " + bytes + " bytes were uploaded, and "
                    + (stored < 0 ? "nothing" : stored + " bytes") + " came of it; write it again");
        }
    }

    @Override
    public void abort() {
        Upload begun = upload;
        if (begun != null) {
            Temporaries.tidy(target, begun::abort);
        }
    }

    /**
     * Some bytes, behind them the elements of a contiguous tensor from off-heap memory, and zeros. It can be read again from a mark, which who uploads it does where the network
     * fails.
     */
    private static final class TensorInput extends InputStream {
        private final byte[] head;
        private final Tensor tensor;
        private final long elements;
        private final long end;
        private long position;
        private long mark;

        TensorInput(byte[] head, Tensor tensor, int zeros) {
            this.head = head;
            this.tensor = tensor;
            this.elements = head.length + TensorBytes.count(tensor);
            this.end = elements + zeros;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            if (position == end) {
                return -1;
            }
            long pieceEnd = position < head.length ? head.length : position < elements ? elements : end;
            int count = (int) Math.min(length, pieceEnd - position);
            if (pieceEnd == head.length) {
                System.arraycopy(head, (int) position, target, offset, count);
            } else if (position >= elements) {
                Arrays.fill(target, offset, offset + count, (byte) 0);
            } else {
                try (Hold held = Hold.of(tensor)) {
                    RawMemory.copy(tensor.address() + position - head.length, target, offset, count);
                }
            }
            position += count;
            return count;
        }

        @Override
        public int available() {
            return (int) Math.min(end - position, Integer.MAX_VALUE);
        }

        @Override
        public boolean markSupported() {
            return true;
        }

        @Override
        public void mark(int limit) {
            mark = position;
        }

        @Override
        public void reset() {
            position = mark;
        }
    }
}
