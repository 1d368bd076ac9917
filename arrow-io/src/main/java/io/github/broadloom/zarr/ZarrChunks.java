package io.github.broadloom.zarr;

import io.github.broadloom.format.ChunkedArray;
import io.github.broadloom.format.FileRanges;
import io.github.broadloom.format.Store;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** Reads boxes of an array: each chunk's file is opened once, and of a shard only its index and the inner chunks are read that are wanted. */
final class ZarrChunks extends ChunkedArray {
    private static final long serialVersionUID = 1L;

    private final Store store;
    private final String key;
    private final ChunkCodec codec;
    private final ChunkNames names;
    private final Fill fill;

    ZarrChunks(Store store, String key, ZarrMetadata array) {
        super(array.dtype(), array.shape(), array.codec().shape());
        this.store = store;
        this.key = key;
        this.codec = array.codec();
        this.names = array.names();
        this.fill = array.fill();
    }

    @Override
    protected @Nullable Tensor readChunk(long[] index) throws IOException {
        Tensor read = Tensors.empty(dtype(), chunk());
        boolean complete = false;
        try {
            readInto(index, Box.whole(chunk()), read);
            complete = true;
            return read;
        } finally {
            if (!complete) {
                read.release();
            }
        }
    }

    @Override
    protected void readPart(long[] index, Box whole, Box part, Tensor target) throws IOException {
        readInto(index, part.from(whole), target);
    }

    private void readInto(long[] index, Box part, Tensor target) throws IOException {
        String file = ZarrFiles.child(key, names.of(index));
        try (SeekableByteChannel in = store.open(file)) {
            codec.read(ChunkRange.whole(store, file, in), part, target);
        } catch (NoSuchFileException e) {
            fill.into(target);
        }
    }

    /** Whether of a chunk only that is read which is wanted. */
    private boolean isRaw() {
        return codec instanceof PlainChunk plain && plain.codecs().isEmpty();
    }

    /** Whether any box is read by itself: of uncompressed chunks whose elements follow each other in the array, as whole rows or maps. */
    boolean readsAnyBox() {
        boolean follow = true;
        boolean several = false;
        for (int d = 0; d < shape().rank(); d++) {
            follow &= !several || shape().size(d) <= chunk().size(d);
            several |= chunk().size(d) > 1;
        }
        return isRaw() && follow;
    }

    /** How they lie there, for people; chunks that are read in part say their shape here. */
    String describe() {
        boolean several = readsAnyBox() && chunk().numel() < shape().numel();
        return several ? "chunks of " + chunk() + ", " + codec.describe() : codec.describe();
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        if (!isRaw()) {
            return costBytes(box, codec.piece());
        }
        return box.isEmpty() ? 0 : (long) costOfFiles(box, Box.whole(chunk()), 0, true);
    }

    /**
     * The ranges of each chunk that hold what is wanted of it. Who reads a part opens it once more, in the time of a step. Along each dimension chunks of which all indices are wanted are
     * alike.
     *
     * @param part what is wanted of a chunk along the dimensions before {@code d}
     * @param whole whether that is all that the array has of it
     */
    private double costOfFiles(Box box, Box part, int d, boolean whole) {
        if (d == part.rank()) {
            long cost = ranges(part).costBytes();
            return whole ? cost : cost + store.stepBytes();
        }
        long size = chunk().size(d);
        long first = box.start(d) / size;
        long last = (box.end(d) - 1) / size;
        long start = box.start(d) - first * size;
        long end = box.end(d) - last * size;
        boolean toEnd = end == size || box.end(d) == shape().size(d);
        if (first == last) {
            return costOfFiles(box, part.with(d, start, end), d + 1, whole && start == 0 && toEnd);
        }
        double cost = costOfFiles(box, part.with(d, start, size), d + 1, whole && start == 0)
                + costOfFiles(box, part.with(d, 0, end), d + 1, whole && toEnd);
        long between = last - first - 1;
        return between == 0 ? cost : cost + between * costOfFiles(box, part.with(d, 0, size), d + 1, whole);
    }

    private FileRanges ranges(Box part) {
        return new FileRanges(chunk(), part, dtype().bytes(), store.stepBytes());
    }

    /** Of uncompressed chunks what is picked out of a range; else a piece, and what it is decoded from; of a shard several are read in one go. */
    @Override
    public long readingBytes(Shape box) {
        if (isRaw()) {
            FileRanges ranges = ranges(Box.whole(box).intersection(Box.whole(chunk())));
            return readsAnyBox() ? ranges.readingBytes() : ranges.pickingBytes();
        }
        long run = codec.piece().equals(chunk()) ? 0 : ShardedChunk.LONGEST_RUN_BYTES;
        return run + 2 * dtype().sizeBytes(codec.piece().numel());
    }
}
