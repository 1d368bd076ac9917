package io.github.broadloom.io;

import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Reads and writes NumPy's npz files: zip archives of npy files, stored or deflated, of any size (zip64). The key of an
 * array is its entry's name without {@code .npy}.
 *
 * <p>{@link ZipFile} reads the archive's directory, which is right where the entries' own headers are not yet: in files
 * written to a pipe. The checksum, which it leaves unchecked, is compared here.
 */
public final class Npz {
    private static final String SUFFIX = ".npy";

    private Npz() {}

    /** Whether the arrays of a new archive are deflated. */
    public enum Compression {
        /** As {@code numpy.savez}: fast, and every byte of an array can be reached at once. */
        STORED,
        /** As {@code numpy.savez_compressed}. */
        DEFLATED
    }

    /**
     * The keys, in the archive's order.
     *
     * @throws TensorFormatException where the file is not a zip archive, or holds two entries of one name
     */
    public static List<String> keys(Path file) throws IOException {
        try (ZipFile archive = open(file, file.toString())) {
            return keys(archive, file.toString());
        }
    }

    /** The keys of an archive that is not a local file, as {@link #read(InputStream, String, String)} reads it. */
    public static List<String> keys(InputStream in, String name) throws IOException {
        return spooled(in, file -> {
            try (ZipFile archive = open(file, name)) {
                return keys(archive, name);
            }
        });
    }

    /**
     * The array of that key.
     *
     * @throws TensorFormatException naming the keys where {@code key} is not among them, and where the archive or the
     *     npy file in it is damaged or of a kind that {@link Npy} refuses
     */
    public static Tensor read(Path file, String key) throws IOException {
        return read(file, key, file.toString());
    }

    /**
     * The array of that key, from an archive that is not a local file. The stream is read to its end into a temporary
     * file first, because the directory of a zip archive stands there.
     *
     * @param name what the messages call the archive
     */
    public static Tensor read(InputStream in, String key, String name) throws IOException {
        return spooled(in, file -> read(file, key, name));
    }

    private interface Spooled<R> {
        R read(Path file) throws IOException;
    }

    private static <R> R spooled(InputStream in, Spooled<R> then) throws IOException {
        Path spooled = Files.createTempFile("broadloom-", ".npz");
        try {
            Files.copy(in, spooled, StandardCopyOption.REPLACE_EXISTING);
            return then.read(spooled);
        } finally {
            Files.delete(spooled);
        }
    }

    private static Tensor read(Path file, String key, String name) throws IOException {
        try (ZipFile archive = open(file, name)) {
            List<String> keys = keys(archive, name);
            // "x" means the entry x.npy first, so that every key that keys() lists can be read.
            ZipEntry entry = archive.getEntry(key + SUFFIX);
            if (entry == null) {
                entry = archive.getEntry(key);
            }
            if (entry == null || entry.isDirectory()) {
                throw TensorFormatException.cannotRead(
                        name,
                        "it has no array '" + key + "'; "
                                + (keys.isEmpty() ? "it has none at all" : "it has " + String.join(", ", keys)));
            }
            return read(archive, entry, name);
        }
    }

    /** Every array by its key, in the archive's order. */
    public static Map<String, Tensor> readAll(Path file) throws IOException {
        String name = file.toString();
        try (ZipFile archive = open(file, name)) {
            Map<String, Tensor> arrays = new LinkedHashMap<>();
            keys(archive, name);
            for (ZipEntry entry : entries(archive, name)) {
                arrays.put(key(entry), read(archive, entry, name));
            }
            return arrays;
        }
    }

    /** {@link #write(Map, Path, WriteMode, Compression)}, stored. */
    public static void write(Map<String, Tensor> arrays, Path file, WriteMode mode) throws IOException {
        write(arrays, file, mode, Compression.STORED);
    }

    /**
     * Writes the arrays in the map's order. The file appears under its name when it is complete; where writing fails,
     * everything is as it was.
     *
     * @throws java.nio.file.FileAlreadyExistsException under {@link WriteMode#CREATE}, where the file exists
     */
    public static void write(Map<String, Tensor> arrays, Path file, WriteMode mode, Compression compression)
            throws IOException {
        AtomicFile.write(file, mode, channel -> {
            OutputStream out = Channels.newOutputStream(channel);
            try (Writer writer = new Writer(out, compression)) {
                for (Map.Entry<String, Tensor> array : arrays.entrySet()) {
                    writer.write(array.getKey() + SUFFIX, array.getValue());
                }
            }
        });
    }

