package io.github.broadloom.zarr;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/** How the elements of a chunk become bytes. */
sealed interface ChunkCodec extends Serializable permits PlainChunk, ShardedChunk, TransposedChunk {
    /** The most bytes of a chunk that is read or written whole: Java's buffers hold no more, nor does Blosc. */
    long MOST_BYTES = Integer.MAX_VALUE - 4096;

    /** The shape of a chunk. */
    Shape shape();

    /** The shape of what is read whole: the chunk's, or of a shard that of its innermost chunks. */
    Shape piece();

    /**
     * Reads elements of a chunk.
     *
     * @param part those that are wanted, by their place in the chunk
     * @param target of the part's shape, in memory that is held
     */
    void read(ChunkRange bytes, Box part, Tensor target) throws IOException;

    /**
     * A chunk's bytes, one piece after the other.
     *
     * @param chunk of its whole shape
     * @return to be closed
     */
    List<Encoded> encode(Tensor chunk);

    /** What it does, for people: {@code little-endian, zstd}. */
    String describe();
}
