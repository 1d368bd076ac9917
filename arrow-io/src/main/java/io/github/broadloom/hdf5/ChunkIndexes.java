package io.github.broadloom.hdf5;

import io.github.broadloom.shape.Shape;
import io.jhdf.ObjectHeader;
import io.jhdf.dataset.NoParent;
import io.jhdf.dataset.chunked.Chunk;
import io.jhdf.dataset.chunked.ChunkOffset;
import io.jhdf.dataset.chunked.ChunkedDatasetV3;
import io.jhdf.dataset.chunked.ChunkedDatasetV4;
import io.jhdf.exceptions.HdfException;
import io.jhdf.object.message.DataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ChunkedDataLayoutMessageV4;
import java.util.Map;

/** Where the chunks of a dataset are. jHDF looks that up only for its own reading, which takes datasets whole; hence the two classes below. */
final class ChunkIndexes {
    private ChunkIndexes() {}

    static Map<ChunkOffset, Chunk> chunks(Hdf5File file, long address, Shape shape, Shape chunk) {
        ObjectHeader header = file.header(address);
        if (header.getMessageOfType(DataLayoutMessage.class) instanceof ChunkedDataLayoutMessageV4 layout) {
            double count = 1;
            for (int d = 0; d < shape.rank(); d++) {
                count *= Math.ceil((double) shape.size(d) / chunk.size(d));
            }
            IndexClaims.check(file.storage(), layout, count, chunk.numel());
            Map<ChunkOffset, Chunk> chunks = new Later(file.storage(), address, header).getChunkLookup();
            // jHDF stops at the first chunk that was not written, and does not know the pages of long arrays.
            if (layout.getIndexingType() == ChunkedDataLayoutMessageV4.EXTENSIBLE_ARRAY_INDEX
                    && chunks.size() < count) {
                throw new HdfException("some of its chunks are not there, or more than can be read of an extensible"
                        + " array; write it with libver='earliest'");
            }
            return chunks;
        }
        return new Earlier(file.storage(), address, header).getChunkLookup();
    }

    private static final class Earlier extends ChunkedDatasetV3 {
        Earlier(Hdf5Storage storage, long address, ObjectHeader header) {
            super(storage, address, "", NoParent.INSTANCE, header);
        }

        @Override
        protected Map<ChunkOffset, Chunk> getChunkLookup() {
            return super.getChunkLookup();
        }
    }

    private static final class Later extends ChunkedDatasetV4 {
        Later(Hdf5Storage storage, long address, ObjectHeader header) {
            super(storage, address, "", NoParent.INSTANCE, header);
        }

        @Override
        protected Map<ChunkOffset, Chunk> getChunkLookup() {
            return super.getChunkLookup();
        }
    }
}
