package io.github.broadloom.io;

import io.github.broadloom.arrow.ArrowColumn;
import io.github.broadloom.arrow.FixedShapeTensorType;
import io.github.broadloom.shape.Layout;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The messages of Arrow's IPC format, read with suspicion: arrow-java's own reader trusts every length in a file, and
 * would allocate what a damaged one claims.
 *
 * @see <a href="https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc">the
 *     specification</a>
 */
final class ArrowMessages {
    private static final int CONTINUATION = -1;
    /** Far above what any schema or batch of tensors has; it bounds what a damaged length costs. */
    private static final int LONGEST_METADATA = 64 << 20;

    private ArrowMessages() {}

    /** A column's place in the flattened list of all fields, and the rest of what the schema says. */
    record TensorSchema(ArrowColumn column, int firstNode, int firstBuffer, boolean scalar) {
        /** Where the elements' node and data are: inside the lists, each of which has a node and a validity buffer. */
        int elementsNode() {
            return firstNode + column.listLevels();
        }

        int dataBuffer() {
            return firstBuffer + column.listLevels() + 1;
        }
    }

    /** Where in a batch's body the data of the column lies. */
    record Batch(long rows, Layout layout, long dataOffset, long dataBytes, long bodyBytes) {}

    /**
     * Reads a message's metadata up to its body; null at the end-of-stream marker. The format lets a writer leave the
     * marker away, none does, and a stream that was cut between two batches would look the same: it is refused.
     */
    static @Nullable Message next(InputStream in, String name) throws IOException {
        int length = littleEndianInt(in.readNBytes(Integer.BYTES), name);
        if (length == CONTINUATION) {
            length = littleEndianInt(in.readNBytes(Integer.BYTES), name);
        }
        return length == 0 ? null : read(in, length, name);
    }

