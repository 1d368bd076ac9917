package io.github.broadloom.zarr;

import io.github.broadloom.format.Keys;
import io.github.broadloom.format.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Files in memory, by their keys; it counts the bytes that are read, how often, and the files that are opened. */
record MemoryStore(Map<String, byte[]> files, AtomicLong bytesRead, AtomicLong reads, AtomicLong opened)
        implements Store {
    private static final long serialVersionUID = 1L;

    MemoryStore() {
        this(new TreeMap<>(), new AtomicLong(), new AtomicLong(), new AtomicLong());
    }

    /** All files of a folder. */
    static MemoryStore of(Path folder) throws IOException {
        MemoryStore store = new MemoryStore();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                store.files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return store;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public SeekableByteChannel open(String key) throws IOException {
        byte[] bytes = files.get(Keys.checked(key, name()));
        if (bytes == null) {
            throw new NoSuchFileException(key);
        }
        opened.incrementAndGet();
        return new Channel(bytes);
    }

    @Override
    public boolean isFolder(String key) {
        return key.isEmpty() || files.keySet().stream().anyMatch(name -> name.startsWith(key + "/"));
    }

    @Override
    public List<Entry> list(String folder) {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        return files.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .map(name -> name.contains("/")
                        ? new Entry(name.substring(0, name.indexOf('/')), true, 0)
                        : new Entry(name, false, files.get(prefix + name).length))
                .distinct()
                .toList();
    }

    private final class Channel implements SeekableByteChannel {
        private final ByteBuffer bytes;
        private boolean open = true;

        Channel(byte[] bytes) {
            this.bytes = ByteBuffer.wrap(bytes);
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            if (!open) {
                throw new ClosedChannelException();
            }
            if (!bytes.hasRemaining()) {
                return -1;
            }
            int count = Math.min(bytes.remaining(), target.remaining());
            target.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            bytesRead.addAndGet(count);
            reads.incrementAndGet();
            return count;
        }

        @Override
        public int write(ByteBuffer source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            return bytes.position();
        }

        @Override
        public SeekableByteChannel position(long position) {
            bytes.position((int) Math.min(position, bytes.limit()));
            return this;
        }

        @Override
        public long size() {
            return bytes.limit();
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }
}
