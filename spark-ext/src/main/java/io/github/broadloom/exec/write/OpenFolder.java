package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.Temporaries;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/**
 * A folder that tasks fill with files. Every attempt of a task writes a file of its own and gives it its name when it is complete. Results are deterministic: where the
 * file is there already, the attempt has succeeded, and deletes its own. No task ever deletes or replaces a file.
 *
 * @param location hidden, until all files are there
 */
record OpenFolder(Location location) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** It is there as long as the folder is written to: some file systems make a folder that is gone again for who comes too late. */
    private static final String OPEN = "_open";

    void create() throws IOException {
        location.createDirectory();
        location.child(OPEN).create().close();
    }

    /** Writes what a file holds. */
    @FunctionalInterface
    interface Content {
        void write(OutputStream out) throws IOException;
    }

    /**
     * Puts a file there.
     *
     * @param rows that it holds
     * @param attempt a number that no other call has
     * @return what is there, be it of this attempt or of another one
     */
    Part put(String name, long rows, long attempt, Content content) throws IOException {
        Location own = location.child("." + name + "." + attempt + ".tmp");
        boolean complete = false;
        try {
            Tally tally;
            try (OutputStream out = own.create()) {
                tally = new Tally(out);
                content.write(tally);
                tally.flush();
            }
            checkOpen();
            Part part = tally.part(name, rows);
            complete = rename(own, part);
            return complete ? part : there(part);
        } finally {
            if (!complete) {
                Temporaries.discard(own);
            }
        }
    }

    private void checkOpen() throws IOException {
        if (!location.isLocal() && !location.child(OPEN).exists()) {
            throw new IOException("Cannot write " + location + ": the write is over");
        }
    }

    /** Returns false where another attempt was first. */
    private boolean rename(Location own, Part part) throws IOException {
        Location target = location.child(part.name());
        try {
            own.moveTo(target);
            return true;
        } catch (IOException e) {
            if (target.bytesOrSoon(part.bytes()) == part.bytes()) {
                return false;
            }
            throw e;
        }
    }

    /** What another attempt wrote: of the same bytes, or, where one of them ran on a GPU, of others within the permitted error. */
    private Part there(Part mine) throws IOException {
        Tally tally = new Tally(OutputStream.nullOutputStream());
        try (InputStream in = location.child(mine.name()).open()) {
            in.transferTo(tally);
        }
        return tally.part(mine.name(), mine.rows());
    }

    /**
     * Holds the files against what their tasks told, and deletes what else attempts left.
     *
     * @param names whether such a name is one of theirs
     */
    void close(List<Part> parts, Location target, Predicate<String> names) throws IOException {
        location.child(OPEN).delete();
        Map<String, Long> found = new HashMap<>();
        for (Location.Entry entry : location.list(names)) {
            found.put(entry.name(), entry.bytes());
        }
        for (Part part : parts) {
            long bytes = part.bytesIn(location, found.get(part.name()));
            if (bytes != part.bytes()) {
                throw new IOException("Cannot write " + target + ": " + part.name() + ", which a task wrote with "
                        + part.bytes() + " bytes, " + (bytes < 0 ? "is lost" : "has " + bytes)
                        + "; nothing was left there, so write it again");
            }
        }
        sweep(location);
    }

    static void sweep(Location folder) throws IOException {
        for (Location.Entry left : folder.list(name -> name.startsWith(".") && !name.startsWith(".z"))) {
            folder.child(left.name()).delete();
        }
    }

    private static final class Tally extends FilterOutputStream {
        private final CRC32C crc = new CRC32C();
        private long bytes;

        Tally(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            crc.update(value);
            bytes++;
        }

        @Override
        public void write(byte[] values, int offset, int length) throws IOException {
            out.write(values, offset, length);
            crc.update(values, offset, length);
            bytes += length;
        }

        Part part(String name, long rows) {
            return new Part(name, rows, bytes, (int) crc.getValue());
        }
    }
}
