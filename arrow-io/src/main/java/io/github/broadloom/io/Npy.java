package io.github.broadloom.io;

import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads and writes NumPy's npy files: one array each, of the dtypes that NumPy has, in C or Fortran order and either byte order.
 * An array in Fortran order becomes a transposed view, not a copy.
 *
 * <p>What is not such a file is refused with a {@link TensorFormatException}; pickled object arrays are among it. Bytes
 * of a bool array that are neither 0 nor 1 become 1.
 */
public final class Npy {
    private Npy() {}

    /**
     * Reads a file into memory.
     *
     * @throws TensorFormatException where it is not one npy file, no more and no less
     */
    public static Tensor read(Path file) throws IOException {
        refuseFolder(file);
        if (!Files.isRegularFile(file)) {
            // A pipe or a device has no length to check against.
            try (InputStream in = Files.newInputStream(file)) {
                return read(in, file.toString());
            }
        }
        String name = file.toString();
        try (FileChannel channel = FileChannel.open(file)) {
            NpyHeader header = header(channel, name);
            Storage storage = readKnown(channel, header, header.dataOffset(), header.dataBytes(), name);
            return tensor(header, storage);
        }
    }

    /**
     * Reads rows, indices of the first dimension, and no others where the file is in C order: a file may be larger than memory.
     *
     * @throws IllegalArgumentException with PyTorch's text of {@code narrow}, where the array has no such rows
     * @throws TensorFormatException as {@link #read(Path)}
     */
    public static Tensor readRows(Path file, long first, long count) throws IOException {
        refuseFolder(file);
        String name = file.toString();
        try (FileChannel channel = FileChannel.open(file)) {
            NpyHeader header = header(channel, name);
            Layout rows = header.layout().narrow(0, first, count);
            if (!rows.isContiguous()) {
                return read(file).narrow(0, first, count);
            }
            long position = header.dataOffset() + rows.offset() * header.dtype().bytes();
            long elements = rows.shape().numel();
            Storage storage =
                    readKnown(channel, header, position, header.dtype().sizeBytes(elements), name);
            RawElements.toNative(header.dtype(), header.order(), storage, 0, elements);
            return Tensor.of(header.dtype(), Layout.contiguous(rows.shape()), storage);
        }
    }

    private static NpyHeader header(FileChannel channel, String name) throws IOException {
        NpyHeader header = NpyHeader.read(Channels.newInputStream(channel), name);
        header.checkFileLength(channel.size(), name);
        return header;
    }

    /** Bytes of a file whose length was checked, and is again: what is read while somebody shortens a file may end in zeros. */
    private static Storage readKnown(FileChannel channel, NpyHeader header, long position, long bytes, String name)
            throws IOException {
        channel.position(position);
        long skipped = position - header.dataOffset();
        Storage storage = Bytes.readKnown(channel, bytes, held -> header.truncated(skipped + held, name));
        try {
            header.checkFileLength(channel.size(), name);
            return storage;
        } catch (IOException | RuntimeException | Error e) {
            storage.release();
            throw e;
        }
    }

    /**
     * Reads one array and leaves the stream behind its last byte, where another array may follow.
     *
     * @param name what the messages call the stream
     */
    public static Tensor read(InputStream in, String name) throws IOException {
        NpyHeader header = NpyHeader.read(in, name);
        ReadableByteChannel channel = Bytes.channel(in);
        return tensor(header, Bytes.readGrowing(channel, header.dataBytes(), held -> header.truncated(held, name)));
    }

