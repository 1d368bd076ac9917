package io.github.broadloom.exec.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;

/** A file that one writer at a time has. It tells the temporary name of its owner, so that what a writer that died has left is taken away by the next one. */
public record Lock(Location file) {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int POLL_MILLIS = 50;

    /**
     * Waits until nobody else has it.
     *
     * @param owner a folder of a temporary name, which is in use
     * @throws IOException where somebody else has it for a minute
     */
    public static Lock take(Location file, Location owner) throws IOException {
        Location mine = owner.child("_lock");
        try (OutputStream out = mine.create()) {
            out.write(owner.fileName().getBytes(StandardCharsets.UTF_8));
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                mine.moveTo(file);
                return new Lock(file);
            } catch (FileAlreadyExistsException e) {
                if (isAbandoned(file)) {
                    file.delete();
                } else if (System.nanoTime() > end) {
                    throw new IOException(
                            "another writer has " + file
                                    + " for a minute; delete that where you know that nobody writes",
                            e);
                } else {
                    pause();
                }
            }
        }
    }

    private static boolean isAbandoned(Location file) throws IOException {
        try (InputStream in = file.open()) {
            String owner = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return file.folder().list(file.fileName()::equals).stream()
                    .anyMatch(entry -> Temporaries.isAbandoned(owner, entry.modifiedMillis()));
        } catch (FileNotFoundException | NoSuchFileException e) {
            return false; // by now it is free
        }
    }

    private static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    public void release() {
        Temporaries.tidy(file, file::delete);
    }
}
