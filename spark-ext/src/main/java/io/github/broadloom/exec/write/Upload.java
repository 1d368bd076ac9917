package io.github.broadloom.exec.write;

import io.github.broadloom.exec.Failures;
import io.github.broadloom.exec.files.Location;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.BBPartHandle;
import org.apache.hadoop.fs.BBUploadHandle;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.MultipartUploader;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.PartHandle;

/**
 * A file that is uploaded in parts, by whoever knows of it, and is there when it is completed.
 *
 * @param id the file system's name for the upload
 */
record Upload(Location target, byte[] id) implements Serializable {
    static boolean isPossible(Location target) throws IOException {
        return !target.isLocal()
                && target.fileSystem().hasPathCapability(target.hadoop(), CommonPathCapabilities.FS_MULTIPART_UPLOADER);
    }

    static Upload start(Location target) throws IOException {
        try (MultipartUploader uploader = uploader(target)) {
            return new Upload(
                    target, done(uploader.startUpload(target.hadoop())).toByteArray());
        }
    }

    private static MultipartUploader uploader(Location target) throws IOException {
        MultipartUploaderBuilder<?, ?> builder =
                target.fileSystem().createMultipartUploader(target.folder().hadoop());
        return builder.build();
    }

    private static <T> T done(CompletableFuture<T> future) throws IOException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(Failures.sentence(e.getCause() == null ? e : e.getCause()), e);
        }
    }

    private BBUploadHandle handle() {
        return (BBUploadHandle) BBUploadHandle.from(ByteBuffer.wrap(id));
    }

    /** Uploads a part, numbered from 1, or what another attempt has uploaded once more; returns the file system's name for it. */
    byte[] put(int number, boolean last, InputStream bytes, long length) throws IOException {
        try (MultipartUploader uploader = uploader(target)) {
            return done(uploader.putPart(handle(), number, last, target.hadoop(), bytes, length))
                    .toByteArray();
        }
    }

    void complete(List<byte[]> parts) throws IOException {
        Map<Integer, PartHandle> numbered = new HashMap<>();
        for (byte[] part : parts) {
            numbered.put(numbered.size() + 1, BBPartHandle.from(ByteBuffer.wrap(part)));
        }
        try (MultipartUploader uploader = uploader(target)) {
            done(uploader.complete(handle(), target.hadoop(), numbered));
        }
    }

    void abort() throws IOException {
        try (MultipartUploader uploader = uploader(target)) {
            done(uploader.abort(handle(), target.hadoop()));
        }
    }
}