    /**
     * Maps a file into memory: nothing is read before it is used, and the pages are the operating system's to drop. The
     * mapping is private: writes to the tensor stay in memory and never reach the file. A file in the other byte order,
     * one that may not be opened for writing, and one that this JVM cannot map because of its size (2 GiB or more, on Java
     * 18 to 21) is read instead.
     *
     * <p><b>Nobody may shorten the file while the tensor is in use</b>: the operating system then ends the whole JVM, with SIGBUS, and no
     * Java code can prevent that. {@link #read} and {@link #readRows} bear it, and say that the file is truncated.
     *
     * @throws TensorFormatException as {@link #read(Path)}
     */
    public static Tensor map(Path file) throws IOException {
        refuseFolder(file);
        if (!Files.isRegularFile(file) || !Files.isWritable(file)) {
            return read(file);
        }
        String name = file.toString();
        try (FileChannel channel = FileMapping.open(file)) {
            NpyHeader header = header(channel, name);
            boolean asInMemory = header.dtype().bytes() == 1 || header.order() == ByteOrder.nativeOrder();
            if (!asInMemory || header.dataBytes() == 0) {
                return read(file);
            }
            Optional<Storage> mapped = FileMapping.map(channel, header.dataOffset(), header.dataBytes());
            if (mapped.isEmpty()) {
                return read(file);
            }
            // Private pages are made for those few that a bool array has to have normalised.
            return tensor(header, mapped.get());
        }
    }

    private static void refuseFolder(Path file) throws TensorFormatException {
        if (Files.isDirectory(file)) {
            throw TensorFormatException.cannotRead(file.toString(), "it is a folder, not a npy file");
        }
    }

    /**
     * Reads {@code elements} elements from where the stream stands, which must be at an element of the array, and
     * leaves them in {@code target} in this machine's byte order.
     *
     * @param header the header of the file that the stream comes from
     * @param targetOffset bytes from the beginning of {@code target}
     * @param name the file's name, for the message
     * @throws TensorFormatException where the stream ends too early
     */
    public static void readInto(
            InputStream in, NpyHeader header, Storage target, long targetOffset, long elements, String name)
            throws IOException {
        target.requireWritable();
        long bytes = Math.multiplyExact(elements, header.dtype().bytes());
        long held = Bytes.fill(Bytes.channel(in), target, targetOffset, bytes);
        if (held < bytes) {
            throw TensorFormatException.cannotRead(
                    name,
                    "it ends " + (bytes - held)
                            + " bytes before the last element that was asked for; the file is truncated");
        }
        RawElements.toNative(header.dtype(), header.order(), target, targetOffset, elements);
    }

    static Tensor tensor(NpyHeader header, Storage storage) {
        RawElements.toNative(
                header.dtype(), header.order(), storage, 0, header.shape().numel());
        return Tensor.of(header.dtype(), header.layout(), storage);
    }

    /**
     * Writes {@code tensor} as {@code numpy.save} would, in Fortran order if that is how it lies in memory. The file
     * appears under its name when it is complete; where writing fails, everything is as it was.
     *
     * @throws java.nio.file.FileAlreadyExistsException under {@link WriteMode#CREATE}, where the file exists
     */
    public static void write(Tensor tensor, Path file, WriteMode mode) throws IOException {
        AtomicFile.write(file, mode, channel -> write(tensor, channel));
    }

    /** Writes {@code tensor} and leaves the stream open behind it. */
    public static void write(Tensor tensor, OutputStream out) throws IOException {
        write(tensor, Bytes.channel(out));
    }

    static void write(Tensor tensor, WritableByteChannel out) throws IOException {
        boolean fortran = isFortran(tensor);
        NpyHeader header = NpyHeader.of(tensor.dtype(), tensor.shape(), fortran);
        ByteBuffer encoded = ByteBuffer.wrap(header.encode());
        while (encoded.hasRemaining()) {
            out.write(encoded);
        }
        RowMajor.write(fortran ? reversed(tensor) : tensor, out);
    }

    /** Whether the elements lie as a Fortran array's do, and not as a C array's. */
    static boolean isFortran(Tensor tensor) {
        return tensor.rank() > 1 && !tensor.isContiguous() && reversed(tensor).isContiguous();
    }

    private static Tensor reversed(Tensor tensor) {
        return tensor.asStrided(NpyHeader.reversed(tensor.layout()));
    }
}
