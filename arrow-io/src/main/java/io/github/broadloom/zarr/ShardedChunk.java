package io.github.broadloom.zarr;

import io.github.broadloom.format.ChunkedArray;
import io.github.broadloom.format.FileRanges;
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
import java.util.Comparator;
import java.util.List;

/**
 * A shard: inner chunks, and an index of where each lies in it, of which the inner chunks that are not there have the largest numbers.
 *
 * @param shape a multiple of the inner chunks'
 */
record ShardedChunk(Shape shape, ChunkCodec inner, ShardIndex index, Fill fill) implements ChunkCodec {
    private static final long serialVersionUID = 1L;

    /** What is read in one go, at most, where several inner chunks are. */
    static final long LONGEST_RUN_BYTES = 4 << 20;

    @Override
    public Shape piece() {
        return inner.piece();
    }

    private Shape grid() {
        long[] counts = new long[shape.rank()];
        Arrays.setAll(counts, d -> shape.size(d) / inner.shape().size(d));
        return Shape.of(counts);
    }

    /** An inner chunk of which elements are wanted: where its bytes are in the shard, where it is, and which elements. */
    private record Wanted(long offset, long length, Box whole, Box part) {
        long end() {
            return offset + length;
        }
    }

    @Override
    public void read(ChunkRange bytes, Box part, Tensor target) throws IOException {
        List<Wanted> wanted = new ArrayList<>();
        Layout places = Layout.contiguous(grid());
        Storage entries = index.read(bytes, places.shape().numel());
        try {
            ByteBuffer all = entries.view(0, (int) entries.sizeBytes()).order(index.order());
            ChunkedArray.forEachChunk(part, inner.shape(), (place, whole, inside) -> {
                int at = 2 * Long.BYTES * (int) places.elementOffset(place);
                Wanted found = new Wanted(all.getLong(at), all.getLong(at + Long.BYTES), whole, inside);
                if (found.offset == ShardIndex.MISSING && found.length == ShardIndex.MISSING) {
                    fill.into(inside.of(target, part));
                } else {
                    bytes.part(found.offset, found.length); // which it has to have
                    wanted.add(found);
                }
            });
        } finally {
            entries.release();
        }
        wanted.sort(Comparator.comparingLong(Wanted::offset));
        for (int first = 0; first < wanted.size(); ) {
            List<Wanted> run = run(wanted, first);
            read(bytes, run, part, target);
            first += run.size();
        }
    }

    /** Inner chunks that are read in one go: of far stores each step costs more than the bytes between them. */
    private static List<Wanted> run(List<Wanted> wanted, int first) {
        long end = wanted.get(first).end();
        int last = first + 1;
        while (last < wanted.size()
                && wanted.get(last).offset - end <= FileRanges.STEP_BYTES
                && Math.max(end, wanted.get(last).end()) - wanted.get(first).offset <= LONGEST_RUN_BYTES) {
            end = Math.max(end, wanted.get(last).end());
            last++;
        }
        return wanted.subList(first, last);
    }

    private void read(ChunkRange bytes, List<Wanted> run, Box part, Tensor target) throws IOException {
        long start = run.get(0).offset;
        long end = run.stream().mapToLong(Wanted::end).max().orElseThrow();
        ChunkRange all = bytes.part(start, end - start);
        Storage memory = Storage.allocate(run.size() == 1 ? 0 : end - start);
        try {
            ChunkRange held = run.size() == 1 ? all : all.held(memory);
            for (Wanted chunk : run) {
                ChunkRange own = held.part(chunk.offset - start, chunk.length);
                inner.read(own, chunk.part.from(chunk.whole), chunk.part.of(target, part));
            }
        } finally {
            memory.release();
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
