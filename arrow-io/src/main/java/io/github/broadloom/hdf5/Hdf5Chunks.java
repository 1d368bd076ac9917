package io.github.broadloom.hdf5;

import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.ChunkedArray;
import io.github.broadloom.format.ConstantArray;
import io.github.broadloom.format.FileRanges;
import io.github.broadloom.format.RawArray;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.Bytes;
import io.github.broadloom.io.RawElements;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.jhdf.Constants;
import io.jhdf.dataset.chunked.Chunk;
import io.jhdf.dataset.chunked.ChunkOffset;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads boxes of a dataset that lies in chunks. Where these are, a task looks up once. */
final class Hdf5Chunks implements BlockReader {
    private static final long serialVersionUID = 1L;

    private final Store store;
    private final String name;
    /** Of the dataset's header. */
    private final long address;

    private final Hdf5Type type;
    private final Shape shape;
    private final Shape chunk;
    private final Hdf5Filters filters;
    /** The bytes of an element where there is no chunk, as they are in the file; none where all bits are 0. */
    private final byte[] fill;

    private transient volatile @Nullable Map<ChunkOffset, Chunk> index;

    Hdf5Chunks(
            Store store,
            String name,
            long address,
            Hdf5Type type,
            Shape shape,
            Shape chunk,
            Hdf5Filters filters,
            byte[] fill) {
        this.store = store;
        this.name = name;
        this.address = address;
        this.type = type;
        this.shape = shape;
        this.chunk = chunk;
        this.filters = filters;
        this.fill = fill;
    }

    @Override
    public Tensor read(Box box) throws IOException {
        try (Hdf5File file = Hdf5File.open(store, name)) {
            Map<ChunkOffset, Chunk> chunks = index;
            if (chunks == null) {
                chunks = Hdf5File.checked(name, () -> ChunkIndexes.chunks(file, address, shape, chunk));
                index = chunks;
            }
            return new Reading(file.storage(), chunks).read(box);
        }
    }

    private ByteOrder order() {
        return type.bigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private long chunkBytes() {
        return type.bits().sizeBytes(chunk.numel());
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return new Reading(null, Map.of()).costBytes(box, ofWholeRows);
    }

    /** Of chunks without filters what is picked out of a range. */
    @Override
    public long readingBytes(Shape box) {
        Box part = Box.whole(box).intersection(Box.whole(chunk));
        return filters.isEmpty()
                ? new FileRanges(chunk, part, type.bits().bytes(), store.stepBytes()).pickingBytes()
                : new Reading(null, Map.of()).readingBytes(box);
    }

    /** One look into the open file. */
    private final class Reading extends ChunkedArray {
        private static final long serialVersionUID = 1L;

        private final transient @Nullable Hdf5Storage storage;
        private final transient Map<ChunkOffset, Chunk> chunks;

        Reading(@Nullable Hdf5Storage storage, Map<ChunkOffset, Chunk> chunks) {
            super(type.bits(), shape, chunk);
            this.storage = storage;
            this.chunks = chunks;
        }

        private @Nullable Chunk stored(Box whole) {
            Chunk stored = chunks.get(new ChunkOffset(whole.starts()));
            return stored == null || stored.getAddress() == Constants.UNDEFINED_ADDRESS ? null : stored;
        }

        /** Of chunks without filters only what is wanted. */
        @Override
        protected void readPart(long[] index, Box whole, Box part, Tensor target) throws IOException {
            Chunk stored = stored(whole);
            if (stored == null) {
                fill(target);
                return;
            }
            if (filters.isPassedBy(stored.getFilterMask())) {
                raw(stored).read(storage().channel(), part.from(whole), target);
                return;
            }
            Tensor read = decoded(stored);
            try {
                target.copy_(part.of(read, whole));
            } finally {
                read.release();
            }
        }

        @Override
        protected @Nullable Tensor readChunk(long[] index) throws IOException {
            long[] starts = new long[index.length];
            Arrays.setAll(starts, d -> index[d] * chunk.size(d));
            Chunk stored = stored(Box.at(starts, chunk));
            return stored == null ? null : decoded(stored);
        }

        private Hdf5Storage storage() {
            if (storage == null) {
                throw new IllegalStateException("Not open");
            }
            return storage;
        }

        private RawArray raw(Chunk stored) throws IOException {
            return Hdf5File.checked(name, () -> {
                storage().check(stored.getAddress(), chunkBytes());
                return new RawArray(
                        store,
                        "",
                        storage().getUserBlockSize() + stored.getAddress(),
                        type.bits(),
                        type.bigEndian(),
                        chunk);
            });
        }

        private Tensor decoded(Chunk stored) throws IOException {
            Storage elements = Hdf5File.checked(name, () -> {
                int size = stored.getSize();
                storage().check(stored.getAddress(), size);
                return filters.decode(read(stored, size), size, stored.getFilterMask(), (int) chunkBytes());
            });
            return RawElements.array(elements, type.bits(), order(), chunk);
        }

        private Storage read(Chunk stored, int size) throws IOException {
            long start = storage().getUserBlockSize() + stored.getAddress();
            storage().channel().position(start);
            return Bytes.readKnown(
                    storage().channel(),
                    size,
                    held -> TensorFormatException.cannotRead(
                            name,
                            "it ends at byte " + (start + held) + ", inside of its elements; the file is truncated"));
        }

        @Override
        protected void fill(Tensor elements) {
            new ConstantArray(fill, type.bits(), type.bigEndian(), shape).fill(elements);
        }

        /** A chunk as it lies there, and before the filter that is undone. */
        @Override
        protected long chunkOverheadBytes() {
            return 2 * chunkBytes();
        }
    }
}
