package io.github.broadloom.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** One file in memory, which counts the bytes that are read of it. */
public final class MemoryStore implements Store {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final byte[] bytes;
    private long read;

    public MemoryStore(String name, byte[] bytes) {
        this.name = name;
        this.bytes = bytes;
    }

    public static MemoryStore of(Path file) throws IOException {
        return new MemoryStore(file.getFileName().toString(), Files.readAllBytes(file));
    }

    /** The bytes that were read of it so far. */
    public long read() {
        return read;
    }

    public long size() {
        return bytes.length;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public SeekableByteChannel open(String key) throws IOException {
        if (!key.isEmpty()) {
            throw new NoSuchFileException(name(key));
        }
        return new Channel();
    }

    @Override
    public boolean isFolder(String key) {
        return false;
    }

    @Override
    public List<Entry> list(String folder) throws IOException {
        throw new NoSuchFileException(name(folder));
    }

    private final class Channel implements SeekableByteChannel {
        private long position;

        @Override
        public int read(ByteBuffer target) {
            int count = (int) Math.min(target.remaining(), bytes.length - position);
            if (count <= 0) {
                return target.hasRemaining() ? -1 : 0;
            }
            target.put(bytes, (int) position, count);
            position += count;
            read += count;
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
