package io.github.broadloom.format;

import java.io.IOException;
import java.io.Serializable;
import java.nio.channels.SeekableByteChannel;
import java.util.List;

/**
 * What lies at one address, a file or a folder of named files, as any machine reads it. Names are keys as Zarr has them: parts between slashes, none of them empty,
 * {@code .} or {@code ..}; the empty key is the address itself.
 */
public interface Store extends Serializable {
    /** What the user calls it. */
    String name();

    /** What a message calls one of its files. */
    default String name(String key) {
        return key.isEmpty() ? name() : name() + (name().endsWith("/") ? "" : "/") + key;
    }

    /**
     * Opens a file. Of the machine's own files this is a {@code FileChannel}, so that reading goes straight into a direct buffer.
     *
     * @throws java.nio.file.NoSuchFileException where there is none
     * @throws io.github.broadloom.io.TensorFormatException where the key is no key, or leads out of the store by a symbolic link
     */
    SeekableByteChannel open(String key) throws IOException;

    /** Whether it is a folder; false where there is nothing. */
    boolean isFolder(String key) throws IOException;

    /**
     * What lies in a folder, by name.
     *
     * @throws java.nio.file.NoSuchFileException where there is none
     */
    List<Entry> list(String folder) throws IOException;

    /** About the bytes that are read in the time which a step from one place of a file to another takes. */
    default long stepBytes() {
        return FileRanges.STEP_BYTES;
    }

    /** A file or folder of a folder: its last name, and its length. */
    record Entry(String name, boolean folder, long bytes) {}
}
