package io.github.broadloom.zarr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;

/** What metadata of both versions must say of chunks. */
final class ChunkShapes {
    private ChunkShapes() {}

    /** @throws TensorFormatException where the array cannot lie in such chunks */
    static void check(Document json, Shape shape, Shape chunk) throws TensorFormatException {
        if (chunk.rank() != shape.rank()) {
            throw json.damaged("its shape is " + shape + ", and its chunks are of shape " + chunk);
        }
        for (int d = 0; d < shape.rank(); d++) {
            if (chunk.size(d) < 1 || shape.size(d) > Long.MAX_VALUE - chunk.size(d)) {
                throw json.damaged("its shape " + shape + " cannot be cut into chunks of " + chunk);
            }
        }
    }

    static void checkInner(Document json, Shape shard, Shape inner, long mostChunks) throws TensorFormatException {
        boolean fits = inner.rank() == shard.rank();
        long chunks = 1;
        for (int d = 0; fits && d < inner.rank(); d++) {
            fits = inner.size(d) > 0 && shard.size(d) % inner.size(d) == 0;
            chunks *= fits ? shard.size(d) / inner.size(d) : 1;
        }
        if (!fits) {
            throw json.damaged("its shards of " + shard + " cannot be cut into chunks of " + inner);
        }
        if (chunks > mostChunks) {
            throw json.damaged(
                    "its shards of " + shard + " have " + chunks + " chunks; up to " + mostChunks + " are read");
        }
    }

    static void checkPlain(Document json, DType dtype, Shape chunk) throws TensorFormatException {
        if (dtype.sizeBytes(chunk.numel()) > ChunkCodec.MOST_BYTES) {
            throw json.damaged("its chunks of " + chunk + " have " + dtype.sizeBytes(chunk.numel())
                    + " bytes each; up to " + ChunkCodec.MOST_BYTES + " are read");
        }
    }

    static String separator(Document json, String field, String otherwise) throws TensorFormatException {
        String separator = json.text(field, otherwise);
        if (!separator.equals("/") && !separator.equals(".")) {
            throw json.wrong(field, "a slash or a dot");
        }
        return separator;
    }
}
