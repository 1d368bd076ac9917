package io.github.broadloom.io;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.ArrowMessages.Batch;
import io.github.broadloom.io.ArrowMessages.TensorSchema;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.Optional;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;

/**
 * The chunks of an Arrow IPC stream, one for each record batch, read one at a time. Nothing behind the end-of-stream
 * marker is touched.
 */
public final class ArrowChunks implements Closeable {
    private final InputStream in;
    private final String name;
    private final TensorSchema schema;
    private boolean ended;

    private ArrowChunks(InputStream in, String name, TensorSchema schema) {
        this.in = in;
        this.name = name;
        this.schema = schema;
    }

    /** Reads the schema. A file in the IPC file format is taken too, because it has a stream inside. */
    static ArrowChunks open(InputStream in, String name) throws IOException {
        InputStream stream = skipMagic(in, name);
        Message message = ArrowMessages.next(stream, name);
        if (message == null) {
            throw TensorFormatException.cannotRead(name, "it ends before any Arrow schema; there is nothing in it");
        }
        TensorSchema schema = ArrowMessages.schema(message, name);
        ArrowMessages.skip(stream, message.bodyLength(), name);
        return new ArrowChunks(stream, name, schema);
    }

    private static InputStream skipMagic(InputStream in, String name) throws IOException {
        PushbackInputStream stream = new PushbackInputStream(in, Integer.BYTES);
        byte[] start = stream.readNBytes(Integer.BYTES);
        if (start.length == 0) {
            throw TensorFormatException.cannotRead(name, "it is empty; Arrow IPC data begins with a schema");
        }
        if (Arrays.equals(start, Arrays.copyOf(ArrowIpcWriter.MAGIC, Integer.BYTES))) {
            ArrowMessages.skip(in, ArrowIpcWriter.ALIGNED_MAGIC - Integer.BYTES, name);
            return in;
        }
        stream.unread(start);
        return stream;
    }

    public DType dtype() {
        return schema.column().dtype();
    }

    /** The shape of the chunks' rows. */
    public Shape inner() {
        return schema.column().inner();
    }

    /**
     * Reads the next chunk, whose leading dimension are the batch's rows, or nothing at the end of the stream. A tensor of
     * rank 0 comes back as it was written.
     *
     * @throws TensorFormatException where the stream is damaged, ends too early, or has nulls
     */
    public Optional<Tensor> next() throws IOException {
        while (!ended) {
            Message message = ArrowMessages.next(in, name);
            if (message == null) {
                ended = true;
                break;
            }
            byte type = ArrowMessages.parsed(name, message::headerType);
            if (type == MessageHeader.RecordBatch) {
                return Optional.of(chunk(ArrowMessages.batch(message, schema, name)));
            }
            // A dictionary belongs to some other column.
            ArrowMessages.skip(in, message.bodyLength(), name);
        }
        return Optional.empty();
    }

    private Tensor chunk(Batch batch) throws IOException {
        ArrowMessages.skip(in, batch.dataOffset(), name);
        Storage data = Bytes.readGrowing(Bytes.channel(in), batch.dataBytes(), held -> ArrowMessages.truncated(name));
        Storage elements = data;
        boolean complete = false;
        try {
            ArrowMessages.skip(in, batch.bodyBytes() - batch.dataOffset() - batch.dataBytes(), name);
            if (dtype() == DType.BOOL) {
                elements = Storage.allocate(batch.layout().shape().numel());
                schema.column().unpack(data.address(), elements.address(), batch.rows());
            }
            Tensor chunk = Tensor.of(dtype(), batch.layout(), elements);
            complete = true;
            return schema.scalar() && batch.rows() == 1 ? chunk.squeeze(0) : chunk;
        } finally {
            if (!complete || elements != data) {
                data.release();
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
