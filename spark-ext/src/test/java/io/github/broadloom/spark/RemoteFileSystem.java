package io.github.broadloom.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.impl.FileSystemMultipartUploaderBuilder;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Stands for hdfs: in the tests: a file system whose scheme is not file:, reached through Hadoop alone. No file takes the place of another, and files of one folder can be
 * joined without copying.
 */
public class RemoteFileSystem extends RawLocalFileSystem {
    /** What is asked of a file system. */
    public enum Operation {
        OPEN,
        CREATE,
        RENAME,
        DELETE,
        MAKE_FOLDER,
        LIST,
        STATUS,
        CONCAT
    }

    /** Is told before each operation of this JVM, and may let it fail. */
    @FunctionalInterface
    public interface Watcher {
        void before(Operation operation, Path path) throws IOException;
    }

    private static volatile Watcher watcher = (operation, path) -> {};

    public static void watch(Watcher other) {
        watcher = other;
    }

    public static void unwatch() {
        watcher = (operation, path) -> {};
    }

    @Override
    public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
        watcher.before(Operation.OPEN, path);
        return super.open(path, bufferBytes);
    }

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
        watcher.before(Operation.CREATE, path);
        return super.createNonRecursive(path, permission, flags, bufferBytes, replication, blockBytes, progress);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        watcher.before(Operation.DELETE, path);
        return super.delete(path, recursive);
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        watcher.before(Operation.MAKE_FOLDER, path);
        return super.mkdirs(path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        watcher.before(Operation.LIST, path);
        return super.listStatus(path);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        watcher.before(Operation.STATUS, path);
        return super.getFileStatus(path);
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return capability.equals(CommonPathCapabilities.FS_CONCAT) || super.hasPathCapability(path, capability);
    }

    @Override
    public MultipartUploaderBuilder<?, ?> createMultipartUploader(Path base) {
        return new FileSystemMultipartUploaderBuilder(this, base);
    }

    /** With what hdfs asks of the files. */
    @Override
    public void concat(Path target, Path[] parts) throws IOException {
        watcher.before(Operation.CONCAT, target);
        for (Path part : parts) {
            if (!part.getParent().equals(target.getParent())
                    || getFileStatus(part).getLen() == 0) {
                throw new IOException("Source file " + part + " is in another folder, or empty");
            }
        }
        // RawLocalFileSystem's own drops what the target has.
        for (Path part : parts) {
            Files.write(
                    pathToFile(target).toPath(),
                    Files.readAllBytes(pathToFile(part).toPath()),
                    StandardOpenOption.APPEND);
            super.delete(part, false);
        }
    }

    @Override
    public String getScheme() {
        return "remote";
    }

    /** Raw local files would start a process for each. */
    @Override
    public void setPermission(Path path, FsPermission permission) {}

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        watcher.before(Operation.RENAME, from);
        return !isTaken(to) && super.rename(from, to);
    }

    private boolean isTaken(Path path) throws IOException {
        try {
            return getFileStatus(path).isFile();
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    @Override
    public URI getUri() {
        return URI.create("remote:///");
    }
}
