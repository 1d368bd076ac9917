package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.List;

/**
 * A folder that fills with one part file for each chunk.
 *
 * @param format what the parts are
 */
record PartsFolder(OpenFolder folder, PartFormat format) implements Sink.ChunkWriter {
    PartsFolder(Location location, PartFormat format) {
        this(new OpenFolder(location), format);
    }

    Location location() {
        return folder.location();
    }

    void create() throws IOException {
        folder.create();
    }

    @Override
    public Part write(Tensor chunk, int index, long firstRow, long attempt) throws IOException {
        long rows = chunk.rank() == 0 ? 1 : chunk.shape().size(0);
        return folder.put(format.fileName(index), rows, attempt, out -> format.write(chunk, out));
    }

    /** Holds the parts against what their tasks told, and deletes what else attempts left. */
    void close(List<Part> parts, Location target) throws IOException {
        folder.close(parts, target, format::isPart);
    }
}
