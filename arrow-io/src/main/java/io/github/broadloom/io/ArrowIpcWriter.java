package io.github.broadloom.io;

import com.google.flatbuffers.FlatBufferBuilder;
import io.github.broadloom.arrow.ArrowColumn;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes chunks as Arrow record batches. A batch goes out as it lies in memory; only strided chunks and bools are
 * brought into Arrow's form first, in pieces. There are no validity buffers, because a tensor has no nulls.
 */
final class ArrowIpcWriter {
    /** In the schema's metadata, where the tensor had no dimension to be the rows. */
    static final String RANK_KEY = "broadloom.rank";

    static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    static final int ALIGNED_MAGIC = 8;
    /** A batch is cut at this size, well below what every reader can take. */
    private static final long LARGEST_BATCH_BYTES = 1L << 30;

    /** And at this one, where it has to be copied first. */
    private static final long LARGEST_COPY_BYTES = 64L << 20;

    private final WriteChannel out;
    private final List<ArrowBlock> blocks = new ArrayList<>();
    private @Nullable ArrowColumn column;
    private @Nullable Schema schema;

    ArrowIpcWriter(WritableByteChannel out) {
        this.out = new WriteChannel(out);
    }

    void startFile() throws IOException {
        out.write(MAGIC);
        out.align();
    }

    void write(Tensor chunk) throws IOException {
        Tensor rows = chunk.rank() == 0 ? chunk.unsqueeze(0) : chunk;
        start(chunk, rows.shape().inner());
        long count = rows.shape().size(0);
        // A strided chunk or a bool is copied batch by batch, so that the copy stays small.
        boolean asItLies = rows.isContiguous() && rows.dtype() != DType.BOOL;
        long batchBytes = asItLies ? LARGEST_BATCH_BYTES : LARGEST_COPY_BYTES;
        long rowElements = Math.max(1, rows.shape().inner().numel());
        long rowBytes = rows.dtype().sizeBytes(rowElements);
        long step = Math.max(1, Math.min(batchBytes / rowBytes, Integer.MAX_VALUE / rowElements));
        long start = 0;
        do {
            writeBatch(rows.narrow(0, start, Math.min(step, count - start)));
            start += step;
        } while (start < count);
    }

    /** Writes the schema before the first chunk, and holds the others to it. */
    private void start(Tensor chunk, Shape inner) throws IOException {
        DType dtype = chunk.dtype();
        if (column == null) {
            column = ArrowColumn.of(dtype, inner);
            Map<String, String> metadata = chunk.rank() == 0 ? Map.of(RANK_KEY, "0") : Map.of();
            schema = new Schema(List.of(column.field()), metadata);
            MessageSerializer.serialize(out, schema);
        } else if (!column.inner().equals(inner) || column.dtype() != dtype) {
            throw new IllegalArgumentException("Cannot write chunk: its rows are " + dtype + " " + inner
                    + ", where those before it are " + column.dtype() + " " + column.inner());
        }
    }

    private void writeBatch(Tensor rows) throws IOException {
        Tensor dense = rows.contiguous();
        try (Hold held = Hold.of(dense)) {
            if (dense.dtype() == DType.BOOL) {
                Storage bits = ArrowColumn.packed(dense);
                try {
                    writeBatch(rows, bits, 0, bits.sizeBytes());
                } finally {
                    bits.release();
                }
            } else {
                long offset = dense.dtype().sizeBytes(dense.layout().offset());
                writeBatch(rows, dense.storage(), offset, dense.dtype().sizeBytes(dense.numel()));
            }
        } finally {
            dense.releaseCopyOf(rows);
        }
    }

    private void writeBatch(Tensor rows, Storage data, long offset, long bytes) throws IOException {
        long position = out.getCurrentPosition();
        long padding = -bytes & 7;
        ByteBuffer metadata = metadata(rows.shape().size(0), rows.numel(), bytes, bytes + padding);
        int written = MessageSerializer.writeMessageBuffer(out, metadata.remaining(), metadata);
        long done = 0;
        while (done < bytes) {
            ByteBuffer view = Bytes.view(data, offset + done, bytes - done);
            done += view.remaining();
            out.write(view);
        }
        out.writeZeros(padding);
        blocks.add(new ArrowBlock(position, written, bytes + padding));
    }

    /** The flatbuffer of a batch: the list's node and the elements', two absent validity buffers and the data. */
    private static ByteBuffer metadata(long rows, long elements, long dataBytes, long bodyBytes) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        RecordBatch.startNodesVector(builder, 2); // vectors of structs are built from their end
        FieldNode.createFieldNode(builder, elements, 0);
        FieldNode.createFieldNode(builder, rows, 0);
        int nodes = builder.endVector();
        RecordBatch.startBuffersVector(builder, 3);
        Buffer.createBuffer(builder, 0, dataBytes);
        Buffer.createBuffer(builder, 0, 0);
        Buffer.createBuffer(builder, 0, 0);
        int buffers = builder.endVector();
        RecordBatch.startRecordBatch(builder);
        RecordBatch.addLength(builder, rows);
        RecordBatch.addNodes(builder, nodes);
        RecordBatch.addBuffers(builder, buffers);
        int batch = RecordBatch.endRecordBatch(builder);
        return MessageSerializer.serializeMessage(
                builder, MessageHeader.RecordBatch, batch, bodyBytes, IpcOption.DEFAULT);
    }

    void endStream() throws IOException {
        started();
        out.writeIntLittleEndian(MessageSerializer.IPC_CONTINUATION_TOKEN);
        out.writeIntLittleEndian(0);
    }

    /** Writes the marker and the footer, which says where the batches are. */
    void endFile() throws IOException {
        endStream();
        long start = out.getCurrentPosition();
        out.write(new ArrowFooter(started(), List.of(), blocks), false);
        out.writeIntLittleEndian((int) (out.getCurrentPosition() - start));
        out.write(MAGIC);
    }

    private Schema started() {
        if (schema == null) {
            throw new IllegalArgumentException(
                    "Cannot write Arrow IPC data: there are no chunks, so its type is unknown; write one, of no rows"
                            + " perhaps");
        }
        return schema;
    }
}
