package io.github.broadloom.exec.files;

import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.io.Serializable;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** What a task has written: a file with some rows of a tensor, or its place in one. */
public final class Part implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final long rows;
    private final long bytes;
    private final int crc32c;
    private final byte[] receipt;

    public Part(String name, long rows, long bytes, int crc32c) {
        this(name, rows, bytes, crc32c, new byte[0]);
    }

    /** @param receipt what the file system calls it, where it was uploaded */
    public Part(String name, long rows, long bytes, int crc32c, byte[] receipt) {
        this.receipt = receipt;
        this.name = name;
        this.rows = rows;
        this.bytes = bytes;
        this.crc32c = crc32c;
    }

    public byte[] receipt() {
        return receipt;
    }

    public String name() {
        return name;
    }

    public long rows() {
        return rows;
    }

    public long bytes() {
        return bytes;
    }

    /** Its length in a folder, less than 0 where it is not there; what a list of the folder told may lag behind, or be null. */
    public long bytesIn(Location folder, @Nullable Long listed) throws IOException {
        return listed != null && listed == bytes ? bytes : folder.child(name).bytesOrSoon(bytes);
    }

    /** Holds the checksum of what was read of the whole part against that of what was written. */
    public void check(CRC32C read, Location location) throws TensorFormatException {
        if ((int) read.getValue() != crc32c) {
            throw new TensorFormatException(String.format(
                    Locale.ROOT,
                    "Cannot read %s: its bytes are not those that were written (CRC-32C %08x instead of %08x); it is damaged, or was replaced since it was opened",
                    location,
                    (int) read.getValue(),
                    crc32c));
        }
    }

    public int crc32c() {
        return crc32c;
    }
}
