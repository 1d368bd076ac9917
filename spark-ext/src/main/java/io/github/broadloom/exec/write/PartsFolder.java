package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.tensor.Tensor;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * A folder that fills with one part file for each chunk. Every attempt of a task writes a file of its own and gives it the part's name when it is complete. Results are
 * deterministic: where the part is there already, the attempt has succeeded, and deletes its own file. No task ever deletes or replaces a part.
 *
 * @param location hidden, until all parts are there
 * @param format what the parts are
 */
record PartsFolder(Location location, PartFormat format) implements Sink.ChunkWriter {
    /** It is there as long as the folder is written to: some file systems make a folder that is gone again for who comes too late. */
    private static final String OPEN = "_open";

    void create() throws IOException {
        location.createDirectory();
        location.child(OPEN).create().close();
    }

    @Override
    public Part write(Tensor chunk, int index, long firstRow, long attempt) throws IOException {
        String name = format.fileName(index);
        Location own = location.child("." + name + "." + attempt + ".tmp");
        boolean complete = false;
        try {
            Tally tally;
            try (OutputStream out = own.create()) {
                tally = new Tally(out);
                format.write(chunk, tally);
                tally.flush();
            }
            checkOpen();
            Part part = tally.part(name, rows(chunk));
            complete = rename(own, part);
            return complete ? part : there(part);
        } finally {
            if (!complete) {
                Temporaries.discard(own);
            }
        }
    }

    private static long rows(Tensor chunk) {
        return chunk.rank() == 0 ? 1 : chunk.shape().size(0);
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

    /** Holds the parts against what their tasks told, and deletes what else attempts left. */
    void close(List<Part> parts, Location target) throws IOException {
        location.child(OPEN).delete();
        Map<String, Long> found = new HashMap<>();
        for (Location.Entry entry : location.list(format::isPart)) {
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
        for (Location.Entry left : folder.list(name -> name.startsWith("."))) {
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
