package io.github.broadloom.exec;

import io.github.broadloom.io.WriteMode;
import java.io.IOException;
import java.io.OutputStream;

/** One file that no two tasks could write at once: they write parts, which the driver then joins under a temporary name. */
abstract class JoinedSink implements Sink {
    private final Location target;
    private final WriteMode mode;
    private final PartsSink parts;
    private final Location joined;

    JoinedSink(Location target, WriteMode mode, PartFormat format, long sizeBytes) {
        this.target = target;
        this.mode = mode;
        this.joined = Targets.temporary(target);
        this.parts = new PartsSink(Targets.temporary(target), WriteMode.CREATE, format, sizeBytes);
    }

    /** Writes the whole file from the parts of that many chunks. */
    abstract void join(int chunks, OutputStream out) throws IOException;

    /** The folder of the parts. */
    final Location partsFolder() {
        return parts.temporary();
    }

    @Override
    public final void begin() throws IOException {
        Targets.checkFile(target, mode);
        parts.begin();
    }

    @Override
    public final ChunkWriter writer() {
        return parts.writer();
    }

    @Override
    public final void commit(int chunks) throws IOException {
        try (OutputStream out = joined.create()) {
            join(chunks, out);
        }
        Targets.checkFile(target, mode);
        joined.renameTo(target);
        parts.abort();
    }

    @Override
    public final void abort() throws IOException {
        parts.abort();
        joined.delete();
    }

    @Override
    public final String name() {
        return target.name();
    }
}