    private static int littleEndianInt(byte[] bytes, String name) throws TensorFormatException {
        if (bytes.length < Integer.BYTES) {
            throw truncated(name);
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    private static Message read(InputStream in, int length, String name) throws IOException {
        if (length < 0 || length > LONGEST_METADATA) {
            throw TensorFormatException.cannotRead(
                    name,
                    "a message claims " + (length & 0xffffffffL)
                            + " bytes of metadata; it is no Arrow IPC data, or damaged");
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw truncated(name);
        }
        return parsed(name, () -> {
            Message message = Message.getRootAsMessage(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
            if (message.bodyLength() < 0) {
                throw new IllegalArgumentException("a body of negative length");
            }
            return message;
        });
    }

    static void skip(InputStream in, long bytes, String name) throws IOException {
        try {
            in.skipNBytes(bytes);
        } catch (EOFException e) {
            throw truncated(name);
        }
    }

    static TensorFormatException truncated(String name) {
        return TensorFormatException.cannotRead(
                name, "it ends in the middle of its Arrow IPC data; the file is truncated");
    }

    /** Parses a piece of a flatbuffer: whatever a garbled one makes the parser throw is a malformed file. */
    static <T> T parsed(String name, Parsing<T> parsing) throws TensorFormatException {
        try {
            return parsing.parse();
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            throw TensorFormatException.cannotRead(name, "its Arrow IPC metadata is garbled; the file is damaged", e);
        }
    }

    /** Something that a garbled buffer can make fail in any way. */
    @FunctionalInterface
    interface Parsing<T> {
        T parse() throws TensorFormatException;
    }

    /** The schema that a stream's first message has. */
    static TensorSchema schema(Message first, String name) throws TensorFormatException {
        return parsed(name, () -> {
            if (first.headerType() != MessageHeader.Schema) {
                throw TensorFormatException.cannotRead(
                        name, "its first message is no Arrow schema; it is no Arrow IPC data");
            }
            org.apache.arrow.flatbuf.Schema header = new org.apache.arrow.flatbuf.Schema();
            return schema((org.apache.arrow.flatbuf.Schema) first.header(header), name);
        });
    }

    /** Finds the one column that holds the tensor. */
    static TensorSchema schema(org.apache.arrow.flatbuf.Schema encoded, String name) throws TensorFormatException {
        FixedShapeTensorType.register();
        if (parsed(name, encoded::endianness) != Endianness.Little) {
            throw TensorFormatException.cannotRead(name, "its Arrow data is big endian, which is not supported");
        }
        Schema schema = parsed(name, () -> Schema.convertSchema(encoded));
        List<Field> candidates = new ArrayList<>();
        for (Field field : schema.getFields()) {
            if (field.getType() instanceof FixedShapeTensorType) {
                candidates.add(field);
            }
        }
        if (candidates.isEmpty()) {
            candidates = schema.getFields();
        }
        if (candidates.size() != 1) {
            throw TensorFormatException.cannotRead(
                    name,
                    "it has " + candidates.size() + " columns that may be the tensor, "
                            + candidates.stream().map(Field::getName).limit(10).toList()
                            + "; it should have one of type "
                            + FixedShapeTensorType.NAME);
        }
        boolean scalar = "0".equals(schema.getCustomMetadata().get(ArrowIpcWriter.RANK_KEY));
        return place(schema, candidates.get(0), scalar, name);
    }

    private static TensorSchema place(Schema schema, Field wanted, boolean scalar, String name)
            throws TensorFormatException {
        int nodes = 0;
        int buffers = 0;
        for (Field field : schema.getFields()) {
            if (field.equals(wanted)) {
                break;
            }
            nodes += parsed(name, () -> count(field, ignored -> 1));
            buffers += parsed(name, () -> count(field, TypeLayout::getTypeBufferCount));
        }
        return new TensorSchema(column(wanted, name), nodes, buffers, scalar);
    }

    private static ArrowColumn column(Field wanted, String name) throws TensorFormatException {
        return parsed(name, () -> {
            try {
                return ArrowColumn.of(wanted);
            } catch (IllegalArgumentException e) { // no tensor has such a type
                throw TensorFormatException.cannotRead(name, String.valueOf(e.getMessage()), e);
            }
        });
    }

    private static int count(Field field, ToIntFunction<ArrowType> one) {
        if (field.getDictionary() != null) {
            // The schema has the values' type; a batch has an index for each of them.
            return one.applyAsInt(field.getDictionary().getIndexType());
        }
        int count = one.applyAsInt(field.getType());
        for (Field child : field.getChildren()) {
            count += count(child, one);
        }
        return count;
    }

    /** Locates the column's data in a batch, and refuses a batch that does not hold what it claims. */
    static Batch batch(Message message, TensorSchema schema, String name) throws TensorFormatException {
        return parsed(name, () -> {
            RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
            if (batch.compression() != null) {
                throw TensorFormatException.cannotRead(
                        name, "its Arrow buffers are compressed, which is not supported; write it without compression");
            }
            if (batch.variadicBufferCountsLength() > 0) {
                throw TensorFormatException.cannotRead(
                        name,
                        "it has a column of a view type, whose buffers are not counted here; select the tensor alone");
            }
            refuseNulls(batch, schema, name);
            return locate(batch, schema, message.bodyLength());
        });
    }

    private static void refuseNulls(RecordBatch batch, TensorSchema schema, String name) throws TensorFormatException {
        for (int level = schema.firstNode(); level <= schema.elementsNode(); level++) {
            long nulls = batch.nodes(level).nullCount();
            if (nulls != 0) {
                throw TensorFormatException.cannotRead(
                        name,
                        "column '" + schema.column().name() + "' has " + nulls
                                + " nulls, and a tensor has none; fill or drop them");
            }
        }
    }

    private static Batch locate(RecordBatch batch, TensorSchema schema, long bodyBytes) {
        ArrowColumn column = schema.column();
        Buffer data = batch.buffers(schema.dataBuffer());
        long rows = batch.length();
        if (rows < 0 || batch.nodes(schema.elementsNode()).length() < column.elements(rows)) {
            throw new IllegalArgumentException("fewer elements than rows");
        }
        long needed = column.arrowBytes(rows);
        if (data.offset() < 0 || data.length() < needed || Math.addExact(data.offset(), data.length()) > bodyBytes) {
            throw new IllegalArgumentException("a buffer outside of the body");
        }
        // Fails here where the sizes are beyond counting, and nowhere later.
        Layout layout = column.layout(rows);
        column.dtype().sizeBytes(layout.shape().numel());
        return new Batch(rows, layout, data.offset(), needed, bodyBytes);
    }
}
