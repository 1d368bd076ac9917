package io.github.broadloom.zarr;

import io.github.broadloom.shape.Shape;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an array is written.
 *
 * @param version of Zarr's format: 3, or 2, which has no shards
 * @param chunk the shape of a chunk; null for one that the writer chooses
 * @param shard the shape of a shard, a multiple of the chunk's; null for none
 * @param compression of chunks
 * @param fillValue the number, or Boolean, of elements that no chunk holds: chunks that have it everywhere are not written
 * @param dimensions their names, as many as there are dimensions; empty for none
 * @param attributes numbers, texts, Booleans and lists of these, by name
 */
public record ZarrOptions(
        int version,
        @Nullable Shape chunk,
        @Nullable Shape shard,
        Compression compression,
        Object fillValue,
        List<String> dimensions,
        Map<String, Object> attributes)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    static final int ZSTD_LEVEL = 3;
    /** Of shuffled floats zstd makes hardly less at any level, and takes ten times as long at the next ones. */
    static final int BLOSC_LEVEL = 1;

    /** Zarr 3, bytes that are shuffled and compressed by zstd, no shards, and chunks that the writer chooses. */
    public static final ZarrOptions DEFAULT =
            new ZarrOptions(3, null, null, Compression.BLOSC_ZSTD, 0L, List.of(), Map.of());

    /** How chunks are compressed. */
    public enum Compression {
        /** Not at all, so that any box is read by itself. */
        NONE,
        /** Zstandard at level 3, which other libraries write where nobody asks. */
        ZSTD,
        LZ4,
        GZIP,
        ZLIB,
        /** Blosc: bytes are shuffled, then lz4: the fastest. */
        BLOSC_LZ4,
        /** Blosc: bytes are shuffled, then zstd at level 1: of floats a tenth to a third less than {@link #ZSTD}, in a tenth of the time. */
        BLOSC_ZSTD
    }

    public ZarrOptions {
        if (version != 2 && version != 3) {
            throw new IllegalArgumentException("Cannot write Zarr " + version + ": there are versions 2 and 3");
        }
        if (version == 2 && shard != null) {
            throw new IllegalArgumentException("Cannot write shards of " + shard + " in Zarr 2: version 3 has them");
        }
        dimensions = List.copyOf(dimensions);
    }

    public ZarrOptions withVersion(int other) {
        return new ZarrOptions(other, chunk, shard, compression, fillValue, dimensions, attributes);
    }

    public ZarrOptions withChunk(@Nullable Shape other) {
        return new ZarrOptions(version, other, shard, compression, fillValue, dimensions, attributes);
    }

    public ZarrOptions withShard(@Nullable Shape other) {
        return new ZarrOptions(version, chunk, other, compression, fillValue, dimensions, attributes);
    }

    public ZarrOptions withCompression(Compression other) {
        return new ZarrOptions(version, chunk, shard, other, fillValue, dimensions, attributes);
    }

    public ZarrOptions withFillValue(Object other) {
        return new ZarrOptions(version, chunk, shard, compression, other, dimensions, attributes);
    }

    public ZarrOptions withDimensions(List<String> other) {
        return new ZarrOptions(version, chunk, shard, compression, fillValue, other, attributes);
    }

    public ZarrOptions withAttributes(Map<String, Object> other) {
        return new ZarrOptions(version, chunk, shard, compression, fillValue, dimensions, other);
    }
}
