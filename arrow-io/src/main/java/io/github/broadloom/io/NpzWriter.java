package io.github.broadloom.io;

import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.time.LocalDateTime;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes npy files into a zip archive, one after the other. */
final class NpzWriter implements AutoCloseable {
    /** The same for every entry, so that equal arrays make equal files. It needs no time zone in the zip format. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

    private final ZipOutputStream archive;
    private final Npz.Compression compression;

    NpzWriter(OutputStream out, Npz.Compression compression) {
        this.archive = new ZipOutputStream(out);
        this.compression = compression;
    }

    void write(String entryName, Tensor tensor) throws IOException {
        ZipEntry entry = new ZipEntry(entryName);
        entry.setTimeLocal(TIME);
        if (compression == Npz.Compression.STORED) {
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

    /** Counts what is written to it. */
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
