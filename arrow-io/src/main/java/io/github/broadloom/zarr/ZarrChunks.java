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

    /** Whether the chunks are uncompressed and hold elements that follow each other, as whole maps or rows, so that any box is read by itself. */
    boolean readsAnyBox() {
        int cut = cutDim();
        boolean any = codec instanceof PlainChunk plain && plain.codecs().isEmpty();
        for (int d = cut + 1; any && d < shape().rank(); d++) {
            any = shape().size(d) <= chunk().size(d);
        }
        return any;
    }

    /** How they lie there, for people; chunks that are read in part say their shape here. */
    String describe() {
        boolean several = readsAnyBox() && chunk().numel() < shape().numel();
        return several ? "chunks of " + chunk() + ", " + codec.describe() : codec.describe();
    }

    /** The first dimension of which a chunk has several indices. */
    private int cutDim() {
        int d = 0;
        while (d < chunk().rank() - 1 && chunk().size(d) == 1) {
            d++;
        }
        return d;
    }

    /** One chunk behind the other, as one file would hold them: each is opened in the time of a step. */
    private long costBytesInFiles(Box box) {
        int cut = cutDim();
        Shape file = shape();
        long files = 1;
        for (int d = 0; d < shape().rank() && !box.isEmpty(); d++) {
            long size = chunk().size(d);
            file = d > cut ? file.with(d, size) : file;
            files *= (box.end(d) - 1) / size - box.start(d) / size + 1;
        }
        long steps = (files - 1) * store.stepBytes();
        return steps + new FileRanges(file, box, dtype().bytes(), store.stepBytes()).costBytes();
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return readsAnyBox() ? costBytesInFiles(box) : costBytes(box, codec.piece());
    }

    /** A piece, and what it is decoded from; of a shard several are read in one go. */
    @Override
    public long readingBytes(Shape box) {
        if (readsAnyBox()) {
            return dtype().sizeBytes(Box.whole(box)
                    .intersection(Box.whole(chunk()))
                    .shape()
                    .numel());
        }
        long run = codec.piece().equals(chunk()) ? 0 : ShardedChunk.LONGEST_RUN_BYTES;
        return run + 2 * dtype().sizeBytes(codec.piece().numel());
    }
}
