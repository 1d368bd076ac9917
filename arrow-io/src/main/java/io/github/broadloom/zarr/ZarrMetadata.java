package io.github.broadloom.zarr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.Map;

/**
 * What the metadata of an array says.
 *
 * @param version of Zarr's format, 2 or 3
 * @param dtype of the stored elements
 * @param unsigned whether they are 16 or 32 bits without a sign, for which there is no dtype
 * @param codec of a chunk, or of a shard
 * @param dimensions their names; empty where nobody named them
 */
record ZarrMetadata(
        int version,
        DType dtype,
        boolean unsigned,
        Shape shape,
        ChunkCodec codec,
        Fill fill,
        ChunkNames names,
        List<String> dimensions,
        Map<String, Object> attributes)
        implements java.io.Serializable {}
