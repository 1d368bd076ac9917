package io.github.broadloom.exec;

import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One Arrow file: the tasks write parts, whose batches the driver then joins, one at a time, before a common footer. */
final class JoinedArrowSink implements Sink {
    private final Location target;
    private final WriteMode mode;
    private final PartsSink parts;
    private final Location joined;

    JoinedArrowSink(Location target, WriteMode mode, long sizeBytes) {
        this.target = target;
        this.mode = mode;
        this.joined = Targets.temporary(target);
        this.parts = new PartsSink(Targets.temporary(target), WriteMode.CREATE, PartFormat.ARROW, 2 * sizeBytes);
    }

    @Override
    public void begin() throws IOException {
        Targets.checkFile(target, mode);
        parts.begin();
    }

    @Override
    public ChunkWriter writer() {
        return parts.writer();
    }

    @Override
    public void commit(int chunks) throws IOException {
        Batches batches = new Batches(chunks);
        try (OutputStream out = joined.create()) {
            ArrowIpc.writeFile(batches, out);
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            batches.releaseLast();
        }
        Targets.checkFile(target, mode);
        joined.renameTo(target);
        parts.abort();
    }

    /** The parts' batches in order; each is released when the next one is asked for. */
    private final class Batches implements Iterator<Tensor> {
        private final Iterator<Integer> numbers;
        private Iterator<ArrowIndex.Batch> batches = java.util.Collections.emptyIterator();
        private @Nullable ArrowIndex part;
        private @Nullable Tensor last;

        Batches(int chunks) {
            this.numbers = IntStream.range(0, chunks).iterator();
        }

        @Override
        public boolean hasNext() {
            return batches.hasNext() || numbers.hasNext();
        }

        @Override
        public Tensor next() {
            releaseLast();
            try {
                while (!batches.hasNext()) {
                    part = ArrowIndex.open(parts.temporary().child(PartFormat.ARROW.fileName(numbers.next())));
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

    @Override
    public void abort() throws IOException {
        parts.abort();
        joined.delete();
    }

    @Override
    public String name() {
        return target.name();
    }
}
