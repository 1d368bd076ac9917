package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.exec.read.ArrowIndex;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One Arrow file: the tasks write parts, whose batches the driver then joins, one at a time, before a common footer. */
final class JoinedArrowSink extends JoinedSink {

    JoinedArrowSink(Location target, WriteMode mode, long sizeBytes) {
        super(target, mode, PartFormat.ARROW, 2 * sizeBytes);
    }

    @Override
    void join(List<Location> parts, OutputStream out) throws IOException {
        Batches batches = new Batches(parts.iterator());
        try {
            ArrowIpc.writeFile(batches, out);
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            batches.releaseLast();
        }
    }

    /** The parts' batches in order; each is released when the next one is asked for. */
    private static final class Batches implements Iterator<Tensor> {
        private final Iterator<Location> parts;
        private Iterator<ArrowIndex.Batch> batches = java.util.Collections.emptyIterator();
        private @Nullable ArrowIndex part;
        private @Nullable Tensor last;

        Batches(Iterator<Location> parts) {
            this.parts = parts;
        }

        @Override
        public boolean hasNext() {
            return batches.hasNext() || parts.hasNext();
        }

        @Override
        public Tensor next() {
            releaseLast();
            try {
                while (!batches.hasNext()) {
                    part = ArrowIndex.open(parts.next());
                    batches = part.batches().iterator();
                }
                if (part == null) {
                    throw new IllegalStateException("A batch without its part");
                }
                Tensor batch = part.read(batches.next());
                last = batch;
                return batch;
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }

        void releaseLast() {
            if (last != null) {
                last.storage().release();
                last = null;
            }
        }
    }
}
