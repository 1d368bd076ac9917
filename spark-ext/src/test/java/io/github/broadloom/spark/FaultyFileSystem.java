package io.github.broadloom.spark;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;

/** Files of this machine under another scheme: who reads the middle of one meets {@link Faults}. */
public final class FaultyFileSystem extends RemoteFileSystem {
    /** The setting that names the folder of the orders. */
    static final String ORDERS = "fs.faulty.orders";

    @Override
    public String getScheme() {
        return "faulty";
    }

    @Override
    public URI getUri() {
        return URI.create("faulty:///");
    }

    @Override
    public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
        long middle = getFileStatus(path).getLen() / 2;
        java.nio.file.Path orders = java.nio.file.Path.of(getConf().get(ORDERS));
        return new FSDataInputStream(new Watched(super.open(path, bufferBytes), middle, orders));
    }

    private static final class Watched extends FSInputStream {
        private final FSDataInputStream in;
        private final long middle;
        private final java.nio.file.Path orders;

        Watched(FSDataInputStream in, long middle, java.nio.file.Path orders) {
            this.in = in;
            this.middle = middle;
            this.orders = orders;
        }

        private int watched(long start, int count) throws IOException {
            if (start <= middle && middle < start + count) {
                Faults.strike(orders);
            }
            return count;
        }

        @Override
        public int read() throws IOException {
            watched(getPos(), 1);
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return watched(getPos(), in.read(bytes, offset, length));
        }

        @Override
        public void seek(long position) throws IOException {
            in.seek(position);
        }

        @Override
        public long getPos() throws IOException {
            return in.getPos();
        }

        @Override
        public boolean seekToNewSource(long position) throws IOException {
            return in.seekToNewSource(position);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
