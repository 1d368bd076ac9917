package io.github.broadloom.io;

import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes tensors as Arrow IPC streams and files, in a column of the canonical extension type {@code
 * arrow.fixed_shape_tensor}, so that any other Arrow can read them and be read. A chunk is a record batch (several, where
 * it is very large) whose rows are the leading dimension; a tensor of rank 0 is one row.
 *
 * <p>A column of plain numbers, or of fixed-size lists of them, can be read as well. What cannot be read, compressed
 * buffers, nulls and big-endian data among it, is refused with a {@link TensorFormatException}.
 */
public final class ArrowIpc {
    private ArrowIpc() {}

    /**
     * Writes the chunks and the end-of-stream marker, and leaves the stream open. A chunk is not released.
     *
     * @param chunks at least one, all of one dtype and one shape of their rows
     */
    public static void writeStream(Iterator<Tensor> chunks, OutputStream out) throws IOException {
        ArrowIpcWriter writer = new ArrowIpcWriter(Bytes.channel(out));
        while (chunks.hasNext()) {
            writer.write(chunks.next());
        }
        writer.endStream();
    }

    /**
     * Begins to read a stream, or the stream in a file. Closing the chunks closes it.
     *
     * @param name what the messages call the stream
     */
    public static ArrowChunks readStream(InputStream in, String name) throws IOException {
        return ArrowChunks.open(in, name);
    }

    /** {@link #readStream(InputStream, String)} of a stream without a name. */
    public static ArrowChunks readStream(InputStream in) throws IOException {
        return readStream(in, "Arrow stream");
    }

    /** Writes one chunk as a stream of its own, up to the end-of-stream marker. */
    public static void writeChunk(Tensor chunk, OutputStream out) throws IOException {
        writeStream(List.of(chunk).iterator(), out);
    }

    /**
     * Reads what {@link #writeChunk} wrote: one stream, and not one byte behind its end-of-stream marker. Several batches
     * are joined.
     *
     * @throws TensorFormatException where the stream is damaged or has no batch
     */
    public static Tensor readChunk(InputStream in) throws IOException {
        String name = "Arrow chunk";
        ArrowChunks chunks = readStream(in, name);
        List<Tensor> parts = new ArrayList<>();
        long rows = 0;
        for (Optional<Tensor> part = chunks.next(); part.isPresent(); part = chunks.next()) {
            parts.add(part.get());
            rows += part.get().rank() == 0 ? 1 : part.get().shape().size(0);
        }
        if (parts.isEmpty()) {
            throw TensorFormatException.cannotRead(name, "it has no batch");
        }
        return parts.size() == 1 ? parts.get(0) : joined(parts, rows);
    }

    private static Tensor joined(List<Tensor> parts, long rows) {
        Tensor first = parts.get(0);
        Tensor whole = Tensors.empty(first.dtype(), first.shape().with(0, rows));
        long start = 0;
        for (Tensor part : parts) {
            long count = part.shape().size(0);
            whole.narrow(0, start, count).copy_(part);
            part.storage().release();
            start += count;
        }
        return whole;
    }

    /**
     * Writes the chunks in Arrow's file format. The file appears under its name when it is complete; where writing
     * fails, everything is as it was.
     *
     * @param chunks at least one, all of one dtype and one shape of their rows
     * @throws java.nio.file.FileAlreadyExistsException under {@link WriteMode#CREATE}, where the file exists
     */
    public static void writeFile(Iterator<Tensor> chunks, Path file, WriteMode mode) throws IOException {
        AtomicFile.write(file, mode, channel -> writeFile(chunks, channel));
    }

    /**
     * Writes the chunks in Arrow's file format, and leaves the stream open behind them. A chunk is not released.
     *
     * @param chunks at least one, all of one dtype and one shape of their rows
     */
    public static void writeFile(Iterator<Tensor> chunks, OutputStream out) throws IOException {
        writeFile(chunks, Bytes.channel(out));
    }

    private static void writeFile(Iterator<Tensor> chunks, WritableByteChannel out) throws IOException {
        ArrowIpcWriter writer = new ArrowIpcWriter(out);
        writer.startFile();
        while (chunks.hasNext()) {
            writer.write(chunks.next());
        }
        writer.endFile();
    }

    /** {@link #writeFile(Iterator, Path, WriteMode)} of one tensor. */
    public static void writeFile(Tensor tensor, Path file, WriteMode mode) throws IOException {
        writeFile(List.of(tensor).iterator(), file, mode);
    }

    /** Reads all batches of a file in Arrow's file format into one tensor. */
    public static Tensor readFile(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw TensorFormatException.cannotRead(file.toString(), "it is a folder, not an Arrow file");
        }
        try (FileChannel channel = FileChannel.open(file)) {
            return ArrowFile.read(channel, file.toString());
        }
    }
}
