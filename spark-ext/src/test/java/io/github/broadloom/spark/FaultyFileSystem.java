package io.github.broadloom.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;

/** Files of this machine under another scheme, of which none can be joined but by copying, unless it is uploaded in parts: who reads the middle of one, renames, or lists a folder meets {@link Faults}. */
public final class FaultyFileSystem extends RemoteFileSystem {
    /** The setting that names the folder of the orders. */
    static final String ORDERS = "fs.faulty.orders";

    private static final Executor LATER = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

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
        return new FSDataInputStream(new Watched(super.open(path, bufferBytes), middle, orders()));
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) {
        return capability.equals(CommonPathCapabilities.FS_MULTIPART_UPLOADER);
    }

    private java.nio.file.Path orders() {
        return java.nio.file.Path.of(getConf().get(ORDERS));
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        Faults.Renaming fault = Faults.renaming(orders());
        return switch (fault) {
            case DONE -> super.rename(from, to);
            case LOST -> true;
            case REFUSED -> throw new IOException("the network is down");
            case ANSWER_LOST -> {
                super.rename(from, to);
                throw new IOException("the network is down");
            }
            case LATE -> {
                LATER.execute(() -> renameLater(from, to));
                yield true;
            }
            case COPIED -> FileUtil.copy(this, from, this, to, true, getConf());
            case HALF_COPIED -> {
                copyFirst(from, to);
                throw new IOException("the network is down");
            }
        };
    }

    private void renameLater(Path from, Path to) {
        try {
            super.rename(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As object stores rename folders: one file after the other. */
    private void copyFirst(Path from, Path to) throws IOException {
        if (getFileStatus(from).isDirectory()) {
            FileStatus[] files = super.listStatus(from);
            mkdirs(to);
            for (int i = 0; i < files.length / 2; i++) {
                FileUtil.copy(this, files[i].getPath(), this, to, false, getConf());
            }
        }
    }

    /** A part may be missing for a while. */
    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        List<FileStatus> all = new ArrayList<>(List.of(super.listStatus(path)));
        all.stream()
                .filter(status -> status.getPath().getName().matches("(part-|c\\.).*"))
                .findAny()
                .filter(part -> Faults.listLags(orders()))
                .ifPresent(all::remove);
        return all.toArray(FileStatus[]::new);
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
