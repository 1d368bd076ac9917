package io.github.broadloom.bench;

import java.io.FileNotFoundException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Local folders under the scheme {@code full}, on a disk that has no room for more than 1000 bytes of a file. */
public final class FullDisk extends FileSystem {
    static final String PROPERTY = "spark.hadoop.fs.full.impl";
    private static final long ROOM_BYTES = 1000;
    private static final Object FOLDERS = new Object();
    private static final URI NAME = URI.create("full:///");

    private final RawLocalFileSystem disk = new RawLocalFileSystem();
    private Path workingDirectory = new Path("full:///");

    @Override
    public String getScheme() {
        return "full";
    }

    @Override
    public URI getUri() {
        return NAME;
    }

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        super.initialize(NAME, conf);
        disk.initialize(URI.create("file:///"), conf);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
        return disk.open(onDisk(path), bufferBytes);
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferBytes,
            short replication,
            long blockBytes,
            Progressable progress)
            throws IOException {
        OutputStream file = disk.create(onDisk(path), overwrite, bufferBytes, replication, blockBytes);
        return new FSDataOutputStream(new Limited(file), null);
    }

    /** As a file system whose folders are one table does it: no delete comes between the look at the folder and the file. */
    @Override
    public FSDataOutputStream createNonRecursive(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferBytes,
            short replication,
            long blockBytes,
            Progressable progress)
            throws IOException {
        synchronized (FOLDERS) {
            if (!exists(path.getParent())) {
                throw new FileNotFoundException("there is no folder " + path.getParent());
            }
            return create(
                    path,
                    permission,
                    flags.contains(CreateFlag.OVERWRITE),
                    bufferBytes,
                    replication,
                    blockBytes,
                    progress);
        }
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferBytes, Progressable progress) {
        throw new UnsupportedOperationException("append");
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return disk.rename(onDisk(from), onDisk(to));
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        synchronized (FOLDERS) {
            return disk.delete(onDisk(path), recursive);
        }
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return Arrays.stream(disk.listStatus(onDisk(path))).map(FullDisk::here).toArray(FileStatus[]::new);
    }

    @Override
    public void setWorkingDirectory(Path path) {
        workingDirectory = path;
    }

    @Override
    public Path getWorkingDirectory() {
        return workingDirectory;
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        return disk.mkdirs(onDisk(path));
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return here(disk.getFileStatus(onDisk(path)));
    }

    private static Path onDisk(Path path) {
        return new Path("file", null, path.toUri().getPath());
    }

    private static FileStatus here(FileStatus status) {
        status.setPath(new Path("full", "", status.getPath().toUri().getPath()));
        return status;
    }

    private static final class Limited extends FilterOutputStream {
        private long written;

        Limited(OutputStream file) {
            super(file);
        }

        @Override
        public void write(int value) throws IOException {
            room(1);
            out.write(value);
        }

        @Override
        public void write(byte[] bytes, int start, int count) throws IOException {
            room(count);
            out.write(bytes, start, count);
        }

        private void room(int count) throws IOException {
            written += count;
            if (written > ROOM_BYTES) {
                throw new IOException("No space left on device");
            }
        }
    }
}
