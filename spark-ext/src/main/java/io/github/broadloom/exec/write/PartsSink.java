package io.github.broadloom.exec.write;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Manifest;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.util.List;

/** A folder with one part file for each chunk and a {@link Manifest}, which gets its name when all parts are there. */
final class PartsSink extends Sink {
    private final DType dtype;
    private final Shape shape;
    private final PartsFolder parts;

    PartsSink(Location target, WriteMode mode, PartFormat format, DType dtype, Shape shape) {
        super(target, mode);
        this.dtype = dtype;
        this.shape = shape;
        this.parts = new PartsFolder(Temporaries.of(target), format);
    }

    @Override
    public void begin() throws IOException {
        Targets.checkParts(target, mode);
        Targets.prepare(target, mode, dtype.sizeBytes(shape.numel()));
        parts.create();
    }

    @Override
    public ChunkWriter writer() {
        return parts;
    }

    @Override
    public void commit(List<Part> written) throws IOException {
        parts.close(written, target);
        new Manifest(parts.format(), dtype, shape, written).write(parts.location());
        Targets.checkParts(target, mode);
        Targets.publish(parts.location(), target, mode);
        Temporaries.over(parts.location());
        // Who came too late for the first time did not find the folder by its old name any more.
        Temporaries.tidy(target, () -> OpenFolder.sweep(target));
    }

    @Override
    public void abort() {
        Temporaries.discard(parts.location());
    }
}
