package io.github.broadloom.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files in memory, by their keys, or one file whose key is empty; it counts what is read. */
public final class MemoryStore implements Store {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final TreeMap<String, byte[]> files = new TreeMap<>();
    private long read;
    private long reads;
    private long opened;

    /** A folder. */
    public MemoryStore(String name) {
        this.name = name;
    }

    public MemoryStore(String name, byte[] bytes) {
        this(name);
        files.put("", bytes);
    }

    public static MemoryStore of(Path file) throws IOException {
        return new MemoryStore(file.getFileName().toString(), Files.readAllBytes(file));
    }

    public Map<String, byte[]> files() {
        return files;
    }

    /** The bytes that were read of it so far. */
    public long read() {
        return read;
    }

    /** How often something was read. */
    public long reads() {
        return reads;
    }

    /** How many files were opened. */
    public long opened() {
        return opened;
    }

    public long size() {
        return files.values().stream().mapToLong(bytes -> bytes.length).sum();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public SeekableByteChannel open(String key) throws IOException {
        byte[] bytes = files.get(Keys.checked(key, name));
        if (bytes == null) {
            throw new NoSuchFileException(name(key));
        }
        opened++;
        return new Channel(bytes);
    }

    @Override
    public boolean isFolder(String key) {
        return !files.containsKey(key)
                && (key.isEmpty() || files.keySet().stream().anyMatch(file -> file.startsWith(key + "/")));
    }

    @Override
    public List<Entry> list(String folder) throws IOException {
        if (!isFolder(folder)) {
            throw new NoSuchFileException(name(folder));
        }
        String prefix = folder.isEmpty() ? "" : folder + "/";
        return files.keySet().stream()
                .filter(file -> file.startsWith(prefix))
                .map(file -> file.substring(prefix.length()))
                .map(file -> file.contains("/")
                        ? new Entry(file.substring(0, file.indexOf('/')), true, 0)
                        : new Entry(file, false, files.get(prefix + file).length))
                .distinct()
                .toList();
    }

    private final class Channel implements SeekableByteChannel {
        private final byte[] bytes;
        private long position;

        Channel(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read(ByteBuffer target) {
            int count = (int) Math.min(target.remaining(), bytes.length - position);
            if (count <= 0) {
                return target.hasRemaining() ? -1 : 0;
            }
            target.put(bytes, (int) position, count);
            position += count;
            read += count;
            reads++;
            return count;
        }

        @Override
        public int write(ByteBuffer source) {
            throw new NonWritableChannelException();
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public SeekableByteChannel position(long newPosition) {
            if (newPosition < 0) {
                throw new IllegalArgumentException("position " + newPosition);
            }
            position = newPosition;
            return this;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new NonWritableChannelException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
