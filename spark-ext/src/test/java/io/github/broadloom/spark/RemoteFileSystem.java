package io.github.broadloom.spark;

import java.net.URI;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Stands for hdfs: and s3a: in the tests: a file system whose scheme is not file:, reached through Hadoop alone. */
public final class RemoteFileSystem extends RawLocalFileSystem {
    @Override
    public String getScheme() {
        return "remote";
    }

    @Override
    public URI getUri() {
        return URI.create("remote:///");
    }
}
