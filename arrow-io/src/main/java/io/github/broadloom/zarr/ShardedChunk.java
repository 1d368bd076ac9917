package io.github.broadloom.zarr;

import io.github.broadloom.format.ChunkedArray;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A shard: inner chunks, and an index of where each lies in it, of which the inner chunks that are not there have the largest numbers.
 *
 * @param shape a multiple of the inner chunks'
 */
record ShardedChunk(Shape shape, ChunkCodec inner, ShardIndex index, Fill fill) implements ChunkCodec {
    private static final long serialVersionUID = 1L;

    @Override
    public Shape piece() {
        return inner.piece();
    }

    private Shape grid() {
        long[] counts = new long[shape.rank()];
        Arrays.setAll(counts, d -> shape.size(d) / inner.shape().size(d));
        return Shape.of(counts);
    }

    @Override
    public void read(ChunkRange bytes, Box part, Tensor target) throws IOException {
        Layout places = Layout.contiguous(grid());
        Storage entries = index.read(bytes, places.shape().numel());
        try {
            ByteBuffer all =
                    entries.buffer().nioBuffer(0, (int) entries.sizeBytes()).order(index.order());
            ChunkedArray.forEachChunk(part, inner.shape(), (place, whole, wanted) -> {
                int at = 2 * Long.BYTES * (int) places.elementOffset(place);
                Tensor inside = wanted.of(target, part);
                long offset = all.getLong(at);
                long length = all.getLong(at + Long.BYTES);
                if (offset == ShardIndex.MISSING && length == ShardIndex.MISSING) {
                    fill.into(inside);
                } else {
                    inner.read(bytes.part(offset, length), wanted.from(whole), inside);
                }
            });
        } finally {
            entries.release();
        }
    }

    @Override
    public List<Encoded> encode(Tensor chunk) {
        Shape grid = grid();
        long[] entries = new long[Math.toIntExact(2 * grid.numel())];
        List<Encoded> pieces = new ArrayList<>();
        try {
            long[] end = {index.atStart() ? index.bytes(grid.numel()) : 0};
            int[] next = {0};
            ChunkedArray.forEachChunk(Box.whole(shape), inner.shape(), (place, whole, part) -> {
                List<Encoded> encoded = encodeInner(part.of(chunk));
                pieces.addAll(encoded);
                long length = encoded.stream().mapToLong(Encoded::bytes).sum();
                entries[next[0]++] = encoded.isEmpty() ? ShardIndex.MISSING : end[0];
                entries[next[0]++] = encoded.isEmpty() ? ShardIndex.MISSING : length;
                end[0] += length;
            });
            pieces.add(index.atStart() ? 0 : pieces.size(), index.encode(entries));
            return pieces;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing here reads or writes a file
        } catch (RuntimeException | Error e) {
            pieces.forEach(Encoded::close);
            throw e;
        }
    }

    private List<Encoded> encodeInner(Tensor part) {
        Tensor elements = part.contiguous();
        try {
            return fill.isAllOf(elements) ? List.of() : inner.encode(elements);
        } finally {
            elements.releaseCopyOf(part);
        }
    }

    @Override
    public String describe() {
        return "shards of " + shape + ", " + inner.describe();
    }
}
