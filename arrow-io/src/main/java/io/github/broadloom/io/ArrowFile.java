package io.github.broadloom.io;

import io.github.broadloom.arrow.TensorColumn;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.ArrowMessages.Batch;
import io.github.broadloom.io.ArrowMessages.TensorSchema;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;

/** Reads a file in Arrow's IPC file format by its footer: first where everything is, then the rows, each to its place. */
final class ArrowFile {
    /** The footer's length and the magic, at the end of the file. */
    private static final int TAIL_BYTES = Integer.BYTES + ArrowIpcWriter.MAGIC.length;

    private final FileChannel channel;
    private final String name;
    private final long fileBytes;

    private ArrowFile(FileChannel channel, String name) throws IOException {
        this.channel = channel;
        this.name = name;
        this.fileBytes = channel.size();
    }

    /** A batch with the place of its body in the file. */
    private record Located(Batch batch, long dataPosition) {}

    static Tensor read(FileChannel channel, String name) throws IOException {
        return new ArrowFile(channel, name).read();
    }

    private Tensor read() throws IOException {
        Footer footer = footer();
        org.apache.arrow.flatbuf.Schema encoded = ArrowMessages.parsed(name, () -> {
            org.apache.arrow.flatbuf.Schema schema = footer.schema();
            if (schema == null) {
                throw new IllegalArgumentException("no schema");
            }
            return schema;
        });
        TensorSchema schema = ArrowMessages.schema(encoded, name);
        List<Located> batches = new ArrayList<>();
        long rows = 0;
        long claimedBytes = 0;
        int count = ArrowMessages.parsed(name, footer::recordBatchesLength);
        for (int i = 0; i < count; i++) {
            int at = i;
            Entry entry = ArrowMessages.parsed(name, () -> {
                Block block = footer.recordBatches(at);
                return new Entry(block.offset(), block.metaDataLength(), block.bodyLength());
            });
            Located located = locate(entry, schema);
            batches.add(located);
            rows += located.batch().rows();
            claimedBytes += located.batch().dataBytes();
            // Two batches in one place would let a small file claim any amount of memory.
            if (claimedBytes > fileBytes || rows < 0) {
                throw damaged("its batches overlap");
            }
        }
        return assemble(schema, batches, rows);
    }

    private Footer footer() throws IOException {
        int magic = ArrowIpcWriter.MAGIC.length;
        byte[] start = bytes(0, (int) Math.min(fileBytes, magic)).array();
        if (!Arrays.equals(start, ArrowIpcWriter.MAGIC)) {
            throw TensorFormatException.cannotRead(name, "it does not begin as a file in Arrow's IPC file format does");
        }
        ByteBuffer tail = bytes(Math.max(0, fileBytes - TAIL_BYTES), (int) Math.min(fileBytes, TAIL_BYTES));
        byte[] end = Arrays.copyOfRange(tail.array(), Math.max(0, tail.limit() - magic), tail.limit());
        if (!Arrays.equals(end, ArrowIpcWriter.MAGIC) || fileBytes < ArrowIpcWriter.ALIGNED_MAGIC + TAIL_BYTES) {
            throw TensorFormatException.cannotRead(
                    name, "it does not end as an Arrow file does; the file is truncated");
        }
        int length = tail.getInt(0);
        if (length <= 0 || length > fileBytes - TAIL_BYTES - ArrowIpcWriter.ALIGNED_MAGIC) {
            throw damaged("its footer claims " + length + " bytes");
        }
        ByteBuffer footer = bytes(fileBytes - TAIL_BYTES - length, length);
        return ArrowMessages.parsed(name, () -> Footer.getRootAsFooter(footer));
    }

    /** A footer's entry, copied out of the flatbuffer. */
    private record Entry(long offset, int metadataBytes, long bodyBytes) {}

    private Located locate(Entry entry, TensorSchema schema) throws IOException {
        long offset = entry.offset();
        int metadataBytes = entry.metadataBytes();
        if (offset < ArrowIpcWriter.ALIGNED_MAGIC
                || metadataBytes < Long.BYTES
                || entry.bodyBytes() < 0
                || offset > fileBytes - metadataBytes
                || entry.bodyBytes() > fileBytes - metadataBytes - offset) {
            throw damaged("a batch lies outside of it");
        }
        ByteArrayInputStream metadata =
                new ByteArrayInputStream(bytes(offset, metadataBytes).array());
        Message message = ArrowMessages.next(metadata, name);
        if (message == null || ArrowMessages.parsed(name, message::headerType) != MessageHeader.RecordBatch) {
            throw damaged("its footer points at something that is no batch");
        }
        Batch batch = ArrowMessages.batch(message, schema, name);
        if (batch.bodyBytes() > entry.bodyBytes()) {
            throw damaged("a batch is longer than the footer says");
        }
        return new Located(batch, offset + metadataBytes + batch.dataOffset());
    }

    private Tensor assemble(TensorSchema schema, List<Located> batches, long rows) throws IOException {
        TensorColumn column = schema.column();
        Layout layout = ArrowMessages.parsed(name, () -> column.layout(rows));
        Storage storage =
                Storage.allocate(column.dtype().sizeBytes(layout.shape().numel()));
        boolean complete = false;
        try {
            long offset = 0;
            for (Located located : batches) {
                Batch batch = located.batch();
                channel.position(located.dataPosition());
                if (column.dtype() == DType.BOOL) {
                    Storage bits = Bytes.readKnown(channel, batch.dataBytes(), held -> ArrowMessages.truncated(name));
                    column.unpack(bits.address(), storage.address() + offset, batch.rows());
                    bits.release();
                    offset += column.elements(batch.rows());
                } else if (Bytes.fill(channel, storage, offset, batch.dataBytes()) < batch.dataBytes()) {
                    throw ArrowMessages.truncated(name);
                } else {
                    offset += batch.dataBytes();
                }
            }
            if (channel.size() < fileBytes) { // what is read while somebody shortens a file may end in zeros
                throw ArrowMessages.truncated(name);
            }
            Tensor tensor = Tensor.of(column.dtype(), layout, storage);
            complete = true;
            return schema.scalar() && rows == 1 ? tensor.squeeze(0) : tensor;
        } finally {
            if (!complete) {
                storage.release();
            }
        }
    }

    private ByteBuffer bytes(long position, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw ArrowMessages.truncated(name);
            }
        }
        return buffer.flip();
    }

    private TensorFormatException damaged(String how) {
        return TensorFormatException.cannotRead(name, how + "; the Arrow file is damaged");
    }
}
