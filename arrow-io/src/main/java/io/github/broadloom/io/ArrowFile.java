package io.github.broadloom.io;

import io.github.broadloom.arrow.ArrowColumn;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.ArrowMessages.Batch;
import io.github.broadloom.io.ArrowMessages.TensorSchema;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;

/**
 * Reads a file in Arrow's IPC file format: first where everything is, then the rows, each to its place. The format says everything twice, in the stream of
 * messages and in the footer, and a file where the two differ is refused.
 */
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

    /** A batch with the places of its message and of its data in the file. */
    private record Located(Batch batch, long position, long dataPosition) {}

    static Tensor read(FileChannel channel, String name) throws IOException {
        return new ArrowFile(channel, name).read();
    }

    private Tensor read() throws IOException {
        Footer footer = footer();
        TensorSchema schema = schema(footer);
        List<Located> batches = batches(schema);
        boolean listed = ArrowMessages.parsed(
                name,
                () -> footer.recordBatchesLength() == batches.size()
                        && IntStream.range(0, batches.size())
                                .allMatch(i -> footer.recordBatches(i).offset()
                                        == batches.get(i).position()));
        if (!listed) {
            throw damaged("its footer does not list the batches that are there");
        }
        return assemble(schema, batches);
    }

    private TensorSchema schema(Footer footer) throws TensorFormatException {
        org.apache.arrow.flatbuf.Schema encoded = ArrowMessages.parsed(name, () -> {
            org.apache.arrow.flatbuf.Schema schema = footer.schema();
            if (schema == null) {
                throw new IllegalArgumentException("no schema");
            }
            return schema;
        });
        return ArrowMessages.schema(encoded, name);
    }

    private List<Located> batches(TensorSchema schema) throws IOException {
        List<Located> batches = new ArrayList<>();
        InputStream in = Channels.newInputStream(channel.position(ArrowIpcWriter.ALIGNED_MAGIC));
        ArrowMessages.skip(in, requireSchema(in, schema), name);
        while (true) {
            long position = channel.position();
            Message message = ArrowMessages.next(in, name);
            if (message == null) {
                return batches;
            }
            long body = channel.position();
            if (ArrowMessages.parsed(name, message::headerType) == MessageHeader.RecordBatch) {
                Batch batch = ArrowMessages.batch(message, schema, name);
                batches.add(new Located(batch, position, body + batch.dataOffset()));
            }
            if (message.bodyLength() > fileBytes - body) {
                throw ArrowMessages.truncated(name);
            }
            channel.position(body + message.bodyLength());
        }
    }

    /** Reads the stream's own schema; returns the bytes of its body. */
    private long requireSchema(InputStream in, TensorSchema schema) throws IOException {
        Message first = ArrowMessages.next(in, name);
        if (first == null || !ArrowMessages.schema(first, name).equals(schema)) {
            throw damaged("its footer has another schema than its stream");
        }
        return first.bodyLength();
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

    private Tensor assemble(TensorSchema schema, List<Located> batches) throws IOException {
        ArrowColumn column = schema.column();
        long rows = ArrowMessages.parsed(
                name,
                () -> batches.stream()
                        .mapToLong(located -> located.batch().rows())
                        .reduce(0, Math::addExact));
        Layout layout = ArrowMessages.parsed(name, () -> column.layout(rows));
        Storage storage =
                Storage.allocate(column.dtype().sizeBytes(layout.shape().numel()));
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
            return schema.scalar() && rows == 1 ? tensor.squeeze(0) : tensor;
        } catch (IOException | RuntimeException | Error e) {
            storage.release();
            throw e;
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
