package io.github.broadloom.exec;

import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A folder with one part file for each chunk. Every attempt of a task writes a file of its own and renames it when it is
 * complete; the folder gets its name when all parts are there.
 */
final class PartsSink implements Sink {
    private final Location target;
    private final WriteMode mode;
    private final PartFormat format;
    private final long sizeBytes;
    private final Location temporary;

    PartsSink(Location target, WriteMode mode, PartFormat format, long sizeBytes) {
        this.target = target;
        this.mode = mode;
        this.format = format;
        this.sizeBytes = sizeBytes;
        this.temporary = Targets.temporary(target);
    }

    /** The folder with the parts before it gets its name. */
    Location temporary() {
        return temporary;
    }

    @Override
    public void begin() throws IOException {
        Targets.checkParts(target, mode);
        Targets.checkSpace(target, sizeBytes);
        temporary.createDirectory();
    }

    @Override
    public ChunkWriter writer() {
        return new Writer(temporary, format);
    }

    private record Writer(Location folder, PartFormat format) implements ChunkWriter {
        @Override
        public void write(Tensor chunk, int index, long firstRow, long attempt) throws IOException {
            String name = format.fileName(index);
            Location own = folder.child("." + name + "." + attempt + ".tmp");
            boolean complete = false;
            try {
                try (OutputStream out = own.create()) {
                    format.write(chunk, out);
                }
                own.renameTo(folder.child(name));
                complete = true;
            } finally {
                if (!complete) {
                    own.delete();
                }
            }
        }
    }

    @Override
    public void commit(int chunks) throws IOException {
        for (String name : temporary.list()) {
            if (name.startsWith(".")) {
                // Of an attempt that was killed.
                temporary.child(name).delete();
            }
        }
        if (!target.exists()) {
            temporary.renameTo(target);
            return;
        }
        if (mode == WriteMode.CREATE) {
            throw Targets.alreadyExists(target);
        }
        Targets.checkParts(target, mode);
        Location old = Targets.temporary(target);
        target.renameTo(old);
        try {
            temporary.renameTo(target);
        } catch (IOException | RuntimeException e) {
            old.renameTo(target);
            throw e;
        }
        old.delete();
    }

    @Override
    public void abort() throws IOException {
        temporary.delete();
    }

    @Override
    public String name() {
        return target.name();
    }
}