    private static ZipFile open(Path file, String name) throws IOException {
        if (Files.notExists(file)) {
            throw new NoSuchFileException(name);
        }
        if (Files.isDirectory(file)) {
            throw TensorFormatException.cannotRead(name, "it is a folder, not a npz file");
        }
        try {
            return new ZipFile(file.toFile());
        } catch (ZipException | EOFException | IllegalArgumentException e) {
            throw TensorFormatException.cannotRead(
                    name,
                    "it is not a whole zip archive of stored or deflated entries, as a npz file is (" + reason(e) + ")",
                    e);
        }
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? "it ends too early" : e.getMessage();
    }

    private static List<ZipEntry> entries(ZipFile archive, String name) throws TensorFormatException {
        List<ZipEntry> entries = new ArrayList<>();
        try {
            archive.stream().filter(entry -> !entry.isDirectory()).forEach(entries::add);
        } catch (IllegalArgumentException e) {
            throw TensorFormatException.cannotRead(name, "the name of one of its zip entries is not UTF-8 text", e);
        }
        return entries;
    }

    private static List<String> keys(ZipFile archive, String name) throws TensorFormatException {
        List<String> keys = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (ZipEntry entry : entries(archive, name)) {
            String key = key(entry);
            if (!seen.add(key)) {
                throw TensorFormatException.cannotRead(
                        name, "it holds two arrays of the name '" + key + "'; which one is meant cannot be told");
            }
            keys.add(key);
        }
        return keys;
    }

    private static String key(ZipEntry entry) {
        String name = entry.getName();
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }

    private static Tensor read(ZipFile archive, ZipEntry entry, String archiveName) throws IOException {
        String name = archiveName + ":" + key(entry);
        CRC32 checksum = new CRC32();
        try (InputStream raw = archive.getInputStream(entry);
                CheckedInputStream in = new CheckedInputStream(raw, checksum)) {
            NpyHeader header = NpyHeader.read(in, name);
            header.checkFileLength(entry.getSize(), name);
            ReadableByteChannel channel = Bytes.channel(in);
            Storage storage = Bytes.readGrowing(channel, header.dataBytes(), held -> header.truncated(held, name));
            if (in.read() >= 0 || checksum.getValue() != entry.getCrc()) {
                storage.release();
                throw TensorFormatException.cannotRead(
                        name, "its checksum does not match its bytes; the file is damaged");
            }
            return Npy.tensor(header, storage);
        } catch (ZipException e) {
            throw TensorFormatException.cannotRead(name, "its zip entry cannot be unpacked (" + reason(e) + ")", e);
        } catch (EOFException e) {
            throw TensorFormatException.cannotRead(name, "its zip entry ends too early; the file is truncated", e);
        }
    }

    /** Writes npy files into a zip archive, one after the other. */
    private static final class Writer implements AutoCloseable {
        /** The same for every entry, so that equal arrays make equal files. It needs no time zone in the zip format. */
        private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

        private final ZipOutputStream archive;
        private final Compression compression;

        Writer(OutputStream out, Compression compression) {
            this.archive = new ZipOutputStream(out);
            this.compression = compression;
        }

        void write(String entryName, Tensor tensor) throws IOException {
            ZipEntry entry = new ZipEntry(entryName);
            entry.setTimeLocal(TIME);
            if (compression == Compression.STORED) {
                // The format wants length and checksum ahead of stored data, so the array is gone through twice.
                Measure measure = new Measure();
                Npy.write(tensor, measure);
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(measure.bytes);
                entry.setCompressedSize(measure.bytes);
                entry.setCrc(measure.checksum.getValue());
            }
            archive.putNextEntry(entry);
            Npy.write(tensor, Bytes.channel(archive));
            archive.closeEntry();
        }

        @Override
        public void close() throws IOException {
            archive.close();
        }

        private static final class Measure implements WritableByteChannel {
            private final CRC32 checksum = new CRC32();
            private long bytes;

            @Override
            public int write(ByteBuffer source) {
                int count = source.remaining();
                checksum.update(source);
                bytes += count;
                return count;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        }
    }
}
