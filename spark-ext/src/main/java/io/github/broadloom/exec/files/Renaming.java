package io.github.broadloom.exec.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import org.jspecify.annotations.Nullable;

/**
 * A renaming in a file system that is far. That may have done it though it says no, or nothing at all, may show it late, and may not have done it though it says so: what
 * is there in the end counts.
 */
record Renaming(Location from, Location to) {
    void run() throws IOException {
        boolean renamed = false;
        @Nullable IOException failure = null;
        try {
            renamed = from.fileSystem().rename(from.hadoop(), to.hadoop());
        } catch (IOException e) {
            failure = e;
        }
        // Whoever is interrupted has to know, too.
        boolean interrupted = Thread.interrupted();
        try {
            settle(renamed, failure);
        } catch (InterruptedIOException e) {
            interrupted |= Thread.interrupted();
            settle(renamed, failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void settle(boolean renamed, @Nullable IOException failure) throws IOException {
        if ((renamed || !from.exists()) && to.bytesOrSoon(0) >= 0) {
            putOut();
            return;
        }
        if (failure != null) {
            throw failure;
        }
        throw !renamed && to.exists()
                ? new FileAlreadyExistsException(to.name())
                : new IOException("the file system lost the renaming of " + from.hadoop() + " to " + to.hadoop());
    }

    /** A folder that is renamed to a folder, which somebody else made a moment before, may have been put into that. */
    private void putOut() throws IOException {
        Location inside = to.child(from.fileName());
        if (to.isDirectory() && inside.exists()) {
            boolean back = from.fileSystem().rename(inside.hadoop(), from.hadoop());
            throw new FileAlreadyExistsException((back ? to : inside).name());
        }
    }
}
