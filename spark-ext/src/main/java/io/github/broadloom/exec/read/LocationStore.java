package io.github.broadloom.exec.read;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.format.Keys;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.Bytes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;

/** Files of any file system that Hadoop knows, read as Java's channels; what is read is counted for the task. */
record LocationStore(Location location) implements Store {
    private static final long FAR_STEP_BYTES = 2 << 20;

    @Override
    public String name() {
        return location.name();
    }

    /** A request to an object store or to another machine takes as long as a few megabytes. */
    @Override
    public long stepBytes() {
        return location.isLocal() ? Store.super.stepBytes() : FAR_STEP_BYTES;
    }

    private Location at(String key) throws IOException {
        return key.isEmpty() ? location : location.child(Keys.checked(key, name()));
    }

    private LocalStore local() {
        return new LocalStore(name(), location.local().toString());
    }

    @Override
    public SeekableByteChannel open(String key) throws IOException {
        if (location.isLocal()) {
            return new Counting(local().open(key));
        }
        Location file = at(key);
        try {
            return new Counting(new HadoopChannel((FSDataInputStream) file.open(), file.length()));
        } catch (FileNotFoundException e) {
            throw new NoSuchFileException(name(key), null, "there is no such file");
        }
    }

    @Override
    public boolean isFolder(String key) throws IOException {
        return location.isLocal() ? local().isFolder(key) : at(key).isDirectory();
    }

    @Override
    public List<Entry> list(String folder) throws IOException {
        if (location.isLocal()) {
            return local().list(folder);
        }
        try {
            return at(folder).list().stream()
                    .map(entry -> new Entry(entry.name(), entry.folder(), entry.bytes()))
                    .toList();
        } catch (FileNotFoundException e) {
            throw new NoSuchFileException(name(folder), null, "there is no such folder");
        }
    }

    /** Nothing is written through these. */
    private abstract static class ReadOnly implements SeekableByteChannel {
        @Override
        public int write(ByteBuffer source) {
            throw new NonWritableChannelException();
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new NonWritableChannelException();
        }
    }

    private static final class Counting extends ReadOnly {
        private final SeekableByteChannel channel;

        Counting(SeekableByteChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            int read = channel.read(target);
            TaskMeter.count(TaskMetric.FILE_BYTES, Math.max(0, read));
            return read;
        }

        @Override
        public long position() throws IOException {
            return channel.position();
        }

        @Override
        public SeekableByteChannel position(long position) throws IOException {
            channel.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Not every stream of Hadoop reads into buffers, so that pieces go through the heap. */
    private static final class HadoopChannel extends ReadOnly {
        private final FSDataInputStream in;
        private final ReadableByteChannel bytes;
        private final long size;
        private boolean open = true;

        HadoopChannel(FSDataInputStream in, long size) {
            this.in = in;
            this.bytes = Bytes.channel(in);
            this.size = size;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return bytes.read(target);
        }

        @Override
        public long position() throws IOException {
            return in.getPos();
        }

        @Override
        public SeekableByteChannel position(long position) throws IOException {
            in.seek(Math.min(position, size));
            return this;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() throws IOException {
            open = false;
            in.close();
        }
    }
}
