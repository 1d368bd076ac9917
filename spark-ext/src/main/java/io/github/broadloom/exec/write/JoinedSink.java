package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.io.WriteMode;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** One file that no two tasks could write at once: they write parts, which the driver then joins under a temporary name. */
abstract class JoinedSink extends Sink {
    private final long sizeBytes;
    private final PartsFolder parts;
    private final Location joined;

    JoinedSink(Location target, WriteMode mode, PartFormat format, long sizeBytes) {
        super(target, mode);
        this.sizeBytes = sizeBytes;
        this.joined = Temporaries.of(target);
        this.parts = new PartsFolder(Temporaries.of(target), format);
    }

    abstract void join(List<Location> parts, OutputStream out) throws IOException;

    /** Makes the whole file, by copying every byte of the parts. */
    Location whole(Location folder, List<Part> written) throws IOException {
        try (OutputStream out = joined.create()) {
            join(written.stream().map(part -> folder.child(part.name())).toList(), out);
        }
        return joined;
    }

    @Override
    public final void begin() throws IOException {
        Targets.checkFile(target, mode);
        Targets.prepare(target, mode, sizeBytes);
        parts.create();
    }

    @Override
    public ChunkWriter writer() {
        return parts;
    }

    @Override
    public final void commit(List<Part> written) throws IOException {
        parts.close(written, target);
        Location whole = whole(parts.location(), written);
        Targets.checkFile(target, mode);
        Targets.publish(whole, target, mode);
        abort();
    }

    @Override
    public final void abort() {
        Temporaries.discard(parts.location());
        Temporaries.discard(joined);
    }
}
