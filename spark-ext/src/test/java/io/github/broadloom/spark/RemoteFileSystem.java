package io.github.broadloom.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/** Stands for hdfs: and s3a: in the tests: a file system whose scheme is not file:, reached through Hadoop alone. */
public class RemoteFileSystem extends RawLocalFileSystem {
    @Override
    public String getScheme() {
        return "remote";
    }

    /** Raw local files would start a process for each. */
    @Override
    public void setPermission(Path path, FsPermission permission) {}

    /** As of hdfs: no file takes the place of another. */
    @Override
    public boolean rename(Path from, Path to) throws IOException {
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
