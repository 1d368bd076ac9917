package io.github.broadloom.exec.read;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.io.ArrowChunks;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the record batches of an Arrow IPC file or stream lie. Only the messages' heads are read; a file is a stream between a magic
 * number and a footer, so its batches are found in the same way. A task then reads a batch as a stream of its own:
 * what stands before the first batch (the schema), the batch, and the end-of-stream marker.
 */
public final class ArrowIndex implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int MAGIC_BYTES = 8;
    private static final int CONTINUATION = -1;
    private static final int LONGEST_METADATA = 64 << 20;
    private static final long NO_BATCH = -1;
    private static final byte[] END_OF_STREAM = {-1, -1, -1, -1, 0, 0, 0, 0};

    /** A batch: its bytes in the file, and its rows. */
    public record Batch(long offset, long bytes, long rows) implements Serializable {}

    private final Location location;
    private final byte[] schema;
    private final ArrayList<Batch> batches;

    private ArrowIndex(Location location, byte[] schema, ArrayList<Batch> batches) {
        this.location = location;
        this.schema = schema;
        this.batches = batches;
    }

    /** @throws TensorFormatException where it is not an Arrow file or stream, or ends inside a batch */
    public static ArrowIndex open(Location location) throws IOException {
        long length = location.length();
        ArrayList<Batch> batches = new ArrayList<>();
        long schemaEnd = 0;
        long start = start(location);
        long position = start;
        try (InputStream in = location.open()) {
            in.skipNBytes(start);
            while (true) {
                Head head = head(in, location);
                if (head == null) {
                    break;
                }
                if (head.bodyBytes > length - position - head.bytes) {
                    throw new EOFException();
                }
                long end = position + head.bytes + head.bodyBytes;
                if (head.rows != NO_BATCH) {
                    schemaEnd = batches.isEmpty() ? position : schemaEnd;
                    batches.add(new Batch(position, end - position, head.rows));
                }
                in.skipNBytes(head.bodyBytes);
                position = end;
            }
        } catch (EOFException e) {
            throw damaged(location, "it ends inside a message; the file is truncated");
        }
        return new ArrowIndex(location, schema(location, start, batches.isEmpty() ? position : schemaEnd), batches);
    }

    /** Where the stream begins: behind the magic number of a file. */
    private static long start(Location location) throws IOException {
        try (InputStream in = location.open()) {
            byte[] first = in.readNBytes(MAGIC_BYTES);
            boolean file = first.length == MAGIC_BYTES && Arrays.equals(first, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
            return file ? MAGIC_BYTES : 0;
        }
    }

    /** @param rows of a batch; {@link #NO_BATCH} of another message */
    private record Head(long bytes, long bodyBytes, long rows) {
        /** Whatever a garbled flatbuffer makes its parser throw is a damaged file. */
        static Head of(byte[] metadata, long bytes, Location location) throws TensorFormatException {
            try {
                Message message = Message.getRootAsMessage(ByteBuffer.wrap(metadata));
                boolean isBatch = message.headerType() == MessageHeader.RecordBatch;
                RecordBatch batch = isBatch ? (RecordBatch) message.header(new RecordBatch()) : null;
                long rows = batch == null ? NO_BATCH : batch.length();
                if (message.bodyLength() < 0 || isBatch && rows < 0) {
                    throw new IllegalArgumentException("a negative length");
                }
                return new Head(bytes, message.bodyLength(), rows);
            } catch (RuntimeException | AssertionError garbled) {
                throw damaged(location, "its Arrow IPC metadata is garbled; the file is damaged");
            }
        }
    }

    /** Null at the end-of-stream marker: every writer leaves one, and without it a stream that was cut between two batches would look whole. */
    private static @Nullable Head head(InputStream in, Location location) throws IOException {
        int length = integer(in.readNBytes(Integer.BYTES));
        long bytes = Integer.BYTES;
        if (length == CONTINUATION) {
            length = integer(in.readNBytes(Integer.BYTES));
            bytes += Integer.BYTES;
        }
        if (length == 0) {
            return null;
        }
        if (length < 0 || length > LONGEST_METADATA) {
            throw damaged(location, "it does not begin as an Arrow file or stream does, or is damaged");
        }
        byte[] metadata = in.readNBytes(length);
        if (metadata.length < length) {
            throw new EOFException();
        }
        return Head.of(metadata, bytes + length, location);
    }

    private static int integer(byte[] bytes) throws EOFException {
        if (bytes.length < Integer.BYTES) {
            throw new EOFException();
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    private static byte[] schema(Location location, long start, long end) throws IOException {
        try (InputStream in = location.open()) {
            in.skipNBytes(start);
            return in.readNBytes(Math.toIntExact(end - start));
        }
    }

    private static TensorFormatException damaged(Location location, String problem) {
        return new TensorFormatException("Cannot read " + location.name() + ": " + problem);
    }

    Location location() {
        return location;
    }

    public List<Batch> batches() {
        return batches;
    }

    /** The schema as a stream without batches: its dtype and the shape of its rows. */
    ArrowChunks head() throws IOException {
        InputStream bytes =
                new SequenceInputStream(new ByteArrayInputStream(schema), new ByteArrayInputStream(END_OF_STREAM));
        return ArrowIpc.readStream(bytes, location.name());
    }

    /** The batches, each with what its reader needs of the file. */
    List<ArrowReader.Rows> rows() {
        ArrowIndex file = new ArrowIndex(location, schema, new ArrayList<>());
        return batches.stream()
                .<ArrowReader.Rows>map(batch -> new OfBatch(file, batch))
                .toList();
    }

    private record OfBatch(ArrowIndex file, Batch batch) implements ArrowReader.Rows {
        @Override
        public long rows() {
            return batch.rows;
        }

        @Override
        public void read(long start, long end, Tensor target) throws IOException {
            Tensor read = file.read(batch);
            ArrowReader.Rows.copy(read, 0, target, start);
            read.storage().release();
        }
    }

    public Tensor read(Batch batch) throws IOException {
        TaskMeter.count(TaskMetric.FILE_BYTES, batch.bytes());
        try (InputStream in = location.open()) {
            if (in instanceof FSDataInputStream seekable) {
                seekable.seek(batch.offset());
            } else {
                in.skipNBytes(batch.offset());
            }
            InputStream rest = new SequenceInputStream(in, new ByteArrayInputStream(END_OF_STREAM));
            InputStream stream = new SequenceInputStream(new ByteArrayInputStream(schema), rest);
            return ArrowIpc.readStream(stream, location.name())
                    .next()
                    .orElseThrow(() -> damaged(location, "a batch that was there is not there any more"));
        }
    }
}
